/* Charts of one bar, and of a bar a point, as rows: label, figure, share, and a bar of blocks. */
#include "render/terminal.h"

#include "base/arena.h"
#include "chart/chart.h"

#include <stdlib.h>

enum { MOST_ROWS = 8, EIGHTHS = 8 };

struct row {
	struct tp_slice label, figure, share;
	double amount; /* 0…1 of the whole length */
	enum tp_hue hue;
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

static int
greatest_first(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->amount != b->amount)
		return a->amount < b->amount ? 1 : -1;
	return tp_slice_cmp(a->label, b->label);
}

/* The parts of one bar, as the page's legend has them. */
static struct rows
rows_of_stack(struct tp_terminal *t, const struct tp_chart *chart)
{
	struct tp_legend_entry *entries =
		tp_new_array(t->arena, struct tp_legend_entry, chart->series_count);
	struct rows r = {.count = tp_chart_legend(chart, 0, entries)};

	r.rows = tp_new_array(t->arena, struct row, r.count);
	for (size_t i = 0; i < r.count; i++) {
		r.rows[i] = (struct row){
			.label = tp_terminal_clean(t, entries[i].series->label),
			.figure = figure_of(t, entries[i].value),
			.share = figure_of(t, entries[i].share),
			.amount = tp_known(entries[i].share) ? entries[i].share.number : 0,
			.hue = entries[i].series->hue,
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
			.hue = chart->series_count == 1 ? chart->series[0].hue : TP_HUE_NONE,
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

/* In eighths of a column; idle time, which is drawn hatched elsewhere, in whole ones. */
static struct tp_slice
bar(struct tp_terminal *t, const struct row *row, unsigned columns)
{
	static const char *const parts[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	bool idle = row->hue == TP_HUE_IDLE;
	unsigned eighths = (unsigned)(row->amount * columns * EIGHTHS + .5);
	unsigned whole = idle ? (eighths + EIGHTHS - 1) / EIGHTHS : eighths / EIGHTHS;
	char *text = tp_arena_array(t->arena, whole + 1, sizeof "█");
	char *end = text;

	for (unsigned i = 0; i < whole; i++)
		end = stpcpy(end, idle ? "░" : "█");
	end = stpcpy(end, idle ? "" : parts[eighths % EIGHTHS]);
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

void
tp_terminal_stack(struct tp_terminal *t, const struct tp_chart *chart)
{
	put_rows(t, rows_of_stack(t, chart));
}

void
tp_terminal_bars(struct tp_terminal *t, const struct tp_chart *chart)
{
	put_rows(t, rows_of_bars(t, chart));
}
