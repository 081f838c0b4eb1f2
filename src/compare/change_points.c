/* Splitting a series where the energy distance between both sides is largest. */
#include "compare/change_points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/order.h"

enum { DRAWS = 999 };
static const double LEVEL = 0.01;

/* The best split of values[0 … count): its statistic, and the first value of the right side. */
struct split {
	double statistic;
	size_t at;
};

/* Sums of distances between the sides and within each follow from those of the split before, as one value changes side. */
static struct split
best_split(const double *values, size_t count)
{
	struct split best = {.statistic = -INFINITY};
	double between = 0, left = 0, right = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = i + 1; k < count; k++)
			right += fabs(values[i] - values[k]);
	}
	for (size_t n = 1; n < count; n++) {
		double to_left = 0, to_right = 0;

		for (size_t i = 0; i + 1 < n; i++)
			to_left += fabs(values[i] - values[n - 1]);
		for (size_t i = n; i < count; i++)
			to_right += fabs(values[i] - values[n - 1]);
		between += to_right - to_left;
		left += to_left;
		right -= to_right;
		if (n < TP_CHANGE_POINTS_LEAST_LEVEL || count - n < TP_CHANGE_POINTS_LEAST_LEVEL)
			continue;
		double a = (double)n, b = (double)(count - n);
		double statistic = a * b / (a + b) *
			(2 / (a * b) * between - 2 / (a * (a - 1)) * left - 2 / (b * (b - 1)) * right);

		if (statistic > best.statistic)
			best = (struct split){statistic, n};
	}
	return best;
}

/* xorshift64* (Vigna 2016): the same draws everywhere. */
static uint64_t
draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545F4914F6CDD1D;
}

/* How often a random order of the same values is split as well. */
static double
chance(const double *values, size_t count, double statistic, double *room)
{
	uint64_t state = 0x9E3779B97F4A7C15;
	size_t as_good = 0;

	memcpy(room, values, count * sizeof *room);
	for (size_t d = 0; d < DRAWS; d++) {
		for (size_t i = count - 1; i > 0; i--) {
			size_t k = draw(&state) % (i + 1);
			double value = room[i];

			room[i] = room[k];
			room[k] = value;
		}
		as_good += best_split(room, count).statistic >= statistic;
	}
	return ((double)as_good + 1) / (DRAWS + 1);
}

struct searching {
	const double *values;
	double *room;
	struct tp_change_point *points;
	size_t count;
};

static void
search(struct searching *s, size_t from, size_t to)
{
	size_t count = to - from;

	if (count < 2 * TP_CHANGE_POINTS_LEAST_LEVEL)
		return;
	struct split split = best_split(s->values + from, count);

	if (!(split.statistic > 0))
		return;
	double p = chance(s->values + from, count, split.statistic, s->room);

	if (p >= LEVEL)
		return;
	search(s, from, from + split.at);
	s->points[s->count++] = (struct tp_change_point){.at = from + split.at, .p = p};
	search(s, from + split.at, to);
}

static int
ascending(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static double
median(const double *values, size_t count, double *room)
{
	memcpy(room, values, count * sizeof *room);
	qsort(room, count, sizeof *room, ascending);
	return (room[(count - 1) / 2] + room[count / 2]) / 2;
}

size_t
tp_change_points(
	const double *values, size_t count, struct tp_arena *arena, struct tp_change_point **out)
{
	struct searching s = {.values = values,
		.room = tp_new_array(arena, double, count),
		.points = tp_new_array(arena, struct tp_change_point, count)};

	*out = s.points;
	if (count < TP_CHANGE_POINTS_LEAST_VALUES)
		return 0;
	search(&s, 0, count);
	for (size_t i = 0; i < s.count; i++) {
		size_t before = i == 0 ? 0 : s.points[i - 1].at;
		size_t after = i + 1 < s.count ? s.points[i + 1].at : count, at = s.points[i].at;

		s.points[i].before = median(values + before, at - before, s.room);
		s.points[i].after = median(values + at, after - at, s.room);
	}
	return s.count;
}
