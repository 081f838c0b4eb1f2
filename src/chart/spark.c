/* The small curve of a tile: scaled from its least to its greatest value, but never so far that a spread which does not matter
 * looks like one that does; a dot where it is worst, as the tile's note says, or farthest from usual. */
#include "chart/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "chart/canvas.h"

enum {
	MOST_POINTS =
		240, /* more cannot be seen: each pair of points then keeps the least and greatest of its interval */
	MARGIN_TENTHS_PX = 15,
};

/* Of the largest value: the least that the whole height stands for, and the least spread that has an odd one out. */
static const double full_height_share = 0.10, odd_share = 0.02;

TP_ORDER(least_first, double, (*a > *b) - (*a < *b));

/* The curve's points: index of each in values. Returns how many. */
static size_t
pick_points(const double *values, size_t count, size_t picked[static MOST_POINTS])
{
	if (count <= MOST_POINTS) {
		for (size_t i = 0; i < count; i++)
			picked[i] = i;
		return count;
	}
	for (size_t bin = 0; bin < MOST_POINTS / 2; bin++) {
		size_t from = bin * count / (MOST_POINTS / 2);
		size_t to = (bin + 1) * count / (MOST_POINTS / 2);
		size_t least = from, most = from;

		for (size_t i = from; i < to; i++) {
			if (values[i] < values[least])
				least = i;
			if (values[i] > values[most])
				most = i;
		}
		picked[2 * bin] = least < most ? least : most;
		picked[2 * bin + 1] = least < most ? most : least;
	}
	return MOST_POINTS;
}

/* The values that are drawn. */
struct curve {
	size_t picked[MOST_POINTS], count, dot;
	double shown[MOST_POINTS], least, most, median;
};

static double
largest(const struct curve *c)
{
	return fmax(fabs(c->least), fabs(c->most));
}

static bool
has_odd_one(const struct curve *c)
{
	return c->most > c->least && c->most - c->least >= odd_share * largest(c);
}

/* How much a point deserves the dot. */
static double
oddness(const struct curve *c, size_t i, enum tp_direction better)
{
	double above = c->shown[i] - c->median;

	return better == TP_LOWER_IS_BETTER ? above
		: better == TP_HIGHER_IS_BETTER ? -above
										: fabs(above);
}

static void
read_curve(const double *values, size_t count, enum tp_direction better, struct curve *c)
{
	double sorted[MOST_POINTS];

	c->count = pick_points(values, count, c->picked);
	c->least = INFINITY;
	c->most = -INFINITY;
	c->dot = 0;
	for (size_t i = 0; i < c->count; i++) {
		c->shown[i] = sorted[i] = values[c->picked[i]];
		c->least = fmin(c->least, c->shown[i]);
		c->most = fmax(c->most, c->shown[i]);
	}
	qsort(sorted, c->count, sizeof sorted[0], least_first);
	c->median = sorted[c->count / 2];
	for (size_t i = 1; i < c->count; i++)
		if (oddness(c, i, better) > oddness(c, c->dot, better))
			c->dot = i;
}

struct tp_slice
tp_spark_words(const double *values, size_t count, enum tp_direction better,
	char buf[static TP_SPARK_WORDS_BUF])
{
	static const char *const dots[] = {[TP_NO_DIRECTION] = "farthest from the median",
		[TP_LOWER_IS_BETTER] = "the highest",
		[TP_HIGHER_IS_BETTER] = "the lowest"};
	struct curve c;
	int n;

	if (count < 2)
		return (struct tp_slice){buf, 0};
	read_curve(values, count, better, &c);
	if (!has_odd_one(&c))
		n = snprintf(
			buf, TP_SPARK_WORDS_BUF, "Curve over %zu points that differ by less than 2 %%.", count);
	else if (c.median > 0)
		n = snprintf(buf, TP_SPARK_WORDS_BUF,
			"Curve over %zu points; the dot is %s: point %zu, %.3g %% %s %s.", count, dots[better],
			c.picked[c.dot] + 1, 100 * fabs(c.shown[c.dot] - c.median) / c.median,
			c.shown[c.dot] > c.median ? "above" : "below",
			better == TP_NO_DIRECTION ? "it" : "the median");
	else
		n = snprintf(buf, TP_SPARK_WORDS_BUF, "Curve over %zu points; the dot is %s: point %zu.",
			count, dots[better], c.picked[c.dot] + 1);
	return (struct tp_slice){buf, (size_t)n};
}

void
tp_spark_draw(
	const double *values, size_t count, enum tp_direction better, struct tp_canvas *canvas)
{
	double xs[MOST_POINTS], ys[MOST_POINTS];
	double margin = MARGIN_TENTHS_PX / 10.0;
	struct tp_x left = {0, 0}, right = {1, 0};
	struct curve c;

	if (count < 2) {
		canvas->ops->line(canvas, left, TP_SPARK_HEIGHT_PX - 0.5, right, TP_SPARK_HEIGHT_PX - 0.5,
			TP_INK_LINE, 1, false);
		return;
	}
	read_curve(values, count, better, &c);
	double range = fmax(c.most - c.least, full_height_share * largest(&c));

	for (size_t i = 0; i < c.count; i++) {
		double from_middle = range > 0 ? (c.shown[i] - (c.least + c.most) / 2) / range : 0;

		xs[i] = (double)c.picked[i] / (double)(count - 1);
		ys[i] = TP_SPARK_HEIGHT_PX / 2.0 - from_middle * (TP_SPARK_HEIGHT_PX - 2 * margin);
	}
	canvas->ops->curve(
		canvas, left, right, xs, ys, c.count, false, TP_SPARK_HEIGHT_PX, TP_INK_INK2, 1.25);
	if (has_odd_one(&c))
		canvas->ops->dot(canvas, (struct tp_x){xs[c.dot], 0}, ys[c.dot], 2, TP_INK_INK);
}
