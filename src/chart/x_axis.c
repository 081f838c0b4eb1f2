/* Ticks of a horizontal axis. Times are UTC, so that a report does not depend on where it was made. */
#include "chart/axis.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/number.h"
#include "chart/canvas.h"
#include "chart/label.h"

enum {
	MOST_STEPS = 6,
	TICK_PX = 4,
	LABEL_Y_PX = 16,
	TITLE_Y_PX = 31,
	TEXT_PX = 11,
	GAP_PX = 8,
	OUTSIDE_PX = 12, /* that a label may stand out of the plot */
	MINUTE_S = 60,
	DAY_S = 86400,
	BUF = TP_VALUE_BUF,
};

/* Where a label is nearer to an end than this, or than half its length, it is set from that end. */
static const double end_share = .04;

static double
round_step(double least)
{
	static const double leads[] = {1, 2, 5, 10};
	double power = pow(10, floor(log10(least)));

	for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
		if (leads[i] * power >= least)
			return leads[i] * power;
	}
	return 10 * power;
}

static double
time_step(double least)
{
	static const double steps[] = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
		10800, 21600, 43200, 86400, 172800, 604800};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (least > .5 && steps[i] >= least)
			return steps[i];
	}
	return least <= .5 ? round_step(least) : round_step(least / DAY_S) * DAY_S;
}

/* A measure is told in a unit that suits the axis's end: times one of the axis's own gives one of that. */
static enum tp_unit
shown_unit(const struct tp_x_axis *axis, double *factor)
{
	enum tp_unit unit = tp_unit_of_axis(fmax(fabs(axis->low), fabs(axis->high)), axis->unit);

	*factor = tp_value_in(tp_number(1, axis->unit), unit);
	*factor = isfinite(*factor) ? *factor : 1;
	return unit;
}

static double
measure_step(const struct tp_x_axis *axis, double least)
{
	double factor;

	shown_unit(axis, &factor);
	return round_step(least * factor) / factor;
}

size_t
tp_x_axis_ticks(const struct tp_x_axis *axis, double at[static TP_X_TICKS], double *step)
{
	double least = (axis->high - axis->low) / MOST_STEPS;
	size_t count = 0;

	*step = axis->utc                ? time_step(least)
		: axis->unit != TP_UNIT_NONE ? measure_step(axis, least)
									 : fmax(1, round_step(least));
	double first = ceil(axis->low / *step) * *step;

	while (count < TP_X_TICKS && first + (double)count * *step <= axis->high) {
		at[count] = first + (double)count * *step;
		count++;
	}
	return count;
}

static bool
is_date(double unix_s)
{
	return fabs(unix_s) < 9.2e9; /* the year 2261: what nanoseconds in 64 bits reach */
}

static struct tp_slice
time_text(double unix_s, double step, char buf[static BUF])
{
	time_t whole = (time_t)floor(unix_s);
	struct tm t;
	int n;

	if (!is_date(unix_s) || gmtime_r(&whole, &t) == NULL)
		n = snprintf(buf, BUF, "%.6g s", unix_s);
	else if (step >= DAY_S)
		n = (int)strftime(buf, BUF, "%Y-%m-%d", &t);
	else if (step >= MINUTE_S)
		n = (int)strftime(buf, BUF, "%H:%M", &t);
	else if (step >= 1)
		n = (int)strftime(buf, BUF, "%H:%M:%S", &t);
	else
		n = snprintf(
			buf, BUF, "%02d:%02d:%06.3f", t.tm_hour, t.tm_min, t.tm_sec + (unix_s - floor(unix_s)));
	return (struct tp_slice){buf, n < BUF ? (size_t)n : BUF - 1};
}

/* "440 ms", as exact as the step needs. */
static struct tp_slice
measure_text(const struct tp_x_axis *axis, double at, double step, char buf[static BUF])
{
	const double slack = 1e-6;
	char figure_buf[TP_VALUE_BUF];
	double factor;
	enum tp_unit unit = shown_unit(axis, &factor);
	int decimals = (int)fmax(0, ceil(-log10(step * factor) - slack));
	struct tp_slice figure =
		tp_value_fixed(tp_number(at * factor, unit), unit, decimals, figure_buf);
	int n = snprintf(buf, BUF, "%.*s\u202f%.*s", TP_ARG(figure), TP_ARG(tp_unit_symbol(unit)));

	return (struct tp_slice){buf, n < BUF ? (size_t)n : BUF - 1};
}

