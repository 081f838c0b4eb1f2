/* Flows of all events that are worked out, not told by the events themselves: from forward operators to backward ones, from the start of
 * an asynchronous operation to its end, from sends to receives, from a host's infeed to its cores. The same as the page's arrows. */
#include "analyze/timeline/run_events.h"

#include "analyze/timeline/flows.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

TP_ORDER(by_event, struct tp_run_link_end, TP_UP(track), TP_UP(event), TP_UP(kind), TP_UP(pair),
	TP_UP(leaves));

/* The lines as flows are looked for in; all events count. */
static struct tp_timeline_found
found_lines(const struct tp_pass_ctx *ctx, const struct tp_run_of *of, size_t tracks)
{
	struct tp_timeline_found t = {.profile = ctx->profile, .line_count = tracks};

	t.lines = tp_new_array(ctx->scratch, struct tp_timeline_line, tracks);
	for (size_t i = 0; i < tracks; i++)
		t.lines[i] = (struct tp_timeline_line){
			.line = of->lines[i].line, .number = of->lines[i].number, .whole = true};
	return t;
}

static void
add_ends(struct tp_buf *ends, const struct tp_buf *pairs, enum tp_flow_kind kind)
{
	const struct tp_flow_pair *pair = pairs->data;

	for (size_t i = 0; i < pairs->count && i <= UINT32_MAX; i++) {
		TP_PUSH(ends, struct tp_run_link_end, pair[i].from.line, pair[i].from.event, (uint32_t)i,
			(uint8_t)kind, true);
		TP_PUSH(ends, struct tp_run_link_end, pair[i].to.line, pair[i].to.event, (uint32_t)i,
			(uint8_t)kind, false);
	}
}

void
tp_run_find_links(const struct tp_pass_ctx *ctx, struct tp_run_of *of, size_t tracks)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_timeline_found t = found_lines(ctx, of, tracks);
	uint32_t *place_of_line = tp_new_array(ctx->scratch, uint32_t, p->line_count);
	struct tp_flows f = {.ctx = ctx, .t = &t, .place_of_line = place_of_line};
	size_t *from = tp_new_array(ctx->keep, size_t, tracks + 1);
	struct tp_buf ends = {0};

	for (uint32_t i = 0; i < p->line_count; i++)
		place_of_line[i] = TP_NONE;
	for (size_t i = 0; i < tracks; i++)
		place_of_line[of->lines[i].number] = (uint32_t)i;
	if (p->torch != NULL)
		tp_flows_backward(&f);
	else
		tp_flows_worked_out(&f);
	for (int kind = 0; kind < TP_FLOW_KINDS; kind++) {
		add_ends(&ends, &f.pairs[kind], (enum tp_flow_kind)kind);
		tp_buf_free(&f.pairs[kind]);
	}
	if (ends.count != 0)
		qsort(ends.data, ends.count, sizeof(struct tp_run_link_end), by_event);
	for (size_t i = 0, at = 0; i <= tracks; i++) {
		const struct tp_run_link_end *end = ends.data;

		while (at < ends.count && end[at].track < i)
			at++;
		from[i] = at;
	}
	of->links_from = from;
	of->links = tp_buf_settle(&ends, sizeof(struct tp_run_link_end), ctx->keep);
}
