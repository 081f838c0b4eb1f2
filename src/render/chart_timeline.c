/* The words of a timeline: its windows and tracks, in JSON and in the outline. */
#include "render/chart_words.h"

#include "render/json.h"
#include "render/outline.h"
#include "render/packed.h"
#include "report/shape.h"
#include "report/timeline.h"

static void
put_timeline(struct tp_json_report *w, const struct tp_chart *c)
{
	struct tp_timeline shown = *c->timeline;

	if (w->drawn_only)
		shown.group_count = shown.name_count = shown.mark_count = shown.argument_count =
			shown.flow_count = 0;
	struct tp_packed *own = shown.packed == NULL ? tp_packed_timeline(&shown, w->pool) : NULL;

	w->packed = own != NULL ? own : shown.packed;
	tp_json_put_shape(w, &tp_timeline_shape, &shown, 0);
	w->packed = NULL;
	if (own != NULL)
		tp_packed_free(own);
}

static void
show_window(struct tp_outline *o, const struct tp_timeline *t, const struct tp_timeline_window *w)
{
	tp_outline_indent(o, 1);
	tp_outline_between(o, "window ", w->label, "");
	tp_outline_between(o, ": ", w->note, "");
	tp_sink_printf(o->out, ", %zu bars\n", w->bar_count);
	for (size_t i = 0; i < w->bar_count && i < TP_OUTLINE_MOST; i++) {
		const struct tp_timeline_bar *bar = &w->bars[i];

		tp_outline_indent(o, 2);
		tp_outline_between(o, "", t->rows[bar->row], " ");
		tp_outline_put(o, bar->label);
		tp_sink_printf(o->out, " %.6g to %.6g", bar->from, bar->to);
		tp_outline_between(o, ": ", bar->note, "");
		if (bar->hue != TP_HUE_NONE)
			tp_outline_between(o, " (", tp_hue_name(bar->hue), ")");
		tp_sink_puts(o->out, "\n");
	}
}

static void
show_track(struct tp_outline *o, const struct tp_timeline_track *track)
{
	uint64_t kept = 0, cells = 0;

	for (size_t i = 0; i < track->tile_count; i++)
		*(track->tiles[i].cell_ps > 0 ? &cells : &kept) += track->tiles[i].count;
	tp_outline_indent(o, 2);
	tp_outline_between(o, "", track->kind, " ");
	tp_outline_put(o, track->name);
	tp_sink_printf(o->out, ": %llu events in %llu lanes, %llu in full, %llu cells\n",
		(unsigned long long)track->events, (unsigned long long)track->lanes,
		(unsigned long long)kept, (unsigned long long)cells);
}

static void
show_counter(struct tp_outline *o, const struct tp_timeline_counter *c)
{
	char buf[TP_VALUE_BUF];

	tp_outline_indent(o, 2);
	tp_outline_between(o, "counter ", c->name, "");
	tp_outline_between(o, ": to ", tp_value_text(tp_number(c->top, c->unit), buf), "");
	tp_sink_printf(o->out, ", %llu changes\n", (unsigned long long)c->count);
}

static void
show_rest(struct tp_outline *o, const struct tp_timeline *t)
{
	for (size_t i = 0; i < t->flow_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "arrows ", t->flows[i].kind, "");
		tp_sink_printf(o->out, ": %llu of %llu\n", (unsigned long long)t->flows[i].count,
			(unsigned long long)t->flows[i].all);
	}
	for (size_t i = 0; i < t->finding_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "finding ", t->findings[i].label, "");
		tp_sink_printf(o->out, ": %.6g to %.6g ps\n", t->findings[i].from_ps, t->findings[i].to_ps);
	}
}

static void
show_timeline(struct tp_outline *o, const struct tp_chart *c)
{
	const struct tp_timeline *t = c->timeline;

	for (size_t i = 0; i < t->window_count; i++)
		show_window(o, t, &t->windows[i]);
	for (size_t i = 0; i < t->group_count && i < TP_OUTLINE_MOST; i++) {
		const struct tp_timeline_group *g = &t->groups[i];

		tp_outline_indent(o, 1);
		tp_outline_between(o, "group ", g->name, "");
		tp_outline_between(o, ", ", g->note, "");
		if (g->lags)
			tp_sink_puts(o->out, ", lags");
		if (g->first)
			tp_sink_puts(o->out, ", first");
		tp_sink_puts(o->out, "\n");
		for (size_t k = 0; k < g->track_count && k < TP_OUTLINE_MOST; k++)
			show_track(o, &g->tracks[k]);
		for (size_t k = 0; k < g->counter_count && k < TP_OUTLINE_MOST; k++)
			show_counter(o, &g->counters[k]);
	}
	show_rest(o, t);
}

const struct tp_chart_words tp_timeline_words = {
	.heading = "timeline",
	.json = put_timeline,
	.outline = show_timeline,
};
