/* Sums by operation over two spans of time. */
#include "analyze/steps/step_tally.h"

#include "base/arena.h"
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

static struct tp_tally_row *
row_of(struct tp_tally *t, uint32_t op)
{
	uint32_t at = tp_map_get(&t->index, op);

	if (at != TP_MAP_NONE)
		return &t->rows[at];
	if (t->count == t->capacity) {
		size_t capacity = t->capacity != 0 ? 2 * t->capacity : 64;
		struct tp_tally_row *rows = tp_new_array(t->scratch, struct tp_tally_row, capacity);

		if (t->count != 0)
			memcpy(rows, t->rows, t->count * sizeof *rows);
		t->rows = rows;
		t->capacity = capacity;
	}
	tp_map_put(&t->index, op, (uint32_t)t->count);
	t->rows[t->count] = (struct tp_tally_row){.op = op};
	return &t->rows[t->count++];
}

static void
add(struct tp_tally *t, uint32_t op, int step, double self_ps, bool counts)
{
	struct tp_tally_row *row = row_of(t, op);

	row->self_ps[step] += self_ps;
	row->count[step] += counts;
}

/* The first event that begins at this time or later. */
static uint32_t
first_from(const int64_t *start_ps, uint32_t count, int64_t from_ps)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (start_ps[middle] < from_ps)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
tp_tally_ops(struct tp_tally *t, const struct tp_line *line, const int64_t *self_ps, int step,
	int64_t start_ps, int64_t end_ps)
{
	for (uint32_t i = first_from(line->chip_start_ps, line->count, start_ps);
		 i < line->count && line->chip_start_ps[i] < end_ps; i++)
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
	struct open_event *stack = NULL;
	size_t depth = 0, room = 0;

	for (uint32_t i = 0; i < line->count && line->start_ps[i] < end_ps; i++) {
		int64_t end = line->start_ps[i] + line->duration_ps[i];

		if (end <= start_ps)
			continue;
		if (depth == room) { /* deeper than ever before */
			struct open_event *more =
				tp_new_array(t->scratch, struct open_event, room != 0 ? 2 * room : 64);

			if (depth != 0)
				memcpy(more, stack, depth * sizeof *more);
			stack = more;
			room = room != 0 ? 2 * room : 64;
		}
		int64_t from = line->start_ps[i] > start_ps ? line->start_ps[i] : start_ps;
		int64_t to = end < end_ps ? end : end_ps;

		while (depth != 0 && stack[depth - 1].end_ps < end)
			close_event(t, p, step, &stack[--depth]);
		if (depth != 0)
			stack[depth - 1].own_ps -= (double)(to - from);
		stack[depth++] = (struct open_event){
			line->op[i], end, (double)(to - from), line->start_ps[i] >= start_ps};
	}
	while (depth != 0)
		close_event(t, p, step, &stack[--depth]);
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
	if (t->count != 0)
		qsort(t->rows, t->count, sizeof *t->rows, by_difference);
}
