/* The words of a heat map: its cells, in JSON and in the outline. */
#include "render/chart_words.h"

#include <math.h>

#include "render/json.h"
#include "render/outline.h"
#include "report/shape.h"

static void
put_grid(struct tp_json_report *w, const struct tp_chart *c)
{
	const struct tp_grid *g = c->grid;

	tp_json_put_shape(w, &tp_grid_shape, g, 0);
	tp_json_open(&w->json, "cells", TP_JSON_ARRAY);
	for (size_t i = 0; i < g->row_count * g->columns; i++) {
		if (isnan(g->values[i]))
			continue;
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_integer(&w->json, "cell", (int64_t)i);
		tp_json_string(&w->json, "label", g->labels[i]);
		if (g->notes != NULL)
			tp_json_put_filled(w, "note", g->notes[i]);
		if (g->places != NULL)
			tp_json_put_filled(w, "place", g->places[i]);
		tp_json_number(&w->json, "value", g->values[i]);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
show_grid(struct tp_outline *o, const struct tp_chart *c)
{
	const struct tp_grid *g = c->grid;

	if (g->title.len != 0) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "", g->title, "\n");
	}
	for (size_t r = 0; r < g->row_count && r < TP_OUTLINE_MOST; r++) {
		tp_outline_indent(o, 1);
		tp_outline_put(o, g->rows[r]);
		tp_sink_puts(o->out, ":");
		for (size_t k = r * g->columns; k < (r + 1) * g->columns; k++) {
			char buf[TP_VALUE_BUF];

			if (isnan(g->values[k]))
				continue;
			tp_sink_puts(o->out, " ");
			tp_outline_put(o, tp_value_fixed(tp_number(g->values[k], c->unit), c->unit, 2, buf));
		}
		tp_sink_puts(o->out, "\n");
	}
	if (g->row_count > TP_OUTLINE_MOST) {
		tp_outline_indent(o, 1);
		tp_sink_printf(o->out, "%zu more rows\n", g->row_count - TP_OUTLINE_MOST);
	}
	for (size_t i = 0; i < g->marked_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "marked: ", g->labels[g->marked[i]], "\n");
	}
	for (size_t i = 0; i < g->link_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "link: ", g->labels[g->links[i][0]], " to ");
		tp_outline_put(o, g->labels[g->links[i][1]]);
		tp_sink_puts(o->out, "\n");
	}
}

const struct tp_chart_words tp_grid_words = {
	.heading = "grid chart",
	.json = put_grid,
	.outline = show_grid,
};
