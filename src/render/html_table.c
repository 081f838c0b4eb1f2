/* Tables in HTML: the first rows stand open, more fold out without a script, very many are data for the script. */
#include "render/html.h"
#include "render/names_alike.h"

#include "base/arena.h"
#include "base/number.h"
#include "io/sink.h"
#include "render/json_writer.h"
#include "render/renderer.h"

enum {
	MANY_COLUMNS = 9, /* set smaller on paper */
	FEW_ROWS = 6,
	MOST_CUT = 8,     /* as the page's CSS has it */
	FEW_COLUMNS = 4,  /* so few do not need the whole width */
	CORE_COLUMNS = 8, /* that are shown at first */
	NAME_SHOWN =
		32, /* bytes of a name that a narrow column has room for, and a phone in two lines */
};

static void
write_body(struct tp_html_page *page, const struct tp_table *table, size_t count)
{
	if (count == 0)
		return;
	tp_html_div(page, "tbody", "");
	for (size_t i = 0; i < count; i++)
		tp_html_table_row(page, table, i);
	tp_html_end(page);
}

/* Whether there is room for more in what all tables share, of which one takes no more than a third. */
static bool
has_room(const struct tp_html_page *page, size_t by_others, size_t by_this, size_t limit)
{
	return page->options->all_rows || (by_others + by_this < limit && by_this < limit / 3);
}

/* Up to, but not including, the row that it returns. */
static size_t
write_folded(struct tp_html_page *page, const struct tp_table *table, size_t from, size_t to)
{
	size_t start = tp_sink_written(page->out.out), size = 0;

	tp_html_div(page, "tbody", "rest");
	for (; from < to && has_room(page, page->folded_bytes, size, TP_HTML_FOLDED_BYTES); from++) {
		tp_html_table_row(page, table, from);
		size = tp_sink_written(page->out.out) - start;
	}
	tp_html_end(page);
	page->folded_bytes += size;
	return from;
}

/* Rows that are not written as HTML: [[depth, "text", …], …] for the script. Up to, but not including, the row that it
 * returns. */
static size_t
write_data_rows(struct tp_html_page *page, const struct tp_table *table, size_t from)
{
	struct tp_sink *json;
	size_t r = from;

	if (from >= table->row_count)
		return from;
	json = tp_sink_memory();
	for (; r < table->row_count; r++) {
		if (r != from &&
			!has_room(page, page->data_bytes, tp_sink_written(json), TP_HTML_DATA_BYTES))
			break;
		tp_sink_printf(json, "%s[%d", r == from ? "[" : ",\n", table->rows[r].depth);
		for (size_t i = 0; i < table->column_count; i++) {
			char buf[TP_VALUE_BUF];

			if (page->absent[i])
				continue;
			tp_sink_puts(json, ",");
			struct tp_slice text =
				tp_html_cell_text(&table->columns[i], &table->rows[r].cells[i], buf);

			tp_json_put_string(json, tp_html_seen(text, page->scratch));
		}
		tp_sink_puts(json, "]");
	}
	tp_sink_puts(json, "]");
	tp_html_div(page, "script", "rows");
	tp_html_attr(&page->out, "type", TP_S("application/json"));
	tp_html_json(&page->out, tp_sink_bytes(json));
	page->data_bytes += tp_sink_written(json);
	tp_html_end(page);
	tp_sink_close(json);
	return r;
}

/* What a template needs to know of a table. */
struct table_view {
	struct tp_slice id, caption;
	struct tp_slice box, class; /* of the page's CSS */
	struct tp_slice life;
	struct tp_slice same, silence; /* what is said of columns that the table lacks */
	const struct tp_table *table;
	size_t shown;
	size_t on_paper;   /* of these, besides totals */
	size_t columns;    /* that it has */
	size_t further;    /* of these, that are shown when they are asked for */
	size_t *html_rows; /* that may be written; once they are, that were */
	size_t *held;      /* once they are written: those, and the ones for the script */
};

/* Rows of the table that a browser prints, besides totals, as a PDF of few pages would; SIZE_MAX: all that stand open. */
static size_t
rows_on_paper(const struct tp_html_page *page, const struct tp_table *table)
{
	size_t rows = tp_paper_rows(table, page->paper, false);

	return page->options->all_rows || rows > MOST_CUT ? SIZE_MAX : rows;
}

/* Few rows are kept on one sheet of paper; of more the first are printed. */
static struct tp_slice
box_of(const struct tp_html_page *page, const struct table_view *view)
{
	const char *few = view->shown <= FEW_ROWS ? " few" : "";

	if (view->on_paper >= view->shown)
		return tp_arena_printf(page->scratch, "tb%s", few);
	return tp_arena_printf(page->scratch, "tb%s p%zu", few, view->on_paper);
}

