/* The words of a scatter chart: its points and ceilings, in JSON and in the outline. */
#include "render/chart_words.h"

#include "render/json.h"
#include "render/outline.h"
#include "report/shape.h"

static void
put_scatter(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_put_shape(w, &tp_scatter_shape, c->scatter, c->point_count);
}

static void
show_scatter(struct tp_outline *o, const struct tp_chart *c)
{
	static const char *const roles[] = {
		[TP_POINT_OTHER] = "point ",
		[TP_POINT_NAMED] = "named point ",
		[TP_POINT_WHOLE] = "whole ",
		[TP_POINT_MEAN] = "mean ",
	};
	const struct tp_scatter *s = c->scatter;
	size_t others = 0;

	for (size_t i = 0; i < s->ceiling_count; i++) {
		const struct tp_ceiling *k = &s->ceilings[i];

		tp_outline_indent(o, 1);
		tp_outline_between(o, k->minor ? "minor ceiling " : "ceiling ", k->label,
			k->y > 0 ? ": flat\n" : ": slope\n");
	}
	for (size_t i = 0; i < s->point_count; i++) {
		const struct tp_point *p = &s->points[i];

		others += p->role == TP_POINT_OTHER;
		if (p->role == TP_POINT_OTHER && others > TP_OUTLINE_MOST)
			continue;
		tp_outline_indent(o, 1);
		tp_outline_between(o, roles[p->role], p->label, ": ");
		tp_outline_value(o, tp_number(p->x, s->x_unit));
		tp_sink_puts(o->out, ", ");
		tp_outline_value(o, tp_number(p->y, c->unit));
		if (p->role == TP_POINT_NAMED)
			tp_outline_between(o, " (", tp_hue_name(p->hue), ")");
		tp_sink_puts(o->out, "\n");
	}
	if (others > TP_OUTLINE_MOST) {
		tp_outline_indent(o, 1);
		tp_sink_printf(o->out, "%zu more points\n", others - TP_OUTLINE_MOST);
	}
}

const struct tp_chart_words tp_scatter_words = {
	.heading = "scatter chart",
	.json = put_scatter,
	.outline = show_scatter,
};
