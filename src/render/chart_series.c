/* The words of charts of series over points: figures by series, in JSON and in the outline; on a terminal rows with bars. */
#include "render/chart_words.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "chart/chart.h"
#include "render/json.h"
#include "render/outline.h"
#include "render/terminal.h"
#include "report/shape.h"

static void
put_series(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_put_shape(w, &tp_series_shape, c, c->point_count);
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
	if (s->unused > 0 || s->unused_count != 0)
		tp_outline_between(o, ", ", s->unused_label, "");
	if (s->unused > 0)
		put_point(o, c, s->unused);
	for (size_t i = 0; i < s->unused_count && s->unused_count <= TP_OUTLINE_MOST; i++)
		put_point(o, c, s->unused_values[i]);
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
	size_t absent = 0;

	for (size_t i = 0; c->absent != NULL && i < count; i++)
		absent += c->absent[i];
	if (absent != 0)
		tp_sink_printf(o->out, ", absent: %zu", absent);
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

/* On a terminal: label, figure, share, and a bar of blocks. */

enum { MOST_ROWS = 8, EIGHTHS = 8 };

struct row {
	struct tp_slice label, figure, share;
	double amount; /* 0…1 of the whole length */
	bool hatched;
};

struct rows {
	struct row *rows;
	size_t count;
	unsigned label, figure, share; /* columns */
};

static struct tp_slice
figure_of(struct tp_terminal *t, struct tp_value v)
{
	char buf[TP_VALUE_BUF];

	return tp_known(v) ? tp_terminal_clean(t, tp_value_text(v, buf)) : TP_S("");
}

TP_ORDER(greatest_first, struct row, TP_DOWN(amount), tp_slice_cmp(a->label, b->label));

/* The parts of one bar, as the page's legend has them. */
static struct rows
rows_of_stack(struct tp_terminal *t, const struct tp_chart *chart)
{
	struct tp_legend_entry *entries =
		tp_new_array(t->arena, struct tp_legend_entry, tp_chart_legend_most(chart));
	size_t count = tp_chart_legend(chart, 0, entries);
	struct rows r = {.rows = tp_new_array(t->arena, struct row, count)};

	for (size_t i = 0; i < count; i++) {
		if (entries[i].unused)
			continue;
		r.rows[r.count++] = (struct row){
			.label = tp_terminal_clean(t, entries[i].series->label),
			.figure = figure_of(t, entries[i].value),
			.share = figure_of(t, entries[i].share),
			.amount = tp_known(entries[i].share) ? entries[i].share.number : 0,
			.hatched = tp_is_hatched(entries[i].series->hue, entries[i].series->tint),
		};
	}
	qsort(r.rows, r.count, sizeof *r.rows, greatest_first);
	return r;
}

/* A row a point, in the chart's order; the longest bar is as long as there is room. */
static struct rows
rows_of_bars(struct tp_terminal *t, const struct tp_chart *chart)
{
	struct rows r = {.rows = tp_new_array(t->arena, struct row, chart->point_count)};
	double most = tp_chart_largest(chart);

	for (r.count = 0; r.count < chart->point_count; r.count++) {
		double total = tp_chart_total(chart, r.count);

		r.rows[r.count] = (struct row){
			.label = tp_terminal_clean(t, chart->labels[r.count]),
			.figure = figure_of(t, tp_number(total, chart->unit)),
			.amount = most > 0 ? total / most : total,
			.hatched = chart->series_count == 1 &&
				tp_is_hatched(chart->series[0].hue, chart->series[0].tint),
		};
	}
	return r;
}

static void
measure(struct rows *r, size_t shown)
{
	for (size_t i = 0; i < shown; i++) {
		const unsigned widths[] = {tp_terminal_width(r->rows[i].label),
			tp_terminal_width(r->rows[i].figure), tp_terminal_width(r->rows[i].share)};

		r->label = widths[0] > r->label ? widths[0] : r->label;
		r->figure = widths[1] > r->figure ? widths[1] : r->figure;
		r->share = widths[2] > r->share ? widths[2] : r->share;
	}
}

/* In eighths of a column; what is drawn hatched elsewhere in whole ones. */
static struct tp_slice
bar(struct tp_terminal *t, const struct row *row, unsigned columns)
{
	static const char *const parts[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	unsigned eighths = (unsigned)(row->amount * columns * EIGHTHS + .5);
	unsigned whole = row->hatched ? (eighths + EIGHTHS - 1) / EIGHTHS : eighths / EIGHTHS;
	char *text = tp_arena_array(t->arena, whole + 1, sizeof "█");
	char *end = text;

	for (unsigned i = 0; i < whole; i++)
		end = stpcpy(end, row->hatched ? "░" : "█");
	end = stpcpy(end, row->hatched ? "" : parts[eighths % EIGHTHS]);
	return (struct tp_slice){text, (size_t)(end - text)};
}

static void
put_rows(struct tp_terminal *t, struct rows rows)
{
	struct rows *r = &rows;
	enum { GAP = 3, LEAST_BAR = 8 };
	size_t shown = r->count <= MOST_ROWS ? r->count : MOST_ROWS - 1;

	measure(r, shown);
	unsigned before = r->label + GAP + r->figure + (r->share != 0 ? GAP + r->share : 0) + GAP;

	for (size_t i = 0; i < shown; i++) {
		const struct row *row = &r->rows[i];

		tp_terminal_left(t, row->label, r->label + GAP);
		tp_terminal_right(t, row->figure, r->figure);
		if (r->share != 0)
			tp_terminal_right(t, row->share, GAP + r->share);
		if (before + LEAST_BAR <= t->columns) {
			struct tp_slice drawn = bar(t, row, t->columns - before);

			tp_terminal_blanks(t, drawn.len != 0 ? GAP : 0);
			tp_terminal_put(t, TP_TERMINAL_FAINT, drawn);
		}
		tp_sink_puts(t->out, "\n");
	}
	if (shown < r->count)
		tp_sink_printf(t->out, "and %zu more\n", r->count - shown);
}

static void
tell_stack(struct tp_terminal *t, const struct tp_chart *chart)
{
	put_rows(t, rows_of_stack(t, chart));
}

static void
tell_bars(struct tp_terminal *t, const struct tp_chart *chart)
{
	put_rows(t, rows_of_bars(t, chart));
}

const struct tp_chart_words tp_stack_words = {
	.heading = "stack chart",
	.json = put_series,
	.outline = show_series,
	.terminal = tell_stack,
};

const struct tp_chart_words tp_strip_words = {
	.heading = "strip chart",
	.json = put_series,
	.outline = show_series,
};

const struct tp_chart_words tp_bars_words = {
	.heading = "bars chart",
	.json = put_series,
	.outline = show_series,
	.terminal = tell_bars,
};

const struct tp_chart_words tp_tile_words = {
	.heading = "tile chart",
	.json = put_series,
	.outline = show_series,
};