static struct tp_slice
class_of(const struct table_view *view)
{
	if (view->table->tree)
		return view->columns >= MANY_COLUMNS ? TP_S("t tree many") : TP_S("t tree");
	if (view->columns >= MANY_COLUMNS)
		return TP_S("t many");
	return view->columns <= FEW_COLUMNS ? TP_S("t half") : TP_S("t");
}

/* Why columns are left out: the reason of each one's first cell. */
static struct tp_slice
silence_of(struct tp_html_page *page, const struct tp_table *table, const bool *silent)
{
	struct tp_slice *reasons = tp_new_array(page->scratch, struct tp_slice, table->column_count);

	for (size_t i = 0; i < table->column_count; i++) {
		if (silent[i] && !tp_known(table->rows[0].cells[i].value))
			reasons[i] = table->rows[0].cells[i].value.text;
	}
	/* A view is read by itself. */
	if (page->silences_of != tp_html_view(page)) {
		page->silences.count = 0;
		page->silences_of = tp_html_view(page);
	}
	return tp_silence_words(table, reasons, &page->silences, page->scratch);
}

/* In a large page folded rows stand in <noscript>, too. Those of a tree do not: they open one by one. */
static bool
has_later_rows(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;

	return page->large && !page->later && !view->table->tree && *view->html_rows > view->shown;
}

static void
later_rows(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;

	*view->html_rows = write_folded(page, view->table, view->shown, *view->html_rows);
}

static void
rows(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;

	tp_html_table_head(page, view->table);
	write_body(page, view->table, view->shown);
	if (*view->html_rows > view->shown && !has_later_rows(page, thing))
		later_rows(page, thing);
}

static struct tp_slice
folded(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;
	size_t count = *view->html_rows - view->shown;

	return count > 0 ? tp_arena_printf(page->scratch, "%zu", count) : TP_S("");
}

/* Rows of a tree that are shut at first. */
static struct tp_slice
deep(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;
	size_t count = 0;

	for (size_t i = 0; i < *view->html_rows; i++)
		count += tp_html_is_deep(view->table, i);
	if (count == 0)
		return TP_S("");
	return tp_arena_printf(page->scratch, "%zu %s", count, tp_plural(count, "row", "rows"));
}

/* "12 more rows": what paper lacks of the table. */
static struct tp_slice
off_sheet(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;
	size_t printed = 0;

	for (size_t i = 0; i < view->shown; i++) {
		bool is_total = view->table->rows[i].role == TP_ROW_TOTAL;

		printed += !tp_html_is_deep(view->table, i) && (printed < view->on_paper || is_total);
	}
	size_t count = view->table->row_count - printed;

	return count == 0
		? TP_S("")
		: tp_arena_printf(page->scratch, "%zu more %s", count, tp_plural(count, "row", "rows"));
}

/* "4 more columns" */
static struct tp_slice
further(struct tp_html_page *page, const void *thing)
{
	size_t count = ((const struct table_view *)thing)->further;

	return count == 0 ? TP_S("")
					  : tp_arena_printf(page->scratch, "%zu more %s", count,
							tp_plural(count, "column", "columns"));
}

/* "1 row is", "1,200 rows are" */
static struct tp_slice
rows_are(struct tp_html_page *page, size_t count, const char *one, const char *many)
{
	char buf[TP_VALUE_BUF];

	return tp_arena_printf(page->scratch, "%.*s %s", TP_ARG(tp_value_text(tp_count(count), buf)),
		tp_plural(count, one, many));
}

static struct tp_slice
data_count(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;

	if (*view->html_rows == view->table->row_count)
		return TP_S("");
	return rows_are(
		page, view->table->row_count - *view->html_rows, "further row is", "further rows are");
}

static void
data_rows(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;

	if (tp_html_packs(page, view->table)) {
		tp_html_columns(page, view->table);
		*view->held = view->table->row_count;
		return;
	}
	*view->held = write_data_rows(page, view->table, *view->html_rows);
}

static struct tp_slice
left_out(struct tp_html_page *page, const void *thing)
{
	const struct table_view *view = thing;

	if (*view->held == view->table->row_count)
		return TP_S("");
	return rows_are(page, view->table->row_count - *view->held, "row is", "rows are");
}

