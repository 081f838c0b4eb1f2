/* Every line of a host, joined first by line, because most events are nested in others. */
#include "analyze/steps/step_hosts.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

struct looking {
	const struct tp_marking_host *h;
	const struct tp_interval *steps; /* in order of start */
	const int64_t *least_end_ps;     /* of that step and all later ones */
	size_t step_count;
	const uint8_t *op_is; /* of every operation, enum op_is */
};

enum op_is { OP_IS_WORK = 1 << 0, OP_MAY_COVER = 1 << 1 };

TP_ORDER(by_start, struct tp_interval, TP_UP(start_ps));

/* Whether a whole step lies within [start, end]. */
static bool
spans_a_step(const struct looking *w, int64_t start_ps, int64_t end_ps)
{
	size_t low = TP_FIRST_WHERE(i, w->step_count, w->steps[i].start_ps >= start_ps);

	return low < w->step_count && w->least_end_ps[low] <= end_ps;
}

/* There may be millions of events, of few operations. */
static const uint8_t *
look_at_ops(const struct tp_marking_host *h)
{
	uint8_t *is = tp_new_array(h->scratch, uint8_t, h->p->op_count);

	for (uint32_t i = 0; i < h->p->op_count && !h->has_device; i++) {
		const struct tp_op *op = &h->p->ops[i];
		bool python = tp_slice_starts(op->name, TP_S("$"));

		is[i] = op->xla ? OP_IS_WORK : 0;
		if (!h->ops[i].marker && !h->ops[i].wrapper && !python)
			is[i] |= OP_MAY_COVER;
	}
	return is;
}

/* Whether the event is a call that a window begins with; *at moves on with the events of the line. */
static bool
begins_window(const struct looking *w, const struct tp_line *line, uint32_t event, uint32_t *at)
{
	if (w->h->windows == NULL || line != &w->h->p->lines[w->h->windows->line])
		return false;
	while (*at < w->h->windows->count && w->h->windows->list[*at].event < event)
		(*at)++;
	return *at < w->h->windows->count && w->h->windows->list[*at].event == event;
}

/* Whether the last interval since `first` covers an event, which begins no earlier than all before it, up to its end. */
static bool
is_covered(const struct tp_buf *all, size_t first, int64_t end_ps)
{
	const struct tp_interval *list = all->data;

	return all->count > first && end_ps <= list[all->count - 1].end_ps;
}

/* Adds such an event; one that begins before the last interval ends goes into that. */
static void
add(struct tp_buf *all, size_t first, int64_t start_ps, int64_t end_ps)
{
	struct tp_interval *list = all->data;

	if (is_covered(all, first, end_ps))
		return;
	if (all->count == first || start_ps > list[all->count - 1].end_ps)
		TP_PUSH(all, struct tp_interval, start_ps, end_ps);
	else
		list[all->count - 1].end_ps = end_ps;
}

/* When events of a host ran: any that cover, and work. */
struct ran {
	struct tp_buf any, work; /* struct tp_interval */
};

/* Of millions of events most are of operations that cover nothing. */
static void
take_line(const struct looking *w, const struct tp_line *line, struct ran *ran)
{
	size_t first = ran->any.count, first_work = ran->work.count;
	bool stream = line->kind == TP_LINE_STREAM;
	uint32_t window = 0;
	uint64_t bits = stream ? UINT64_MAX : tp_op_column_bits(&line->ops, w->op_is);

	for (uint32_t i = tp_line_next(line, bits, 0); i < line->count;
		 i = tp_line_next(line, bits, i + 1)) {
		uint8_t is = w->op_is[tp_line_op(line, i)];

		if (is == 0 && !stream)
			continue;
		int64_t start = tp_line_start_ps(line, i), end = start + tp_line_duration_ps(line, i);
		bool work = stream || (is & OP_IS_WORK) != 0;

		if (end == start || begins_window(w, line, i, &window))
			continue;
		if (work)
			add(&ran->work, first_work, start, end);
		if (work || (!is_covered(&ran->any, first, end) && !spans_a_step(w, start, end)))
			add(&ran->any, first, start, end);
	}
}

struct tp_cover
tp_cover_united(struct tp_interval *intervals, size_t count, struct tp_arena *scratch)
{
	count = tp_intervals_unite(intervals, count);
	return tp_cover_of(intervals, count, tp_new_array(scratch, uint64_t, count));
}

static struct tp_cover
cover_of(struct tp_buf *all, struct tp_arena *scratch)
{
	size_t count = tp_intervals_unite(all->data, all->count);
	const struct tp_interval *united = tp_buf_give(all, count, sizeof *united, scratch);

	tp_buf_free(all);
	return tp_cover_of(united, count, tp_new_array(scratch, uint64_t, count));
}

struct tp_elsewhere
tp_what_ran(const struct tp_marking_host *h, struct tp_interval *steps, size_t count)
{
	int64_t *least_end_ps = tp_new_array(h->scratch, int64_t, count);
	const struct looking w = {h, steps, least_end_ps, count, look_at_ops(h)};
	struct ran ran = {{0}, {0}};

	if (count != 0)
		qsort(steps, count, sizeof *steps, by_start);
	for (size_t i = count; i-- > 0;)
		least_end_ps[i] =
			tp_earlier(steps[i].end_ps, i + 1 < count ? least_end_ps[i + 1] : INT64_MAX);
	for (uint32_t l = 0; l < h->p->line_count; l++) {
		const struct tp_line *line = &h->p->lines[l];

		if (line->host == h->host && (line->kind == TP_LINE_THREAD || line->kind == TP_LINE_STREAM))
			take_line(&w, line, &ran);
	}
	return (struct tp_elsewhere){
		.any = cover_of(&ran.any, h->scratch),
		.work = cover_of(&ran.work, h->scratch),
	};
}
