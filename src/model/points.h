/* Points of a scalar over a run, in the order in which they were written, packed: each is kept as what it differs by from the one
 * before, which is four to eight bytes for most and never more than 30, and comes back as it was put, to the last bit. */
#ifndef TP_MODEL_POINTS_H
#define TP_MODEL_POINTS_H

#include "codec/pb_wire.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_points_piece;

/* A value of a tag, as it was written. */
struct tp_event_point {
	int64_t step;
	double wall_s; /* since 1970: perhaps not finite, or beyond TP_LATEST_S */
	double value;  /* NaN and infinite ones included */
};

/* Empty when zero. */
struct tp_points {
	struct tp_points_piece *first, *last;
	uint64_t count;
};

void tp_points_add(
	struct tp_points *points, const struct tp_event_point *point, struct tp_arena *arena);

/* What looking at points may cost. */
struct tp_points_work {
	uint64_t done, most; /* points and pieces; past most nothing more is begun */
};

/* Takes away the points at this step or later; returns how many. *latest_s: raised to when the latest of them was written, where it
 * is NaN or earlier; times beyond TP_LATEST_S are none. */
uint64_t tp_points_purge(struct tp_points *points, int64_t step, double *latest_s,
	struct tp_points_work *work, struct tp_arena *arena);

/* What the next point is told from. */
struct tp_points_state {
	uint64_t step, wall, wall_pace, value; /* as bits */
};

/* A walk over points, which must not change meanwhile. */
struct tp_points_walk {
	const struct tp_points_piece *piece; /* NULL: at the end */
	uint32_t left;                       /* of the piece */
	struct tp_pb bytes;
	struct tp_points_state state;
};
struct tp_points_walk tp_points_walk(const struct tp_points *points);
bool tp_points_next(struct tp_points_walk *walk, struct tp_event_point *point);

#endif
