/* What a plain list of points would hold after a purge: packed ones (model/points.h) must hold the same. */
#ifndef TP_TESTS_PLAIN_POINTS_H
#define TP_TESTS_PLAIN_POINTS_H

#include "model/events.h"

#include <math.h>
#include <string.h>

/* Takes the points at this step or later from the list, and says when the latest of them was written; returns how many are
 * left. */
static inline size_t
plain_points_purge(struct tp_event_point *list, size_t count, int64_t step, double *latest_s)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (list[i].step < step)
			list[kept++] = list[i];
		else if (fabs(list[i].wall_s) < TP_LATEST_S)
			*latest_s = fmax(*latest_s, list[i].wall_s);
	}
	return kept;
}

/* Whether the packed points are those of the list, to the last bit: NaN has many. */
static inline bool
plain_points_same(const struct tp_points *points, const struct tp_event_point *list, size_t count)
{
	struct tp_points_walk w = tp_points_walk(points);
	struct tp_event_point p;

	for (size_t i = 0; i < count; i++) {
		if (!tp_points_next(&w, &p) || memcmp(&p, &list[i], sizeof p) != 0)
			return false;
	}
	return points->count == count && !tp_points_next(&w, &p) && !tp_points_next(&w, &p);
}

#endif