/* Of a column, among those that the page has. */
static size_t
place_of(const struct tp_html_page *page, size_t column)
{
	size_t place = 0;

	for (size_t i = 0; i < column; i++)
		place += !page->absent[i];
	return place;
}

/* For the script: which strip shows the rows' lifetimes, and the columns that say them. */
static struct tp_slice
life_of(struct tp_html_page *page, const struct tp_table_life *l)
{
	return l == NULL ? TP_S("")
					 : tp_arena_printf(page->scratch, "%zu %zu %zu %.*s", place_of(page, l->start),
						   place_of(page, l->end), place_of(page, l->kind), TP_ARG(l->chart));
}

static const struct tp_slot slots[] = {
	{.name = "life", TP_SLOT_TEXT(table_view, life)},
	{.name = "id", TP_SLOT_TEXT(table_view, id)},
	{.name = "caption", TP_SLOT_TEXT(table_view, caption)},
	{.name = "box", TP_SLOT_TEXT(table_view, box)},
	{.name = "class", TP_SLOT_TEXT(table_view, class)},
	{.name = "rows", .write = rows},
	{.name = "later-rows", .write = later_rows, .has = has_later_rows},
	{.name = "folded", .text = folded},
	{.name = "deep", .text = deep},
	{.name = "off-sheet", .text = off_sheet},
	{.name = "further", .text = further},
	{.name = "data-count", .text = data_count},
	{.name = "data-rows", .write = data_rows},
	{.name = "left-out", .text = left_out},
	{.name = "same", TP_SLOT_TEXT(table_view, same)},
	{.name = "silence", TP_SLOT_TEXT(table_view, silence)},
	{.name = NULL},
};

static void
table(struct tp_html_page *page, const void *thing)
{
	bool later = tp_html_begin_later(page);

	tp_fill(page->templates, "table.html", slots, thing);
	tp_html_end_later(page, later);
}

/* "8 rows" */
static struct tp_slice
row_count(struct tp_html_page *page, const void *thing)
{
	return rows_are(page, ((const struct table_view *)thing)->table->row_count, "row", "rows");
}

static const struct tp_slot fold_slots[] = {
	{.name = "caption", TP_SLOT_TEXT(table_view, caption)},
	{.name = "row-count", .text = row_count},
	{.name = "table", .write = table},
	{.name = NULL},
};

void
tp_html_table(struct tp_html_page *page, const struct tp_block *block)
{
	const struct tp_table *table = &block->table;
	size_t held = 0, html_rows = table->row_count < TP_HTML_ROWS ? table->row_count : TP_HTML_ROWS;
	bool *silent = tp_new_array(page->scratch, bool, table->column_count);
	bool *same = tp_new_array(page->scratch, bool, table->column_count);
	bool *absent = tp_new_array(page->scratch, bool, table->column_count);
	bool *further = tp_new_array(page->scratch, bool, table->column_count);
	struct table_view view = {.id = block->id,
		.caption = table->caption,
		.table = table,
		.html_rows = &html_rows,
		.held = &held};

	tp_columns_in_words(table, silent, same);
	/* What a template of the user's does not say in words, or opens on demand, stands in the table. */
	bool says_same = tp_templates_show(page->templates, "table.html", "same");

	for (size_t i = 0; i < table->column_count; i++) {
		absent[i] = silent[i] || (same[i] && says_same);
		view.columns += !absent[i];
	}
	if (tp_templates_show(page->templates, "table.html", "further"))
		view.further = tp_columns_further(table, absent, CORE_COLUMNS, further);
	page->absent = absent;
	page->further = further;
	page->alike = tp_new_array(page->scratch, const struct tp_alike *, table->column_count);
	for (size_t i = 0; i < table->column_count; i++)
		page->alike[i] = tp_names_alike(table, i, NAME_SHOWN, page->scratch);
	view.shown = table->shown < table->row_count ? table->shown : table->row_count;
	view.shown = view.shown < TP_HTML_ROWS ? view.shown : TP_HTML_ROWS;
	/* Where there is no room for one folded row, there is no fold to open. */
	if (!has_room(page, page->folded_bytes, 0, TP_HTML_FOLDED_BYTES))
		html_rows = view.shown;
	view.on_paper = rows_on_paper(page, table);
	view.box = box_of(page, &view);
	view.class = class_of(&view);
	view.life = life_of(page, table->life);
	view.same = tp_sameness_words(table, same, page->scratch);
	view.silence = silence_of(page, table, silent);
	if (tp_html_is_folded(page, block))
		tp_fill(page->templates, "table-fold.html", fold_slots, &view);
	else
		tp_fill(page->templates, "table.html", slots, &view);
}
