/* The arrows of a timeline: collects them from what the profile says, and packs those whose events are kept in full. */
#include "analyze/timeline/flows.h"

#include "analyze/core/pass.h"
#include "analyze/timeline/tiles.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/tracks.h"

#include <stdlib.h>

/* In a page, an arrow takes about so many bytes; arrows take no more than this part of what the timeline may. */
enum { BYTES_A_FLOW = 8, PART_OF_ROOM = 8 };

struct placed {
	uint64_t from_ps, to_ps;
	struct tp_flow_pair pair;
	bool in_span;
};

TP_ORDER(drawn_first, struct placed, TP_DOWN(in_span), TP_UP(from_ps), TP_UP(to_ps),
	TP_UP(pair.from.line), TP_UP(pair.to.line), TP_UP(pair.to.event));
TP_ORDER(by_time, struct placed, TP_UP(from_ps), TP_UP(to_ps), TP_UP(pair.from.line),
	TP_UP(pair.to.line), TP_UP(pair.to.event));

static struct placed *
place_pairs(const struct tp_flows *f, enum tp_flow_kind kind, uint64_t most, size_t *count)
{
	const struct tp_timeline_found *t = f->t;
	const struct tp_flow_pair *pairs = f->pairs[kind].data;
	struct placed *placed = tp_new_array(f->ctx->scratch, struct placed, f->pairs[kind].count);

	*count = f->pairs[kind].count;
	for (size_t i = 0; i < *count; i++) {
		uint64_t from =
			tp_timeline_place(&t->lines[pairs[i].from.line], pairs[i].from.event).from_ps;

		placed[i] = (struct placed){from,
			tp_timeline_place(&t->lines[pairs[i].to.line], pairs[i].to.event).from_ps, pairs[i],
			false};
		for (size_t k = 0; k < t->span_count; k++)
			placed[i].in_span |= placed[i].to_ps >= t->spans[k].from_ps && from < t->spans[k].to_ps;
	}
	if (*count > most) {
		qsort(placed, *count, sizeof *placed, drawn_first);
		*count = (size_t)most;
	}
	qsort(placed, *count, sizeof *placed, by_time);
	return placed;
}

static uint64_t
tick_of(const struct placed *of, size_t count)
{
	uint64_t tick = 0;

	for (size_t i = 0; i < count; i++)
		tick = tp_tick_with(tp_tick_with(tick, of[i].from_ps), of[i].to_ps);
	return tick != 0 ? tick : 1;
}

/* 0, -1, 1, -2 … as 0, 1, 2, 3 … */
static uint64_t
folded(uint64_t from, uint64_t to)
{
	return to >= from ? 2 * (to - from) : 2 * (from - to) - 1;
}

static struct tp_timeline_flow
pack(const struct tp_flows *f, enum tp_flow_kind kind, uint64_t most)
{
	static const char *const names[] = {
		[TP_FLOW_LAUNCH] = "launch",
		[TP_FLOW_BACKWARD] = "backward",
		[TP_FLOW_HANDED] = "handed on",
		[TP_FLOW_ASYNC] = "asynchronous",
		[TP_FLOW_SEND] = "send",
		[TP_FLOW_INFEED] = "infeed",
	};
	const struct tp_timeline_found *t = f->t;
	struct tp_tile_writer w = {0};
	size_t count;
	const struct placed *of = place_pairs(f, kind, most, &count);
	uint64_t tick = tick_of(of, count);

#define COLUMN(value)                                                                              \
	for (size_t i = 0; i < count; i++)                                                             \
		tp_tile_put(&w, (value));
	COLUMN(of[i].pair.from.line)
	COLUMN(t->lines[of[i].pair.from.line].lane_of[of[i].pair.from.event])
	COLUMN((of[i].from_ps - (i != 0 ? of[i - 1].from_ps : 0)) / tick)
	COLUMN(of[i].pair.to.line)
	COLUMN(t->lines[of[i].pair.to.line].lane_of[of[i].pair.to.event])
	COLUMN(folded(of[i].from_ps / tick, of[i].to_ps / tick))
#undef COLUMN
	return (struct tp_timeline_flow){
		.kind = tp_slice_of(names[kind]),
		.count = count,
		.all = f->all[kind],
		.tick_ps = (double)tick,
		.data = tp_tile_finish(&w, f->ctx->keep),
	};
}

/* Those that a trace of any program draws itself. */
static void
add_drawn(struct tp_flows *f)
{
	for (const struct tp_tracks *t = f->t->profile->tracks; t != NULL; t = t->next) {
		for (uint32_t i = 0; i < t->flow_count; i++) {
			const struct tp_track_flow *a = &t->flows[i];

			tp_flow_add(f, TP_FLOW_HANDED,
				(struct tp_flow_end){f->place_of_line[a->from_line], a->from_event},
				(struct tp_flow_end){f->place_of_line[a->to_line], a->to_event});
		}
	}
}

void
tp_timeline_flows(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out)
{
	uint32_t *place_of_line = tp_new_array(ctx->scratch, uint32_t, t->profile->line_count);
	struct tp_flows f = {.ctx = ctx, .t = t, .place_of_line = place_of_line};
	struct tp_timeline_flow *flows =
		tp_new_array(ctx->keep, struct tp_timeline_flow, TP_FLOW_KINDS);
	uint64_t left = ctx->options->timeline_bytes / PART_OF_ROOM / BYTES_A_FLOW;

	for (uint32_t i = 0; i < t->profile->line_count; i++)
		place_of_line[i] = TP_NONE;
	for (size_t i = 0; i < t->line_count; i++)
		place_of_line[t->lines[i].number] = (uint32_t)i;
	if (t->profile->torch != NULL)
		tp_flows_of_torch(&f);
	else
		tp_flows_of_xla(&f);
	add_drawn(&f);
	for (int kind = 0; kind < TP_FLOW_KINDS; kind++) {
		if (f.pairs[kind].count != 0) {
			flows[out->flow_count] = pack(&f, (enum tp_flow_kind)kind, left);
			left -= flows[out->flow_count++].count;
		}
		tp_buf_free(&f.pairs[kind]);
	}
	out->flows = flows;
}
