/* Any bytes as points that are added, many at a time, and purged by restarts: packed they are what a plain list of them would
 * be. */
#include "base/arena.h"
#include "codec/pb_wire.h"
#include "plain_points.h"

#include <stdlib.h>

enum { MOST_POINTS = 1 << 15 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct both {
	struct tp_points packed;
	struct tp_event_point *list;
	size_t count;
	struct tp_arena *arena;
};

/* The next number, as the bytes have it: a varint, or eight bytes as they lie. */
static uint64_t
number(struct tp_pb *bytes, bool whole)
{
	uint64_t n = 0;

	if (!whole) {
		(void)tp_pb_varint(bytes, &n);
		return n;
	}
	size_t left = (size_t)(bytes->end - bytes->at), size = left < sizeof n ? left : sizeof n;

	if (size != 0)
		memcpy(&n, bytes->at, size);
	bytes->at += size;
	return n;
}

static double
of_bits(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

/* Points one as far behind the other as the bytes say. */
static void
add(struct both *b, struct tp_pb *bytes, uint8_t kind)
{
	bool whole = kind & 8;
	uint64_t step = number(bytes, whole), wall = number(bytes, whole), value = number(bytes, whole),
			 step_pace = number(bytes, whole), wall_pace = number(bytes, whole),
			 count = 1 + number(bytes, false) % 2048;

	for (; count != 0 && b->count < MOST_POINTS; count--) {
		struct tp_event_point *p = &b->list[b->count++];

		*p = (struct tp_event_point){(int64_t)step, kind & 4 ? (double)wall : of_bits(wall),
			kind & 2 ? (double)(float)value : of_bits(value)};
		tp_points_add(&b->packed, p, b->arena);
		step += step_pace;
		wall += wall_pace;
		value = value * 6364136223846793005u + 1;
	}
}

static bool
same_time(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void
purge(struct both *b, int64_t step)
{
	struct tp_points_work work = {0, UINT64_MAX};
	double latest_s = NAN, plain_latest_s = NAN;
	size_t kept = plain_points_purge(b->list, b->count, step, &plain_latest_s);
	uint64_t purged = tp_points_purge(&b->packed, step, &latest_s, &work, b->arena);

	if (purged != b->count - kept || !same_time(latest_s, plain_latest_s))
		abort();
	b->count = kept;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_pb bytes = tp_pb_open((struct tp_slice){(const char *)data, size});
	struct both b = {.arena = tp_arena_new()};

	b.list = malloc(MOST_POINTS * sizeof *b.list);
	while (bytes.at != bytes.end && bytes.state == TP_PB_MORE) {
		uint8_t kind = *bytes.at++;

		if (kind % 2 == 0)
			add(&b, &bytes, kind);
		else
			purge(&b, (int64_t)number(&bytes, kind & 8));
		if (!plain_points_same(&b.packed, b.list, b.count))
			abort();
	}
	free(b.list);
	tp_arena_free(b.arena);
	return 0;
}
