/* Sums by operation over two spans of time. */
#include "analyze/steps/step_tally.h"

#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

struct tp_tally
tp_tally_new(struct tp_arena *scratch)
{
	struct tp_tally t = {.scratch = scratch};

	tp_map_init(&t.index, scratch);
	return t;
}

static void
add(struct tp_tally *t, uint32_t op, int step, double self_ps, bool counts)
{
	uint32_t at = tp_map_get(&t->index, op);

	if (at == TP_MAP_NONE) {
		at = (uint32_t)t->taken.count;
		tp_map_put(&t->index, op, at);
		*(struct tp_tally_row *)tp_buf_add(&t->taken, sizeof(struct tp_tally_row)) =
			(struct tp_tally_row){.op = op};
	}
	struct tp_tally_row *row = (struct tp_tally_row *)t->taken.data + at;

	row->self_ps[step] += self_ps;
	row->count[step] += counts;
}

void
tp_tally_ops(struct tp_tally *t, const struct tp_line *line, const int64_t *self_ps, int step,
	int64_t start_ps, int64_t end_ps)
{
	size_t first = TP_FIRST_WHERE(i, line->count, line->chip_start_ps[i] >= start_ps);

	for (size_t i = first; i < line->count && line->chip_start_ps[i] < end_ps; i++)
		add(t, line->op[i], step, (double)self_ps[i], true);
}

/* An event that others may be nested in, and how much of its time within the span they have taken. */
struct open_event {
	uint32_t op;
	int64_t end_ps;
	double own_ps;
	bool counts;
};

/* The time of a pool's thread outside all events says nothing about what it did. */
static void
close_event(struct tp_tally *t, const struct tp_profile *p, int step, const struct open_event *e)
{
	if (!tp_slice_starts(p->ops[e->op].name, TP_S("ThreadpoolListener::")))
		add(t, e->op, step, e->own_ps > 0 ? e->own_ps : 0, e->counts);
}

void
tp_tally_thread(struct tp_tally *t, const struct tp_profile *p, const struct tp_line *line,
	int step, int64_t start_ps, int64_t end_ps)
{
	struct tp_buf open = {0}; /* struct open_event */

	for (uint32_t i = 0; i < line->count && line->start_ps[i] < end_ps; i++) {
		int64_t end = line->start_ps[i] + line->duration_ps[i];

		if (end <= start_ps)
			continue;
		int64_t from = line->start_ps[i] > start_ps ? line->start_ps[i] : start_ps;
		int64_t to = end < end_ps ? end : end_ps;

		const struct open_event own = {
			line->op[i], end, (double)(to - from), line->start_ps[i] >= start_ps};
		struct open_event *stack = open.data;

		while (open.count != 0 && stack[open.count - 1].end_ps < end)
			close_event(t, p, step, &stack[--open.count]);
		if (open.count != 0)
			stack[open.count - 1].own_ps -= own.own_ps;
		*(struct open_event *)tp_buf_add(&open, sizeof own) = own;
	}
	while (open.count != 0)
		close_event(t, p, step, (struct open_event *)open.data + --open.count);
	tp_buf_free(&open);
}

static int
by_difference(const void *left, const void *right)
{
	const struct tp_tally_row *a = left, *b = right;
	double more_a = fabs(tp_tally_more_ps(a)), more_b = fabs(tp_tally_more_ps(b));

	if (more_a != more_b)
		return more_a > more_b ? -1 : 1;
	return a->op < b->op ? -1 : a->op > b->op;
}

void
tp_tally_sort(struct tp_tally *t)
{
	t->count = t->taken.count;
	t->rows = tp_buf_settle(&t->taken, sizeof *t->rows, t->scratch);
	if (t->count != 0)
		qsort(t->rows, t->count, sizeof *t->rows, by_difference);
}
