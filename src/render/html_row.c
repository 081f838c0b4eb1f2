/* The head and the rows of a table in HTML. */
#include "render/html.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "chart/canvas_svg.h"
#include "render/names_alike.h"

enum {
	BAR_PX = 64, /* as the page's CSS has it */
	DEEPEST_INDENT = 12,
	SHORT_TEXT = 28, /* bytes; longer texts may be broken into lines */
	ONE_LINE = 12,   /* bytes; longer ones may be on a phone */
	FEW_LINES =
		160,        /* bytes; of a longer name the first lines stand there, until it is asked for */
	CUT_MOST = 160, /* bytes; no column is wider */
	FEW_COLUMNS = 4, /* so few leave room for whole sentences */
};

static bool
is_numeric(const struct tp_column *column)
{
	return column->unit != TP_UNIT_NONE;
}

struct tp_slice
tp_html_cell_text(
	const struct tp_column *column, const struct tp_cell *cell, char buf[static TP_VALUE_BUF])
{
	bool is_number = cell->value.kind == TP_VALUE_INTEGER || cell->value.kind == TP_VALUE_NUMBER;

	if (is_numeric(column) && is_number)
		return tp_column_text(column, cell->value, buf);
	if (cell->value.kind == TP_VALUE_TEXT)
		return tp_cell_whole_text(cell);
	return tp_value_text(cell->value, buf);
}

void
tp_html_table_head(struct tp_html_page *page, const struct tp_table *table)
{
	struct tp_html *h = &page->out;

	tp_html_open(h, "thead");
	tp_html_open(h, "tr");
	if (table->numbered) {
		tp_html_div(page, "th", "n");
		tp_html_attr(h, "scope", TP_S("col"));
		tp_html_text(h, TP_S("#"));
		tp_html_close(h);
	}
	for (size_t i = 0; i < table->column_count; i++) {
		const struct tp_column *column = &table->columns[i];
		struct tp_slice symbol = tp_column_symbol(column);

		if (page->absent[i])
			continue;
		tp_html_open(h, "th");
		tp_html_attrf(h, "class", "%s%s%s", is_numeric(column) ? "r" : "x",
			column->title.len > SHORT_TEXT ? " lines" : "", page->further[i] ? " far" : "");
		tp_html_attr(h, "scope", TP_S("col"));
		if (column->sorted)
			tp_html_attr(h, "aria-sort", TP_S("descending"));
		tp_html_element(h, "span", "h", column->title);
		if (symbol.len > 0) {
			tp_html_text(h, TP_S(" "));
			tp_html_element(h, "small", NULL, symbol);
		}
		tp_html_close(h);
	}
	tp_html_close(h);
	tp_html_close(h);
}

static void
write_bar(struct tp_html_page *page, const struct tp_cell *cell)
{
	double share = tp_value_in(cell->value, TP_UNIT_SHARE);
	enum tp_hue hue = cell->swatch != TP_HUE_NONE ? cell->swatch : TP_HUE_COMPUTE;
	struct tp_html *h = &page->out;

	tp_html_div(page, "svg", "ib");
	tp_html_attrf(h, "width", "%d", BAR_PX);
	tp_html_attr(h, "height", TP_S("8"));
	tp_html_attr(h, "aria-hidden", TP_S("true"));
	tp_svg_below_pattern(h, hue, (int)cell->tint);
	tp_html_open(h, "rect");
	tp_svg_hue(h, hue, (int)cell->tint);
	tp_html_attrf(h, "width", "%.1f", (share < 1 ? share : 1) * BAR_PX);
	tp_html_attr(h, "height", TP_S("8"));
	tp_html_close(h);
	tp_html_close(h);
}

static void
write_swatch(struct tp_html_page *page, const struct tp_cell *cell)
{
	char class_name[40], buf[32];

	snprintf(class_name, sizeof class_name, "sw %.*s",
		TP_ARG(tp_hue_class(cell->swatch, (int)cell->tint, buf)));
	tp_html_element(&page->out, "i", class_name, TP_S(""));
}

