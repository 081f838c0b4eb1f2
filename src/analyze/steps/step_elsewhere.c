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

static bool
covers(const struct looking *w, const struct tp_line *line, uint32_t event, int64_t end_ps,
	bool work_only)
{
	uint8_t is = w->op_is[tp_line_op(line, event)];

	if (line->kind == TP_LINE_STREAM || (is & OP_IS_WORK) != 0)
		return true;
	return !work_only && (is & OP_MAY_COVER) != 0 &&
		!spans_a_step(w, tp_line_start_ps(line, event), end_ps);
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

/* Adds to `all` when events of the line ran: work only, or any. They come in order of start, and one that begins before the
 * last interval ends goes into that. */
static void
take_line(const struct looking *w, const struct tp_line *line, bool work_only, struct tp_buf *all)
{
	size_t first = all->count;
	uint32_t window = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t start = tp_line_start_ps(line, i), end = start + tp_line_duration_ps(line, i);
		struct tp_interval *last =
			all->count > first ? (struct tp_interval *)all->data + all->count - 1 : NULL;

		if (end == start || (last != NULL && end <= last->end_ps) ||
			begins_window(w, line, i, &window) || !covers(w, line, i, end, work_only))
			continue;
		if (last == NULL || start > last->end_ps)
			TP_PUSH(all, struct tp_interval, start, end);
		else
			last->end_ps = end;
	}
}

struct tp_cover
tp_cover_united(struct tp_interval *intervals, size_t count, struct tp_arena *scratch)
{
	count = tp_intervals_unite(intervals, count);
	return tp_cover_of(intervals, count, tp_new_array(scratch, uint64_t, count));
}

static struct tp_cover
cover(const struct looking *w, bool work_only)
{
	struct tp_arena *scratch = w->h->scratch;
	struct tp_buf all = {0};

	for (uint32_t l = 0; l < w->h->p->line_count; l++) {
		const struct tp_line *line = &w->h->p->lines[l];

		if (line->host == w->h->host &&
			(line->kind == TP_LINE_THREAD || line->kind == TP_LINE_STREAM))
			take_line(w, line, work_only, &all);
	}
	size_t count = tp_intervals_unite(all.data, all.count);
	const struct tp_interval *united = tp_buf_give(&all, count, sizeof *united, scratch);

	tp_buf_free(&all);
	return tp_cover_of(united, count, tp_new_array(scratch, uint64_t, count));
}

struct tp_elsewhere
tp_what_ran(const struct tp_marking_host *h, struct tp_interval *steps, size_t count)
{
	int64_t *least_end_ps = tp_new_array(h->scratch, int64_t, count);
	const struct looking w = {h, steps, least_end_ps, count, look_at_ops(h)};
	struct tp_elsewhere out;

	if (count != 0)
		qsort(steps, count, sizeof *steps, by_start);
	for (size_t i = count; i-- > 0;)
		least_end_ps[i] =
			tp_earlier(steps[i].end_ps, i + 1 < count ? least_end_ps[i + 1] : INT64_MAX);
	out.any = cover(&w, false);
	out.work = cover(&w, true);
	return out;
}
