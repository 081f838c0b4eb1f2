/* The small curve of a tile: scaled from its least to its greatest value, a dot where it is farthest from usual. */
#include "chart/chart.h"

#include <math.h>
#include <stdlib.h>

#include "chart/canvas.h"

enum {
	MOST_POINTS =
		240, /* more cannot be seen: each pair of points then keeps the least and greatest of its stretch */
	MARGIN_TENTHS_PX = 15,
};

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

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

static size_t
farthest_from_median(const double *shown, size_t count)
{
	double sorted[MOST_POINTS];
	double median;
	size_t farthest = 0;

	for (size_t i = 0; i < count; i++)
		sorted[i] = shown[i];
	qsort(sorted, count, sizeof sorted[0], compare);
	median = sorted[count / 2];
	for (size_t i = 1; i < count; i++)
		if (fabs(shown[i] - median) > fabs(shown[farthest] - median))
			farthest = i;
	return farthest;
}

void
tp_spark_draw(const double *values, size_t count, struct tp_canvas *canvas)
{
	size_t picked[MOST_POINTS];
	double shown[MOST_POINTS], xs[MOST_POINTS], ys[MOST_POINTS];
	double margin = MARGIN_TENTHS_PX / 10.0;
	double least = INFINITY, most = -INFINITY;
	struct tp_x left = {0, 0}, right = {1, 0};
	size_t points, far;

	if (count < 2) {
		canvas->ops->line(canvas, left, TP_SPARK_HEIGHT_PX - 0.5, right, TP_SPARK_HEIGHT_PX - 0.5,
			TP_INK_LINE, 1, false);
		return;
	}
	points = pick_points(values, count, picked);
	for (size_t i = 0; i < points; i++) {
		shown[i] = values[picked[i]];
		xs[i] = (double)picked[i] / (double)(count - 1);
		least = fmin(least, shown[i]);
		most = fmax(most, shown[i]);
	}
	for (size_t i = 0; i < points; i++) {
		double height = most > least ? (shown[i] - least) / (most - least) : 0.5;

		ys[i] = TP_SPARK_HEIGHT_PX - margin - height * (TP_SPARK_HEIGHT_PX - 2 * margin);
	}
	canvas->ops->curve(
		canvas, left, right, xs, ys, points, false, TP_SPARK_HEIGHT_PX, TP_INK_INK2, 1.25);
	if (!(most > least))
		return;
	far = farthest_from_median(shown, points);
	canvas->ops->dot(canvas, (struct tp_x){xs[far], 0}, ys[far], 2, TP_INK_INK);
}