static struct tp_slice
tick_text(const struct tp_x_axis *axis, double at, double step, char buf[static BUF])
{
	if (axis->utc)
		return time_text(at, step, buf);
	return axis->unit != TP_UNIT_NONE ? measure_text(axis, at, step, buf)
									  : tp_value_text(tp_number(at, TP_UNIT_COUNT), buf);
}

static enum tp_anchor
anchor_of(const struct tp_canvas *canvas, double share, struct tp_slice text)
{
	double width_px = tp_canvas_least_px(canvas);
	double half_px = tp_label_width(text, TEXT_PX, 400) / 2 - OUTSIDE_PX;
	double least = fmin(fmax(half_px / width_px, end_share), .5);

	return share < least ? TP_ANCHOR_START : share > 1 - least ? TP_ANCHOR_END : TP_ANCHOR_MIDDLE;
}

static void
label(struct tp_canvas *canvas, double share, double y, bool wide, struct tp_slice text)
{
	TP_WRITE(canvas, .x = {share, 0}, .y = y, .anchor = anchor_of(canvas, share, text),
		.ink = TP_INK_INK3, .wide = wide, .text = text);
}

/* Whether a plot of that width has room for the label after those that end at *end_px; then it is the last of them. */
static bool
has_room(const struct tp_canvas *canvas, double plot_px, double share, struct tp_slice text,
	double *end_px)
{
	double width_px = tp_label_width(text, TEXT_PX, 400);
	enum tp_anchor anchor = anchor_of(canvas, share, text);
	double from_px = share * plot_px -
		(anchor == TP_ANCHOR_START        ? 0
				: anchor == TP_ANCHOR_END ? width_px
										  : width_px / 2);

	if (from_px < *end_px + GAP_PX)
		return false;
	*end_px = from_px + width_px;
	return true;
}

static double
share_of(const struct tp_x_axis *axis, double at)
{
	return (at - axis->low) / (axis->high - axis->low);
}

/* Every how many ticks there is a label, so that all labels have room. */
static size_t
label_stride(const struct tp_canvas *canvas, const struct tp_x_axis *axis, const double *at,
	size_t count, double step)
{
	size_t stride = 0;
	bool fit = false;

	while (!fit && ++stride < count) {
		double end_px = -INFINITY;
		char buf[TP_VALUE_BUF];

		fit = true;
		for (size_t i = 0; i < count && fit; i += stride)
			fit = has_room(canvas, canvas->width_px, share_of(axis, at[i]),
				tick_text(axis, at[i], step, buf), &end_px);
	}
	return stride;
}

/* "2019-03-04 14:33:20 UTC", and at the right how long it is until the end. */
static void
say_span(struct tp_canvas *canvas, const struct tp_x_axis *axis, double y)
{
	char buf[TP_VALUE_BUF], value[TP_VALUE_BUF], text[BUF + TP_VALUE_BUF];
	struct tp_slice length = tp_value_text(tp_number(axis->high - axis->low, TP_UNIT_S), value);
	int n = snprintf(text, sizeof text, "%.*s until the end", TP_ARG(length));

	if (is_date(axis->low))
		label(canvas, 0, y, false,
			tp_value_text(tp_integer((int64_t)(axis->low * 1e9), TP_UNIT_UNIX_NS), buf));
	label(canvas, 1, y, true, (struct tp_slice){text, (size_t)n});
}

void
tp_x_axis_draw(struct tp_canvas *canvas, const struct tp_x_axis *axis, double y)
{
	double at[TP_X_TICKS], step;
	size_t count = tp_x_axis_ticks(axis, at, &step);
	size_t stride = label_stride(canvas, axis, at, count, step);
	double end_px = -INFINITY;

	canvas->ops->line(
		canvas, (struct tp_x){0, 0}, y, (struct tp_x){1, 0}, y, TP_INK_LINE2, 1, false);
	for (size_t i = 0; i < count; i++) {
		double share = share_of(axis, at[i]);
		char buf[TP_VALUE_BUF];

		canvas->ops->line(canvas, (struct tp_x){share, 0}, y, (struct tp_x){share, 0}, y + TICK_PX,
			TP_INK_LINE2, 1, false);
		struct tp_slice text = tick_text(axis, at[i], step, buf);

		if (i % stride == 0)
			label(canvas, share, y + LABEL_Y_PX,
				!has_room(canvas, tp_canvas_least_px(canvas), share, text, &end_px), text);
	}
	if (axis->utc)
		say_span(canvas, axis, y + TITLE_Y_PX);
	else if (axis->title.len != 0)
		label(canvas, 0, y + TITLE_Y_PX, false, axis->title);
}
