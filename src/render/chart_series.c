/* The words of charts of series over points: figures by series, in JSON and in the outline; on a terminal rows with bars. */
#include "render/chart_words.h"

#include "render/json.h"
#include "render/outline.h"
#include "render/terminal.h"

static void
put_one(struct tp_json_report *w, const struct tp_series *s, size_t points)
{
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "key", s->key);
	tp_json_string(&w->json, "label", s->label);
	tp_json_string(&w->json, "hue", tp_hue_name(s->hue));
	tp_json_put_numbers(w, "values", s->values, points);
	tp_json_close(&w->json);
}

static void
put_lifetimes(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_open(&w->json, "lifetimes", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->lifetime_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", c->lifetimes[i].label);
		tp_json_put_filled(w, "note", c->lifetimes[i].note);
		tp_json_number(&w->json, "from", c->lifetimes[i].from);
		tp_json_number(&w->json, "to", c->lifetimes[i].to);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_series(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_open(&w->json, "labels", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < c->point_count; i++)
		tp_json_string(&w->json, NULL, c->labels[i]);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "series", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->series_count; i++)
		put_one(w, &c->series[i], c->point_count);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "rules", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->rule_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", c->rules[i].label);
		tp_json_number(&w->json, "value", c->rules[i].value);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	if (c->marked != SIZE_MAX)
		tp_json_integer(&w->json, "marked", (int64_t)c->marked);
	if (c->lifetime_count != 0)
		put_lifetimes(w, c);
	if (c->open == NULL)
		return;
	tp_json_open(&w->json, "open", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < c->point_count; i++) {
		if (c->open[i])
			tp_json_integer(&w->json, NULL, (int64_t)i);
	}
	tp_json_close(&w->json);
}

static void
put_point(struct tp_outline *o, const struct tp_chart *c, double value)
{
	char buf[TP_VALUE_BUF];

	tp_sink_puts(o->out, " ");
	tp_outline_put(o, tp_value_fixed(tp_number(value, c->unit), c->unit, 2, buf));
}

/* Of a long one the least and the greatest. */
static void
show_one(struct tp_outline *o, const struct tp_chart *c, const struct tp_series *s)
{
	double least = s->values[0], greatest = s->values[0];

	tp_outline_indent(o, 1);
	tp_outline_put(o, s->label);
	tp_outline_between(o, " (", tp_hue_name(s->hue), "):");
	for (size_t i = 0; i < c->point_count; i++) {
		least = s->values[i] < least ? s->values[i] : least;
		greatest = s->values[i] > greatest ? s->values[i] : greatest;
		if (c->point_count <= TP_OUTLINE_MOST)
			put_point(o, c, s->values[i]);
	}
	if (c->point_count > TP_OUTLINE_MOST) {
		put_point(o, c, least);
		tp_sink_puts(o->out, " to");
		put_point(o, c, greatest);
	}
	tp_sink_puts(o->out, "\n");
}

static void
show_points(struct tp_outline *o, const struct tp_chart *c)
{
	size_t count = c->point_count;

	tp_outline_indent(o, 1);
	tp_sink_printf(o->out, "points (%zu): ", count);
	for (size_t i = 0; i < count && count <= TP_OUTLINE_MOST; i++)
		tp_outline_between(o, i == 0 ? "" : " | ", c->labels[i], "");
	if (count > TP_OUTLINE_MOST) {
		tp_outline_between(o, "", c->labels[0], " to ");
		tp_outline_put(o, c->labels[count - 1]);
	}
	if (c->marked < count)
		tp_outline_between(o, ", marked: ", c->labels[c->marked], "");
	for (size_t i = 0; c->open != NULL && i < count; i++) {
		if (c->open[i])
			tp_outline_between(o, ", open: ", c->labels[i], "");
	}
	tp_sink_puts(o->out, "\n");
}

static void
show_series(struct tp_outline *o, const struct tp_chart *c)
{
	show_points(o, c);
	for (size_t i = 0; i < c->series_count; i++)
		show_one(o, c, &c->series[i]);
	for (size_t i = 0; i < c->rule_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "rule ", c->rules[i].label, ": ");
		tp_outline_value(o, tp_number(c->rules[i].value, c->unit));
		tp_sink_puts(o->out, "\n");
	}
}

const struct tp_chart_words tp_stack_words = {
	.name = "stack",
	.heading = "stack chart",
	.json = put_series,
	.outline = show_series,
	.terminal = tp_terminal_stack,
};

const struct tp_chart_words tp_strip_words = {
	.name = "strip",
	.heading = "strip chart",
	.json = put_series,
	.outline = show_series,
};

const struct tp_chart_words tp_bars_words = {
	.name = "bars",
	.heading = "bars chart",
	.json = put_series,
	.outline = show_series,
	.terminal = tp_terminal_bars,
};

const struct tp_chart_words tp_tile_words = {
	.name = "tile",
	.heading = "tile chart",
	.json = put_series,
	.outline = show_series,
};
