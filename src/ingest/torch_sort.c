/* Events of a lane come nearly in order: in that of their ends, or slice after slice. What is in its place already stays there, and
 * between such stretches the runs that are there are merged, which takes few rounds. */
#include "ingest/torch_sort.h"

#include "base/buf.h"
#include "base/order.h"

#include <stdbool.h>
#include <string.h>

/* Whether event b must stand before a; equal ones stay as they are. */
static inline bool
wrong(const struct tp_torch_order *c, uint32_t a, uint32_t b)
{
	return c->start_ps[a] != c->start_ps[b] ? c->start_ps[a] > c->start_ps[b]
											: c->duration_ps[a] < c->duration_ps[b];
}

static uint32_t
run_end(const struct tp_torch_order *c, const uint32_t *p, uint32_t from, uint32_t count)
{
	for (from++; from < count && !wrong(c, p[from - 1], p[from]); from++)
		;
	return from;
}

static void
merge(const struct tp_torch_order *c, const uint32_t *p, uint32_t from, uint32_t middle,
	uint32_t end, uint32_t *to)
{
	uint32_t left = from, right = middle;

	for (uint32_t i = from; i < end; i++) {
		bool take_right = left == middle || (right != end && wrong(c, p[left], p[right]));

		to[i] = take_right ? p[right++] : p[left++];
	}
}

/* One round: each two runs become one. Returns the number of runs left. */
static uint32_t
merge_runs(const struct tp_torch_order *c, const uint32_t *p, uint32_t count, uint32_t *to)
{
	uint32_t runs = 0;

	for (uint32_t from = 0, end; from < count; from = end) {
		uint32_t middle = run_end(c, p, from, count);

		end = middle < count ? run_end(c, p, middle, count) : middle;
		merge(c, p, from, middle, end, to);
		runs++;
	}
	return runs;
}

static void
gather(void *column, size_t size, const uint32_t *p, uint32_t count, void *spare)
{
	for (uint32_t i = 0; i < count; i++)
		memcpy((char *)spare + i * size, (char *)column + p[i] * size, size);
	memcpy(column, spare, count * size);
}

/* Room for what is merged. */
struct room {
	struct tp_buf numbers, others, spare;
};

static void
merge_all(const struct tp_torch_order *all, uint32_t first, uint32_t count, struct room *room)
{
	struct tp_torch_order c = {
		.start_ps = all->start_ps + first,
		.duration_ps = all->duration_ps + first,
		.op = all->op + first,
		.detail = all->detail + first,
		.kind = all->kind + first,
	};
	uint32_t *p = tp_buf_room(&room->numbers, count, sizeof *p);
	uint32_t *other = tp_buf_room(&room->others, count, sizeof *other);
	int64_t *spare = tp_buf_room(&room->spare, count, sizeof *spare);

	for (uint32_t i = 0; i < count; i++)
		p[i] = i;
	for (bool more = true; more;) {
		uint32_t *merged = other;

		more = merge_runs(&c, p, count, merged) > 1;
		other = p;
		p = merged;
	}
	gather(c.op, sizeof *c.op, p, count, spare);
	gather(c.detail, sizeof *c.detail, p, count, spare);
	gather(c.kind, sizeof *c.kind, p, count, spare);
	gather(c.start_ps, sizeof *c.start_ps, p, count, spare);
	gather(c.duration_ps, sizeof *c.duration_ps, p, count, spare);
}

/* Events in order, up to one that must stand before the last of them. */
struct run {
	uint32_t first;
	uint32_t least; /* of the events from here on, in this run or a later one */
};

static void
find_runs(const struct tp_torch_order *c, uint32_t first, uint32_t end, struct tp_buf *runs)
{
	for (uint32_t i = first; i < end; i++) {
		if (i == first || wrong(c, i - 1, i))
			TP_PUSH(runs, struct run, .first = i, .least = i);
	}
	struct run *all = runs->data;

	for (size_t k = runs->count; k-- > 1;) {
		if (wrong(c, all[k - 1].least, all[k].least))
			all[k - 1].least = all[k].least;
	}
}

void
tp_torch_sort(struct tp_torch_order c, uint32_t first, uint32_t count)
{
	struct tp_buf found = {0};
	struct room room = {{0}, {0}, {0}};
	uint32_t end = first + count, from = first, most = first;

	find_runs(&c, first, end, &found);
	const struct run *runs = found.data;

	/* Of a run those are in their place that no event before it must follow, and none behind it precede. */
	for (size_t k = 0; k < found.count; k++) {
		bool last = k + 1 == found.count;
		uint32_t begin = runs[k].first, size = (last ? end : runs[k + 1].first) - begin;
		uint32_t in_place = begin +
			(k == 0 ? 0 : (uint32_t)TP_FIRST_WHERE(i, size, !wrong(&c, most, begin + (uint32_t)i)));
		uint32_t after = begin +
			(last ? size
				  : (uint32_t)TP_FIRST_WHERE(
						i, size, wrong(&c, begin + (uint32_t)i, runs[k + 1].least)));

		if (k == 0 || !wrong(&c, most, begin + size - 1))
			most = begin + size - 1;
		if (in_place >= after)
			continue;
		if (in_place > from)
			merge_all(&c, from, in_place - from, &room);
		from = after;
	}
	if (from < end)
		merge_all(&c, from, end - from, &room);
	tp_buf_free(&found);
	tp_buf_free(&room.numbers);
	tp_buf_free(&room.others);
	tp_buf_free(&room.spare);
}