static bool
is_long(const struct tp_cell *cell)
{
	return cell->value.kind == TP_VALUE_TEXT && tp_cell_whole_text(cell).len > SHORT_TEXT;
}

static bool
is_high(const struct tp_column *column, const struct tp_cell *cell)
{
	return column->code && cell->value.kind == TP_VALUE_TEXT &&
		tp_cell_whole_text(cell).len > FEW_LINES;
}

/* What is "long" is one line on the screen, until it is asked for; what is "high" is a few lines without the script, too. */
static const char *
text_class(const struct tp_table *table, const struct tp_column *column, const struct tp_row *row,
	const struct tp_cell *cell)
{
	if (cell->value.kind == TP_VALUE_MISSING)
		return "na";
	if (column->bar)
		return "n4";
	if (column->code && row->role == TP_ROW_NORMAL) /* groups and totals are words of ours */
		return is_high(column, cell) ? "op long high" : is_long(cell) ? "op long" : "op";
	if (is_long(cell) && (column->code || table->column_count > FEW_COLUMNS))
		return "long";
	return "";
}

static struct tp_alike
alike(const struct tp_html_page *page, const struct tp_table *table, const struct tp_column *column,
	const struct tp_row *row)
{
	const struct tp_alike *alike = page->alike[column - table->columns];

	return alike != NULL ? alike[row - table->rows] : (struct tp_alike){0};
}

/* The name as it stands where there is no room for all of it: without what it shares with others. */
static struct tp_slice
cut(struct tp_html_page *page, struct tp_slice name, struct tp_alike a)
{
	struct tp_slice middle = {name.ptr + a.head, a.again != 0 ? a.again - a.head : 0};
	struct tp_slice rest = tp_slice_from(name, a.again != 0 ? a.again_end : a.head);

	bool fits = rest.len <= CUT_MOST;

	rest.len = tp_utf8_fit(rest, CUT_MOST);
	return tp_arena_printf(page->scratch, "%s%.*s%s%.*s%s", a.head != 0 ? "…" : "", TP_ARG(middle),
		a.again != 0 ? "…" : "", TP_ARG(rest), fits ? "" : "…");
}

/* Of a name that is cut where there is no room the style sheet shows one of its two forms. */
static void
write_name(struct tp_html_page *page, struct tp_slice name, struct tp_alike a)
{
	if (a.head == 0 && a.again == 0) {
		tp_html_breakable(page, name);
		return;
	}
	tp_html_open(&page->out, "span");
	tp_html_attr(&page->out, "data-cut", cut(page, name, a));
	tp_html_breakable(page, name);
	tp_html_close(&page->out);
}

/* The cell's text, with its link, its metric and, when missing, the reason. */
static void
write_text(struct tp_html_page *page, const struct tp_table *table, const struct tp_column *column,
	const struct tp_row *row, const struct tp_cell *cell)
{
	struct tp_html *h = &page->out;
	char buf[TP_VALUE_BUF];
	const char *class_name = text_class(table, column, row, cell);
	bool has_element = class_name[0] != '\0' || cell->metric.len > 0 || cell->full.len > 0;

	if (cell->href.len > 0) {
		tp_html_open(h, "a");
		tp_html_attr(h, "href", cell->href);
	}
	if (has_element) {
		tp_html_div(page, "span", class_name);
		/* A click on it shows all of it; a link leads to what has it whole. */
		if (is_high(column, cell) && cell->href.len == 0)
			tp_html_attr(h, "tabindex", TP_S("0"));
		if (cell->metric.len > 0)
			tp_html_attr(h, "data-metric", cell->metric);
		if (cell->value.kind == TP_VALUE_MISSING)
			tp_html_attr(h, "title", cell->value.text);
		else if (cell->full.len > 0 && !tp_slice_eq(cell->full, tp_cell_whole_text(cell)))
			tp_html_attr(h, "title", cell->full);
	}
	if (column->code && is_long(cell))
		write_name(page, tp_cell_whole_text(cell), alike(page, table, column, row));
	else
		tp_html_text(h, tp_html_cell_text(column, cell, buf));
	if (has_element)
		tp_html_close(h);
	if (cell->href.len > 0)
		tp_html_close(h);
}

