/* Packed points: pieces that double in size up to a limit, each readable by itself. A point is three varints: how far the step
 * goes, by how much more or less than before the wall time goes, and by how much the value's bits change. Times and values are
 * told apart as whole numbers, so nothing is rounded. */
#include "model/points.h"

#include "base/arena.h"
#include "model/events.h"

#include <math.h>
#include <string.h>

enum { FIRST_BYTES = 64, MOST_BYTES = 4096, LARGEST_POINT = 30 };

struct tp_points_piece {
	struct tp_points_piece *next;
	int64_t most_step; /* none of its points is later */
	struct tp_points_state state;
	uint32_t count;
	uint16_t used, size; /* of bytes */
	uint8_t bytes[];
};

static uint64_t
bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof bits);
	return bits;
}

static double
of_bits(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

/* The last 29 bits of a number that was once a float are zero: in front they cost nothing. */
static uint64_t
value_bits(double value)
{
	uint64_t bits = bits_of(value);

	return bits >> 29 | bits << 35;
}

static double
value_of(uint64_t bits)
{
	return of_bits(bits << 29 | bits >> 35);
}

/* Differences go both ways, and wrap. */
static uint64_t
zigzag(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t
unzigzag(uint64_t number)
{
	return number >> 1 ^ (0 - (number & 1));
}

static uint8_t *
put_varint(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

static void
empty(struct tp_points_piece *p)
{
	p->most_step = INT64_MIN;
	p->state = (struct tp_points_state){0};
	p->count = 0;
	p->used = 0;
}

/* Behind a first point, which differs from nothing, times have no pace yet. */
static void
advance(struct tp_points_state *s, uint64_t step, uint64_t wall, uint64_t value)
{
	*s = (struct tp_points_state){step, wall, s->wall != 0 ? wall - s->wall : 0, value};
}

/* Whether there was room. */
static bool
put(struct tp_points_piece *p, const struct tp_event_point *point)
{
	const struct tp_points_state *s = &p->state;
	uint64_t step = (uint64_t)point->step, wall = bits_of(point->wall_s),
			 value = value_bits(point->value);
	uint8_t *at = p->bytes + p->used;

	if (p->size - p->used < LARGEST_POINT)
		return false;
	at = put_varint(at, zigzag(step - s->step));
	at = put_varint(at, zigzag(wall - s->wall - s->wall_pace));
	at = put_varint(at, zigzag(value - s->value));
	advance(&p->state, step, wall, value);
	p->used = (uint16_t)(at - p->bytes);
	p->count++;
	p->most_step = point->step > p->most_step ? point->step : p->most_step;
	return true;
}

/* A new piece behind another, or the first. */
static struct tp_points_piece *
new_piece(struct tp_points *points, struct tp_points_piece *before, struct tp_arena *arena)
{
	uint32_t size = before == NULL  ? FIRST_BYTES
		: before->size < MOST_BYTES ? 2u * before->size
									: MOST_BYTES;
	struct tp_points_piece *p = tp_arena_alloc(arena, sizeof *p + size);
	struct tp_points_piece **link = before != NULL ? &before->next : &points->first;

	p->size = (uint16_t)size;
	empty(p);
	p->next = *link;
	return *link = p;
}

void
tp_points_add(struct tp_points *points, const struct tp_event_point *point, struct tp_arena *arena)
{
	if (points->last == NULL)
		points->last = new_piece(points, NULL, arena);
	if (!put(points->last, point)) {
		/* Behind the last there may be one that a purge has emptied. */
		points->last = points->last->next != NULL ? points->last->next
												  : new_piece(points, points->last, arena);
		put(points->last, point);
	}
	points->count++;
}

static struct tp_points_walk
walk_piece(const struct tp_points_piece *p)
{
	return (struct tp_points_walk){
		.piece = p,
		.left = p->count,
		.bytes = {.at = p->bytes, .end = p->bytes + p->used},
	};
}

struct tp_points_walk
tp_points_walk(const struct tp_points *points)
{
	return points->first != NULL ? walk_piece(points->first)
								 : (struct tp_points_walk){.piece = NULL};
}

static uint64_t
next_difference(struct tp_pb *bytes)
{
	uint64_t number = 0;

	(void)tp_pb_varint(bytes, &number);
	return unzigzag(number);
}

/* The next point of the piece, which has one. */
static void
take(struct tp_points_walk *w, struct tp_event_point *point)
{
	uint64_t step = next_difference(&w->bytes), pace = next_difference(&w->bytes),
			 value = next_difference(&w->bytes);

	advance(&w->state, w->state.step + step, w->state.wall + w->state.wall_pace + pace,
		w->state.value + value);
	*point = (struct tp_event_point){
		.step = (int64_t)w->state.step,
		.wall_s = of_bits(w->state.wall),
		.value = value_of(w->state.value),
	};
	w->left--;
}

bool
tp_points_next(struct tp_points_walk *w, struct tp_event_point *point)
{
	while (w->left == 0) {
		if (w->piece == NULL || w->piece->next == NULL)
			return false;
		*w = walk_piece(w->piece->next);
	}
	take(w, point);
	return true;
}

/* Rewrites a piece without the points at this step or later; what differs by more then may need a piece more. */
static uint64_t
purge_piece(struct tp_points *points, struct tp_points_piece *p, int64_t step, double *latest_s,
	struct tp_arena *arena)
{
	uint8_t packed[MOST_BYTES];
	struct tp_points_walk w = walk_piece(p);
	struct tp_event_point point;
	uint64_t purged = 0;

	memcpy(packed, p->bytes, p->used);
	w.bytes = (struct tp_pb){.at = packed, .end = packed + p->used};
	empty(p);
	while (w.left != 0) {
		take(&w, &point);
		if (point.step >= step) {
			if (fabs(point.wall_s) < TP_LATEST_S)
				*latest_s = fmax(*latest_s, point.wall_s);
			purged++;
		} else if (!put(p, &point)) {
			p = new_piece(points, p, arena);
			put(p, &point);
		}
	}
	return purged;
}

uint64_t
tp_points_purge(struct tp_points *points, int64_t step, double *latest_s,
	struct tp_points_work *work, struct tp_arena *arena)
{
	uint64_t purged = 0;

	for (struct tp_points_piece *p = points->first; p != NULL && work->done <= work->most;
		 p = p->next) {
		work->done++;
		if (p->count == 0 || p->most_step < step)
			continue;
		work->done += p->count;
		purged += purge_piece(points, p, step, latest_s, arena);
	}
	/* Points go on behind the last that is left. */
	for (struct tp_points_piece *p = points->first; purged != 0 && p != NULL; p = p->next) {
		if (p == points->first || p->count != 0)
			points->last = p;
	}
	points->count -= purged;
	return purged;
}
