/* Axes from 0, with round ticks in a unit that suits the largest value, and logarithmic ones. */
#include "chart/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double
factor_between(enum tp_unit from, enum tp_unit to)
{
	return tp_value_in(tp_number(1, from), to);
}

/* The smallest round number that is at least x. */
static double
round_up(double x)
{
	static const double leads[] = {1, 2, 2.5, 5, 10};
	double decade = pow(10, floor(log10(x)));

	for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
		if (leads[i] * decade >= x * (1 - 1e-9))
			return leads[i] * decade;
	return 10 * decade;
}

static int
decimals_of(double step)
{
	int decimals = 0;

	while (decimals < 6 && fabs(step - nearbyint(step)) > 1e-6 * step) {
		step *= 10;
		decimals++;
	}
	return decimals;
}

struct tp_axis
tp_axis_for(double largest, enum tp_unit unit, unsigned most_ticks)
{
	return tp_axis_with_room(largest, 1, unit, most_ticks);
}

struct tp_axis
tp_axis_with_room(double largest, double room, enum tp_unit unit, unsigned most_ticks)
{
	struct tp_axis axis = {.unit = unit, .factor = 1};
	double shown_step;

	if (!(largest > 0) || !isfinite(largest))
		largest = 1;
	axis.unit = tp_unit_of_axis(largest, unit);
	axis.factor = factor_between(unit, axis.unit);
	if (!isfinite(axis.factor))
		axis.factor = 1;
	axis.top = largest * room * axis.factor * 1.04; /* a little air above the largest value */
	axis.step = round_up(axis.top / most_ticks);
	while (floor(axis.top / axis.step) + 1 > most_ticks)
		axis.step = round_up(axis.step * 1.01);
	axis.ticks = (unsigned)floor(axis.top / axis.step) + 1;
	shown_step = unit == TP_UNIT_SHARE ? axis.step * 100 : axis.step;
	axis.decimals = decimals_of(shown_step);
	return axis;
}

struct tp_slice
tp_axis_tick(
	const struct tp_axis *axis, unsigned index, bool with_unit, char buf[static TP_VALUE_BUF])
{
	struct tp_slice symbol = tp_unit_symbol(axis->unit);
	struct tp_slice figure = tp_value_fixed(tp_number(index * axis->step, axis->unit), axis->unit,
		index == 0 ? 0 : axis->decimals, buf);

	if (!with_unit || symbol.len == 0 || figure.len + symbol.len + 3 > TP_VALUE_BUF)
		return figure;
	if (figure.ptr != buf)
		memmove(buf, figure.ptr, figure.len);
	memcpy(buf + figure.len, "\u202f", 3);
	memcpy(buf + figure.len + 3, symbol.ptr, symbol.len);
	return (struct tp_slice){buf, figure.len + 3 + symbol.len};
}

size_t
tp_axis_stride(size_t count, size_t most)
{
	static const size_t leads[] = {1, 2, 5};

	for (size_t decade = 1;; decade *= 10)
		for (size_t i = 0; i < 3; i++)
			if (count / (leads[i] * decade) <= most)
				return leads[i] * decade;
}

/* A logarithmic axis. */

struct tp_log_axis
tp_log_axis_for(double least, double most, int ticks)
{
	/* What lies on a decade but for rounding is on it. */
	const double slack = 1e-9;
	struct tp_log_axis axis = {
		.low = (int)floor(log10(least) + slack),
		.high = (int)ceil(log10(most) - slack),
		.step = 1,
	};

	if (axis.high <= axis.low)
		axis.high = axis.low + 1;
	while ((axis.high - axis.low) / axis.step + 1 > ticks)
		axis.step++;
	return axis;
}

double
tp_log_axis_at(const struct tp_log_axis *axis, double value)
{
	return (log10(value) - axis->low) / (axis->high - axis->low);
}

/* Ticks stand at multiples of the step, so that three decades a tick fall on units. */
int
tp_log_axis_exponent(const struct tp_log_axis *axis, int index)
{
	int first = axis->low / axis->step * axis->step;

	if (first < axis->low)
		first += axis->step;
	return first + index * axis->step;
}

struct tp_slice
tp_log_axis_tick(int exponent, bool si, char buf[static TP_LOG_TICK_BUF])
{
	static const char *const prefixes[] = {
		"p", "n", "µ", "m", "", "K", "M", "G", "T", "P", "E", "Z"};
	enum { NONE = 4, COUNT = sizeof prefixes / sizeof *prefixes };
	int group = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3);
	int n;

	if (si && group + NONE >= 0 && group + NONE < COUNT) {
		const char *prefix = prefixes[group + NONE];

		n = snprintf(buf, TP_LOG_TICK_BUF, "%d%s%s",
			exponent - 3 * group == 0       ? 1
				: exponent - 3 * group == 1 ? 10
											: 100,
			*prefix ? "\u202f" : "", prefix);
	} else if (exponent < 0 && exponent >= -6) {
		n = snprintf(buf, TP_LOG_TICK_BUF, "%.*f", -exponent, pow(10, exponent));
	} else if (exponent >= 0 && exponent <= 2) {
		n = snprintf(buf, TP_LOG_TICK_BUF, "%.0f", pow(10, exponent));
	} else if (exponent >= 3 && exponent <= 5) {
		n = snprintf(buf, TP_LOG_TICK_BUF, "%.0f,000", pow(10, exponent - 3));
	} else {
		n = snprintf(buf, TP_LOG_TICK_BUF, "1e%d", exponent);
	}
	return (struct tp_slice){buf, (size_t)n};
}
