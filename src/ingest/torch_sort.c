/* Events of a lane into order. They come nearly so (in order of their ends, or some threads one after the other), so that
 * merging the runs that are there takes few rounds. */
#include "ingest/torch_columns.h"

#include "base/arena.h"

struct place {
	int64_t start_ps, duration_ps;
	uint32_t event;
};

/* Whether b must stand before a; equal ones stay as they are. */
static inline bool
wrong(const struct place *a, const struct place *b)
{
	return a->start_ps != b->start_ps ? a->start_ps > b->start_ps : a->duration_ps < b->duration_ps;
}

static uint32_t
run_end(const struct place *p, uint32_t from, uint32_t count)
{
	for (from++; from < count && !wrong(&p[from - 1], &p[from]); from++)
		;
	return from;
}

static void
merge(const struct place *p, uint32_t from, uint32_t middle, uint32_t end, struct place *to)
{
	uint32_t left = from, right = middle;

	for (uint32_t i = from; i < end; i++) {
		bool take_right = left == middle || (right != end && wrong(&p[left], &p[right]));

		to[i] = take_right ? p[right++] : p[left++];
	}
}

/* One round: each two runs become one. Returns the number of runs left. */
static uint32_t
merge_runs(const struct place *p, uint32_t count, struct place *to)
{
	uint32_t runs = 0;

	for (uint32_t from = 0, end; from < count; from = end) {
		uint32_t middle = run_end(p, from, count);

		end = middle < count ? run_end(p, middle, count) : middle;
		merge(p, from, middle, end, to);
		runs++;
	}
	return runs;
}

static void
gather(void *column, size_t size, const struct place *p, uint32_t count, void *spare)
{
	for (uint32_t i = 0; i < count; i++)
		memcpy((char *)spare + i * size, (char *)column + p[i].event * size, size);
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
tp_torch_sort(struct tp_torch_order c, uint32_t first, uint32_t count)
{
	if (in_order(c, first, count))
		return;
	struct tp_arena *scratch = tp_arena_new();
	struct place *p = tp_new_array(scratch, struct place, count);
	struct place *other = tp_new_array(scratch, struct place, count);

	for (uint32_t i = 0; i < count; i++)
		p[i] = (struct place){c.start_ps[first + i], c.duration_ps[first + i], i};
	for (bool more = true; more;) {
		struct place *merged = other;

		more = merge_runs(p, count, merged) > 1;
		other = p;
		p = merged;
	}
	gather(c.op + first, sizeof *c.op, p, count, other);
	gather(c.detail + first, sizeof *c.detail, p, count, other);
	gather(c.kind + first, sizeof *c.kind, p, count, other);
	for (uint32_t i = 0; i < count; i++) {
		c.start_ps[first + i] = p[i].start_ps;
		c.duration_ps[first + i] = p[i].duration_ps;
	}
	tp_arena_free(scratch);
}
