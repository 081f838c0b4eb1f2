/* The words of a node-link drawing: its boxes and arrows, in JSON and in the outline. */
#include "render/chart_words.h"

#include "render/json.h"
#include "render/outline.h"

static void
put_diagram(struct tp_json_report *w, const struct tp_chart *c)
{
	const struct tp_diagram *d = c->diagram;

	tp_json_open(&w->json, "boxes", TP_JSON_ARRAY);
	for (size_t i = 0; i < d->box_count; i++) {
		const struct tp_box *b = &d->boxes[i];

		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", b->label);
		tp_json_put_filled(w, "note", b->note);
		tp_json_put_filled(w, "more", b->more);
		if (b->strong)
			tp_json_put_name(w, "role", "main");
		if (b->hue != TP_HUE_NONE)
			tp_json_string(&w->json, "hue", tp_hue_name(b->hue));
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	tp_json_open(&w->json, "arrows", TP_JSON_ARRAY);
	for (size_t i = 0; i < d->arrow_count; i++) {
		const struct tp_arrow *a = &d->arrows[i];

		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_integer(&w->json, "from", (int64_t)a->from);
		tp_json_integer(&w->json, "to", (int64_t)a->to);
		tp_json_number(&w->json, "weight", a->weight);
		tp_json_put_filled(w, "label", a->label);
		if (a->control)
			tp_json_put_name(w, "kind", "control");
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
show_diagram(struct tp_outline *o, const struct tp_chart *c)
{
	const struct tp_diagram *d = c->diagram;

	for (size_t i = 0; i < d->box_count; i++) {
		const struct tp_box *b = &d->boxes[i];

		tp_outline_indent(o, 1);
		tp_outline_between(o, b->strong ? "main box " : "box ", b->label, "");
		tp_outline_between(o, b->note.len != 0 ? ": " : "", b->note, "");
		tp_outline_between(o, b->more.len != 0 ? "; " : "", b->more, "");
		if (b->hue != TP_HUE_NONE)
			tp_outline_between(o, " (", tp_hue_name(b->hue), ")");
		tp_sink_puts(o->out, "\n");
	}
	for (size_t i = 0; i < d->arrow_count; i++) {
		const struct tp_arrow *a = &d->arrows[i];

		tp_outline_indent(o, 1);
		tp_outline_between(o, a->control ? "control " : "arrow ", d->boxes[a->from].label, " to ");
		tp_outline_put(o, d->boxes[a->to].label);
		tp_sink_printf(o->out, ", %.6g", a->weight);
		tp_outline_between(o, a->label.len != 0 ? ": " : "", a->label, "\n");
	}
}

const struct tp_chart_words tp_diagram_words = {
	.name = "graph",
	.heading = "graph chart",
	.json = put_diagram,
	.outline = show_diagram,
};
