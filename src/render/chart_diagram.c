/* The words of a node-link drawing: its boxes and arrows, in JSON and in the outline. */
#include "render/chart_words.h"

#include "render/json.h"
#include "render/outline.h"
#include "report/shape.h"

static void
put_diagram(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_put_shape(w, &tp_diagram_shape, c->diagram, c->point_count);
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
	.heading = "graph chart",
	.json = put_diagram,
	.outline = show_diagram,
};