/* Numbers stand right; of texts only those that are long may be broken into lines, and on a phone those of some words. */
static const char *
cell_class(const struct tp_column *column, const struct tp_cell *cell)
{
	if (is_numeric(column))
		return "r";
	if (!is_long(cell))
		return cell->value.kind == TP_VALUE_TEXT && cell->value.text.len > ONE_LINE ? "x b" : "x";
	return column->code ? "x w op-cell" : "x w";
}

/* The first column is the row's heading; in a tree it is indented. */
static void
open_cell(
	struct tp_html_page *page, const struct tp_table *table, const struct tp_row *row, size_t i)
{
	const char *class_name = cell_class(&table->columns[i], &row->cells[i]);
	const char *further = page->further[i] ? " far" : "";
	int indent = row->depth < DEEPEST_INDENT ? row->depth : DEEPEST_INDENT;
	struct tp_html *h = &page->out;

	tp_html_open(h, i == 0 ? "th" : "td");
	if (i == 0)
		tp_html_attr(h, "scope", TP_S("row"));
	if (i == 0 && table->tree)
		tp_html_attrf(h, "class", "%s in in%d", class_name, indent);
	else
		tp_html_attrf(h, "class", "%s%s", class_name, further);
}

/* The sign before a row of a tree: whether it has rows below it. The script makes a button of it. */
static void
write_twist(struct tp_html_page *page, const struct tp_table *table, size_t index)
{
	bool is_parent =
		index + 1 < table->row_count && table->rows[index + 1].depth > table->rows[index].depth;

	tp_html_element(&page->out, "span", is_parent ? "tw" : "tw leaf", TP_S(""));
	/* Below a parent that has a swatch the names stay in line. */
	if (table->rows[index].depth > 0 && table->rows[index].cells->swatch == TP_HUE_NONE)
		tp_html_element(&page->out, "i", "sw", TP_S(""));
}

static void
write_cell(struct tp_html_page *page, const struct tp_table *table, size_t index, size_t i)
{
	const struct tp_row *row = &table->rows[index];
	const struct tp_column *column = &table->columns[i];
	const struct tp_cell *cell = &row->cells[i];

	open_cell(page, table, row, i);
	if (i == 0 && table->tree)
		write_twist(page, table, index);
	if (column->bar && tp_cell_has_bar(row, cell))
		write_bar(page, cell);
	else if (!column->bar && cell->swatch != TP_HUE_NONE)
		write_swatch(page, cell);
	if (cell->judge != TP_JUDGE_NONE) {
		tp_html_glyph(page, cell->judge, tp_judge_word(cell->judge));
		tp_html_text(&page->out, TP_S(" "));
	}
	write_text(page, table, column, row, cell);
	tp_html_end(page);
}

bool
tp_html_is_deep(const struct tp_table *table, size_t index)
{
	return table->tree && table->open_depth > 0 && table->rows[index].depth > table->open_depth;
}

void
tp_html_table_row(struct tp_html_page *page, const struct tp_table *table, size_t index)
{
	/* Open and shut. */
	static const char *const roles[][2] = {
		[TP_ROW_NORMAL] = {"", "deep"},
		[TP_ROW_GROUP] = {"cat", "cat deep"},
		[TP_ROW_TOTAL] = {"tot", "tot deep"},
	};
	const struct tp_row *row = &table->rows[index];

	tp_html_newline(&page->out);
	tp_html_div(page, "tr", roles[row->role][tp_html_is_deep(table, index)]);
	if (row->id.len > 0)
		tp_html_attr(&page->out, "id", row->id);
	if (table->numbered) {
		tp_html_div(page, "td", "n");
		if (row->role == TP_ROW_NORMAL)
			tp_html_text(&page->out, tp_arena_printf(page->scratch, "%zu", index + 1));
		tp_html_end(page);
	}
	for (size_t i = 0; i < table->column_count; i++) {
		if (!page->absent[i])
			write_cell(page, table, index, i);
	}
	tp_html_end(page);
}
