/* Begins and ends → events: within each nest in order of time, those of one time as the file has them. */
#include "ingest/tracks_parts.h"

#include "base/order.h"

#include <stdlib.h>

TP_ORDER(by_nest, struct tp_draft_half, TP_UP(nest), TP_UP(at_ps), TP_UP(number));

static void
add_event(struct tp_draft_tracks *d, const struct tp_draft_half *begin, int64_t end_ps)
{
	int64_t duration_ps;

	/* From one end of all times to the other it is longer than they are far apart. */
	if (__builtin_sub_overflow(end_ps, begin->at_ps, &duration_ps) ||
		duration_ps > TP_TRACKS_LATEST_PS)
		duration_ps = TP_TRACKS_LATEST_PS;
	if (d->exact)
		((int64_t *)d->lengths.data)[begin->number] = duration_ps;
	TP_PUSH(&tp_draft_track_at(d, begin->track)->events, struct tp_draft_event, begin->at_ps,
		duration_ps, begin->op, false);
}

/* Which of those that are open an end is of: its name tells where it has one; SIZE_MAX: none. */
static size_t
meant(const struct tp_draft_tracks *d, const struct tp_draft_half *const *open, size_t count,
	const struct tp_draft_half *end)
{
	const struct tp_draft_op *ops = d->ops.data;

	for (size_t i = count; i-- > 0;) {
		if (end->op == TP_TRACKS_ANY || ops[open[i]->op].name == ops[end->op].name)
			return i;
	}
	return SIZE_MAX;
}

/* How deep an end looks for its begin, so that one without any does not look through all that are open. */
enum { MOST_LOOKED_AT = 1024 };

static void
join_end(struct tp_draft_tracks *d, struct tp_buf *stack, const struct tp_draft_half *end)
{
	const struct tp_draft_half **open = stack->data;
	size_t skipped = stack->count > MOST_LOOKED_AT ? stack->count - MOST_LOOKED_AT : 0;
	size_t at = meant(d, open + skipped, stack->count - skipped, end);

	if (at == SIZE_MAX) {
		d->no_begin++;
		return;
	}
	/* Those inside that have no end of their own end with it. */
	for (size_t i = skipped + at; i < stack->count; i++) {
		d->no_end += i != skipped + at;
		add_event(d, open[i], end->at_ps);
	}
	stack->count = skipped + at;
}

/* What never ends lasts to the end of the trace. */
static void
end_all(struct tp_draft_tracks *d, struct tp_buf *stack)
{
	const struct tp_draft_half **open = stack->data;

	for (size_t i = 0; i < stack->count; i++)
		add_event(d, open[i], d->last_ps);
	d->no_end += stack->count;
	stack->count = 0;
}

void
tp_tracks_join(struct tp_draft_tracks *d)
{
	struct tp_draft_half *halves = d->halves.data;
	struct tp_buf stack = {0}; /* const struct tp_draft_half * */

	if (d->exact)
		tp_buf_room(&d->lengths, d->halves.count, sizeof(int64_t));

	if (d->halves.count != 0)
		qsort(halves, d->halves.count, sizeof *halves, by_nest);
	for (size_t i = 0; i < d->halves.count; i++) {
		if (i != 0 && halves[i].nest != halves[i - 1].nest)
			end_all(d, &stack);
		if (halves[i].end)
			join_end(d, &stack, &halves[i]);
		else
			*tp_buf_new(&stack, const struct tp_draft_half *) = &halves[i];
	}
	end_all(d, &stack);
	tp_buf_free(&stack);
	tp_buf_free(&d->halves);
}
