/* What leads to what: launches to device work, producers to consumers, and arrows that a trace draws itself. */
#include "analyze/timeline/run_events.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"
#include "model/tracks.h"

#include <stdlib.h>

struct to {
	void (*put)(void *with, uint64_t id, bool leaves);
	void *with;
};

/* Where one event is linked to several, each link has a number of its own. */
static void
put_link(
	const struct tp_run_of *of, uint64_t id, bool leaves, struct tp_run_target self, struct to to)
{
	size_t at = tp_run_first_target(of, id);

	if (at == of->target_count) {
		to.put(to.with, id, leaves);
		return;
	}
	for (; leaves && at < of->target_count && of->targets[at].id == id; at++)
		to.put(to.with, tp_run_link(TP_RUN_TARGET, of->targets[at].track, of->targets[at].event),
			true);
	if (!leaves)
		to.put(to.with, tp_run_link(TP_RUN_TARGET, self.track, self.event), false);
}

static void
put_tags(const struct tp_run_of *of, size_t track, uint32_t event, struct to to)
{
	enum { KEYS = 1 << TP_TAG_CORRELATION | 1 << TP_TAG_PRODUCER | 1 << TP_TAG_CONSUMER };
	const struct tp_line *line = of->lines[track].line;
	const struct tp_run_target self = {0, (uint32_t)track, event};

	if ((line->tag_keys & KEYS) == 0)
		return;
	for (size_t i = TP_FIRST_WHERE(k, line->tag_count, line->tags[k].event >= event);
		 i < line->tag_count && line->tags[i].event == event; i++) {
		const struct tp_tag *tag = &line->tags[i];

		if (tag->key == TP_TAG_CORRELATION)
			put_link(of, tp_run_link(TP_RUN_LAUNCH, line->host, tag->value),
				line->kind == TP_LINE_THREAD, self, to);
		else if (tag->key == TP_TAG_PRODUCER || tag->key == TP_TAG_CONSUMER)
			put_link(of, tp_run_link(TP_RUN_PRODUCER, line->host, tag->value),
				tag->key == TP_TAG_PRODUCER, self, to);
	}
}

/* Of PyTorch's calls; device work has its tag. */
static void
put_call(const struct tp_run_of *of, size_t track, uint32_t event, struct to to)
{
	const struct tp_torch_trace *t = of->lines[track].torch;

	event += of->lines[track].first;
	if (tp_torch_is_call(t->kind[event]) && t->detail[event] != TP_NONE &&
		t->calls[t->detail[event]].correlation >= 0)
		put_link(of, tp_run_link(TP_RUN_LAUNCH, t->host, t->calls[t->detail[event]].correlation),
			true, (struct tp_run_target){0}, to);
}

static bool
is_before(uint32_t line, uint32_t event, uint32_t of_line, uint32_t of_event)
{
	return line != of_line ? line < of_line : event < of_event;
}

static void
put_arrows(const struct tp_run_arrows *a, size_t file, uint32_t line, uint32_t event, struct to to)
{
	size_t to_here = TP_FIRST_WHERE(
		i, a->count, !is_before(a->flows[i].to_line, a->flows[i].to_event, line, event));
	size_t from_here = TP_FIRST_WHERE(i, a->count,
		!is_before(a->flows[a->by_source[i]].from_line, a->flows[a->by_source[i]].from_event, line,
			event));

	for (; to_here < a->count && a->flows[to_here].to_line == line &&
		 a->flows[to_here].to_event == event;
		 to_here++)
		to.put(to.with, tp_run_link(TP_RUN_ARROW, file, (int64_t)to_here), false);
	for (; from_here < a->count; from_here++) {
		const struct tp_track_flow *f = &a->flows[a->by_source[from_here]];

		if (f->from_line != line || f->from_event != event)
			break;
		to.put(to.with, tp_run_link(TP_RUN_ARROW, file, a->by_source[from_here]), true);
	}
}

static void
put_links(const struct tp_run_of *of, size_t track, uint32_t event, struct to to)
{
	const struct tp_run_link_end *links = of->links + of->links_from[track];
	size_t count = of->links_from[track + 1] - of->links_from[track];

	for (size_t i = TP_FIRST_WHERE(k, count, links[k].event >= event);
		 i < count && links[i].event == event; i++)
		to.put(to.with, tp_run_link(TP_RUN_LINK, links[i].kind, links[i].pair), links[i].leaves);
}

void
tp_run_flows(const struct tp_run_events *e, size_t track, uint64_t number,
	void (*put)(void *with, uint64_t id, bool leaves), void *with)
{
	const struct tp_run_of *of = e->of;
	const struct tp_run_line *line = &of->lines[track];
	struct to to = {put, with};

	put_tags(of, track, (uint32_t)number, to);
	if (line->torch != NULL && line->line->kind == TP_LINE_TORCH)
		put_call(of, track, (uint32_t)number, to);
	put_links(of, track, (uint32_t)number, to);
	for (size_t i = 0; line->line->kind == TP_LINE_TRACK && i < of->arrow_count; i++)
		put_arrows(&of->arrows[i], i, line->number, (uint32_t)number, to);
}

struct source {
	uint32_t line, event, number;
};
TP_ORDER(by_source, struct source, TP_UP(line), TP_UP(event), TP_UP(number));

static const uint32_t *
order_by_source(const struct tp_pass_ctx *ctx, const struct tp_tracks *t)
{
	struct source *sources = tp_new_array(ctx->scratch, struct source, t->flow_count);
	uint32_t *order = tp_new_array(ctx->keep, uint32_t, t->flow_count);

	for (uint32_t i = 0; i < t->flow_count; i++)
		sources[i] = (struct source){t->flows[i].from_line, t->flows[i].from_event, i};
	if (t->flow_count != 0)
		qsort(sources, t->flow_count, sizeof *sources, by_source);
	for (uint32_t i = 0; i < t->flow_count; i++)
		order[i] = sources[i].number;
	return order;
}

void
tp_run_find_arrows(const struct tp_pass_ctx *ctx, struct tp_run_of *of)
{
	struct tp_buf arrows = {0};

	for (const struct tp_tracks *t = ctx->profile->tracks; t != NULL; t = t->next) {
		if (t->flow_count != 0)
			TP_PUSH(
				&arrows, struct tp_run_arrows, t->flows, t->flow_count, order_by_source(ctx, t));
	}
	of->arrow_count = arrows.count;
	of->arrows = tp_buf_settle(&arrows, sizeof(struct tp_run_arrows), ctx->keep);
}
