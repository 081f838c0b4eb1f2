/* Arrows between runs of nodes on different devices, by what each node takes. */
#include "analyze/timeline/timeline_tfprof.h"

#include "analyze/core/ctx.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/build.h"
#include "model/tfprof_times.h"
#include "model/tracks.h"

#include <stdlib.h>

struct sources {
	const struct tp_node_run *runs; /* that an arrow can leave, by node, step, device and start */
	size_t count;
};

TP_ORDER(by_node, struct tp_node_run, TP_UP(node), TP_UP(step), tp_slice_cmp(a->device, b->device),
	TP_UP(start_us), TP_UP(place));
TP_ORDER(by_target, struct tp_track_flow, TP_UP(to_line), TP_UP(to_event), TP_UP(from_line),
	TP_UP(from_event));

static struct sources
find_sources(const struct tp_pass_ctx *ctx, const struct tp_node_run *runs, size_t count)
{
	struct tp_node_run *of = tp_new_array(ctx->scratch, struct tp_node_run, count);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (runs[i].event != TP_NONE && runs[i].on_cpu && tp_tfprof_is_whole_device(runs[i].device))
			of[kept++] = runs[i];
	}
	if (kept != 0)
		qsort(of, kept, sizeof *of, by_node);
	return (struct sources){of, kept};
}

static bool
is_of(const struct tp_node_run *run, uint32_t node, int64_t step)
{
	return run->node == node && run->step == step;
}

/* The first that is not before the runs of a node in a step. */
static size_t
first_of(const struct sources *s, uint32_t node, int64_t step)
{
	return TP_FIRST_WHERE(
		i, s->count, s->runs[i].node != node ? s->runs[i].node > node : s->runs[i].step >= step);
}

/* The first of another device than the one at `at`. */
static size_t
next_device(const struct sources *s, size_t at)
{
	const struct tp_node_run *here = &s->runs[at];
	size_t left = s->count - at;

	return at +
		TP_FIRST_WHERE(i, left,
			!is_of(&here[i], here->node, here->step) || !tp_slice_eq(here[i].device, here->device));
}

static void
add_arrows_from(
	const struct sources *s, uint32_t node, const struct tp_node_run *to, struct tp_buf *flows)
{
	size_t next;

	for (size_t at = first_of(s, node, to->step);
		 at < s->count && is_of(&s->runs[at], node, to->step); at = next) {
		next = next_device(s, at);
		size_t later = TP_FIRST_WHERE(i, next - at, s->runs[at + i].start_us > to->start_us);

		if (later == 0)
			continue;
		const struct tp_node_run *from = &s->runs[at + later - 1];

		if (!tp_slice_eq(from->device, to->device))
			TP_PUSH(flows, struct tp_track_flow, from->line, from->event, to->line, to->event);
	}
}

void
tp_timeline_tfprof_flows(const struct tp_pass_ctx *ctx, const struct tp_tfprof *dump,
	const struct tp_node_run *runs, size_t count, struct tp_builder *b)
{
	struct sources s = find_sources(ctx, runs, count);
	struct tp_buf flows = {0}, inputs = {0};

	for (size_t i = 0; i < count && s.count != 0; i++) {
		if (runs[i].event == TP_NONE || !tp_tfprof_is_whole_device(runs[i].device))
			continue;
		tp_tfprof_inputs(dump, &dump->nodes[runs[i].node], &inputs);
		const struct tp_tfprof_input *input = inputs.data;

		for (size_t k = 0; k < inputs.count; k++) {
			if (input[k].node != TP_MAP_NONE)
				add_arrows_from(&s, input[k].node, &runs[i], &flows);
		}
	}
	if (flows.count != 0 && flows.count < TP_NONE) {
		struct tp_tracks *t = tp_build_next(b, tracks);

		qsort(flows.data, flows.count, sizeof(struct tp_track_flow), by_target);
		t->flow_count = (uint32_t)flows.count;
		t->flows = tp_buf_settle(&flows, sizeof(struct tp_track_flow), ctx->keep);
	}
	tp_buf_free(&flows);
	tp_buf_free(&inputs);
}
