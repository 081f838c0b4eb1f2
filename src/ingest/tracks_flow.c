/* Flows: which event each passes, by time, and arrows from each to the next. */
#include "ingest/tracks_parts.h"

#include "base/arena.h"
#include "base/order.h"
#include "model/build.h"

#include <stdlib.h>

TP_ORDER(by_track, struct tp_draft_flow, TP_UP(track), TP_UP(at_ps), TP_UP(number));
TP_ORDER(by_id, struct tp_draft_flow, TP_UP(id), TP_UP(at_ps), TP_UP(number));
TP_ORDER(by_target, struct tp_track_flow, TP_UP(to_line), TP_UP(to_event), TP_UP(from_line),
	TP_UP(from_event));

/* A walk along a line: the events that have begun and not ended, the latest last. */
struct walk {
	const struct tp_line *line;
	struct tp_buf open; /* uint32_t */
	uint32_t next;      /* the first that has not begun */
	size_t tag;
};

static bool
is_instant(struct walk *w, uint32_t event)
{
	int64_t value;

	return tp_tag_find(w->line, &w->tag, event, TP_TAG_INSTANT, &value);
}

static void
go_to(struct walk *w, int64_t at_ps)
{
	for (; w->next < w->line->count && tp_line_start_ps(w->line, w->next) <= at_ps; w->next++) {
		if (!is_instant(w, w->next))
			*tp_buf_new(&w->open, uint32_t) = w->next;
	}
	const uint32_t *open = w->open.data;

	while (w->open.count != 0) {
		uint32_t last = open[w->open.count - 1];
		int64_t since_ps = at_ps - tp_line_start_ps(w->line, last);

		/* One of no length is there at its time. */
		if (since_ps < tp_line_duration_ps(w->line, last) || since_ps == 0)
			break;
		w->open.count--;
	}
}

/* The event that begins next: at this time, the innermost that does; else the first after it. */
static uint32_t
next_of(struct walk *w, int64_t at_ps)
{
	const uint32_t *open = w->open.data;

	if (w->open.count != 0 && tp_line_start_ps(w->line, open[w->open.count - 1]) == at_ps)
		return open[w->open.count - 1];
	return w->next < w->line->count ? w->next : TP_NONE;
}

/* The event that a begin or a moment became: lines are in order of start, the longer first. Of several that are alike in both any is
 * meant, and of very many no more than some are looked at. */
static uint32_t
exactly(const struct tp_draft_tracks *d, const struct tp_line *line, const uint32_t *ops,
	const struct tp_draft_flow *flow)
{
	enum { MOST_LOOKED_AT = 256 };
	const int64_t *lengths = d->lengths.data;
	int64_t length = flow->half != TP_NONE ? lengths[flow->half] : 0, at = flow->at_ps;
	size_t first = TP_FIRST_WHERE(i, line->count,
		tp_line_start_ps(line, i) > at ||
			(tp_line_start_ps(line, i) == at && tp_line_duration_ps(line, i) <= length));

	for (size_t i = first; i < line->count && i < first + MOST_LOOKED_AT &&
		 tp_line_start_ps(line, i) == at && tp_line_duration_ps(line, i) == length;
		 i++) {
		if (tp_line_op(line, i) == ops[flow->op])
			return (uint32_t)i;
	}
	return TP_NONE;
}

static uint32_t
event_at(struct walk *w, const struct tp_draft_flow *flow)
{
	const uint32_t *open = w->open.data;
	uint32_t around = w->open.count != 0 ? open[w->open.count - 1] : TP_NONE;
	uint32_t next = flow->bind == TP_TRACKS_NEXT ? next_of(w, flow->at_ps) : TP_NONE;

	return next != TP_NONE ? next : around;
}

static void
find_events(struct tp_draft_tracks *d, const uint32_t *ops, const struct tp_builder *out)
{
	struct tp_draft_flow *flows = d->flows.data;
	struct walk w = {0};

	for (size_t i = 0; i < d->flows.count; i++) {
		uint32_t line = tp_draft_track_at(d, flows[i].track)->line;

		if (i == 0 || flows[i].track != flows[i - 1].track) {
			w.open.count = 0;
			w.next = 0;
			w.tag = 0;
			w.line = line != TP_NONE ? tp_built_line(out, line) : NULL;
		}
		if (w.line == NULL)
			continue;
		if (flows[i].bind == TP_TRACKS_LAST) {
			flows[i].event = exactly(d, w.line, ops, &flows[i]);
			continue;
		}
		go_to(&w, flows[i].at_ps);
		flows[i].event = event_at(&w, &flows[i]);
	}
	tp_buf_free(&w.open);
}

static void
add_arrows(struct tp_draft_tracks *d, struct tp_buf *arrows)
{
	const struct tp_draft_flow *flows = d->flows.data, *last = NULL;

	for (size_t i = 0; i < d->flows.count; i++) {
		const struct tp_draft_flow *f = &flows[i];

		if (f->event == TP_NONE) {
			d->unbound++;
			continue;
		}
		if (last != NULL && last->id == f->id && f->what != TP_TRACKS_FLOW_BEGIN)
			TP_PUSH(arrows, struct tp_track_flow, tp_draft_track_at(d, last->track)->line,
				last->event, tp_draft_track_at(d, f->track)->line, f->event);
		last = f->what != TP_TRACKS_FLOW_END ? f : NULL;
	}
}

const struct tp_track_flow *
tp_tracks_arrows(
	struct tp_draft_tracks *d, const uint32_t *ops, struct tp_builder *out, uint32_t *count)
{
	struct tp_buf arrows = {0};

	*count = 0;
	if (d->flows.count == 0)
		return NULL;
	qsort(d->flows.data, d->flows.count, sizeof(struct tp_draft_flow), by_track);
	find_events(d, ops, out);
	qsort(d->flows.data, d->flows.count, sizeof(struct tp_draft_flow), by_id);
	add_arrows(d, &arrows);
	tp_buf_free(&d->flows);
	if (arrows.count != 0)
		qsort(arrows.data, arrows.count, sizeof(struct tp_track_flow), by_target);
	*count = (uint32_t)arrows.count;
	return tp_buf_settle(&arrows, sizeof(struct tp_track_flow), tp_builder_profile(out)->arena);
}
