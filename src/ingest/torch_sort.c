/* Merging the runs that are there: events of a lane come nearly in order. */
#include "ingest/torch_sort.h"

#include "base/arena.h"

#include <stdbool.h>
#include <string.h>

/* Events of a lane come nearly in order (in that of their ends, or some threads one after the other), so that merging the runs that
 * are there takes few rounds. Whether event b must stand before a; equal ones stay as they are. */
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

static bool
in_order(struct tp_torch_order c, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i + 1 < first + count; i++) {
		if (c.start_ps[i] > c.start_ps[i + 1] ||
			(c.start_ps[i] == c.start_ps[i + 1] && c.duration_ps[i] < c.duration_ps[i + 1]))
			return false;
	}
	return true;
}

void
tp_torch_sort(struct tp_torch_order all, uint32_t first, uint32_t count)
{
	if (in_order(all, first, count))
		return;
	struct tp_torch_order c = {
		.start_ps = all.start_ps + first,
		.duration_ps = all.duration_ps + first,
		.op = all.op + first,
		.detail = all.detail + first,
		.kind = all.kind + first,
	};
	struct tp_arena *scratch = tp_arena_new();
	uint32_t *p = tp_new_array(scratch, uint32_t, count);
	uint32_t *other = tp_new_array(scratch, uint32_t, count);
	int64_t *spare = tp_new_array(scratch, int64_t, count);

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
	tp_arena_free(scratch);
}
