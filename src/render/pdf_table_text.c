/* The text of a table's cells and heads. */
#include "base/arena.h"
#include "render/names_alike.h"
#include "render/pdf_break.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"

#include <string.h>

static const double indent = 10, fold_mark = 9;

double
tp_pdf_cell_lead(const struct tp_pdf_table *plan, size_t row, size_t column)
{
	const struct tp_row *r = &plan->table->rows[row];
	const struct tp_cell *cell = &r->cells[column];
	bool text = tp_pdf_is_text(&plan->table->columns[column]);
	double lead = 0;

	if (plan->table->tree && column == 0)
		lead += r->depth * indent + fold_mark;
	if (text && cell->swatch != TP_HUE_NONE)
		lead += TP_PDF_SWATCH;
	return lead;
}

struct tp_slice
tp_pdf_cell_shown(
	const struct tp_column *column, struct tp_value value, char buf[static TP_VALUE_BUF])
{
	if (tp_pdf_is_text(column) || value.kind == TP_VALUE_TEXT)
		return tp_value_text(value, buf);
	return tp_column_text(column, value, buf);
}

/* "…" and what follows, on one line with its first letter. */
static void
add_after_dots(const struct tp_pdf *pdf, struct tp_pdf_set *set, struct tp_slice text,
	struct tp_pdf_look look, struct tp_slice href)
{
	struct tp_pdf_look whole = look;
	size_t first = text.len > 0;

	while (first < text.len && ((unsigned char)text.ptr[first] & 0xc0) == 0x80)
		first++;
	whole.whole = true;
	tp_pdf_set_link(set, tp_arena_printf(pdf->arena, "…%.*s", (int)first, text.ptr), whole, href);
	tp_pdf_set_link(set, tp_slice_from(text, first), look, href);
}

/* Without what the name shares with those of other rows. */
static void
add_name(const struct tp_pdf *pdf, struct tp_pdf_set *set, const struct tp_cell *cell,
	struct tp_alike a, struct tp_pdf_look look)
{
	struct tp_slice name = tp_cell_whole_text(cell);

	if (a.head == 0) {
		tp_pdf_set_link(set, (struct tp_slice){name.ptr, a.again}, look, cell->href);
		a.head = a.again_end;
	} else if (a.again != 0) {
		add_after_dots(
			pdf, set, (struct tp_slice){name.ptr + a.head, a.again - a.head}, look, cell->href);
		a.head = a.again_end;
	}
	add_after_dots(pdf, set, tp_slice_from(name, a.head), look, cell->href);
}

static struct tp_alike
alike(const struct tp_pdf_table *plan, size_t row, size_t column)
{
	return plan->alike[column][row];
}

static bool
is_alike(const struct tp_pdf_table *plan, size_t row, size_t column)
{
	struct tp_alike a = alike(plan, row, column);

	return a.head != 0 || a.again != 0;
}

/* How many lines the text of a cell may take. */
static int
lines_of(const struct tp_pdf_table *plan, size_t row, size_t column)
{
	const struct tp_column *c = &plan->table->columns[column];
	int more = plan->more_lines[column][row];

	return !tp_pdf_is_text(c) ? 1 : more + (!c->code ? 4 : is_alike(plan, row, column) ? 3 : 2);
}

/* What is added behind a name that is cut. */
static size_t
number_of(const struct tp_pdf_table *plan, size_t row, size_t column)
{
	return plan->number[column] != NULL ? plan->number[column][row] : 0;
}

/* The lines of a name that is broken where its parts end, at most one more than it may take else. False: it cannot be, or need not. */
static bool
add_lines(struct tp_pdf_set *set, const struct tp_pdf_table *plan, size_t row, size_t column,
	struct tp_pdf_look look, double width)
{
	enum { MOST = 8, NUMBER = 5 };
	const struct tp_cell *cell = &plan->table->rows[row].cells[column];
	struct tp_alike a = alike(plan, row, column);
	char buf[TP_VALUE_BUF];
	struct tp_slice name = tp_pdf_cell_shown(&plan->table->columns[column], cell->value, buf);
	size_t ends[MOST], letters = (size_t)(width / tp_pdf_code_letter(look.size)), from = 0;
	size_t lines = (size_t)lines_of(plan, row, column) + 1;

	if (a.again != 0 || letters < 8)
		return false;
	if (a.head != 0) {
		name = tp_slice_from(tp_cell_whole_text(cell), a.head);
		letters--;
	}
	size_t count = tp_pdf_break_name(name, letters, number_of(plan, row, column) != 0 ? NUMBER : 0,
		ends, lines < MOST ? lines : MOST);

	if (count < 2)
		return false;
	if (a.head != 0)
		tp_pdf_set_link(set, TP_S("…"), look, cell->href);
	for (size_t i = 0; i < count; from = ends[i++]) {
		if (i > 0)
			tp_pdf_set_break(set);
		look.whole = true;
		tp_pdf_set_link(set, (struct tp_slice){name.ptr + from, ends[i] - from}, look, cell->href);
	}
	return true;
}

struct tp_pdf_set *
tp_pdf_cell_set(
	struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t row, size_t column, double width)
{
	static const int weights[] = {
		[TP_ROW_NORMAL] = 400, [TP_ROW_GROUP] = 500, [TP_ROW_TOTAL] = 600};
	const struct tp_column *c = &plan->table->columns[column];
	const struct tp_row *r = &plan->table->rows[row];
	const struct tp_cell *cell = &r->cells[column];
	char buf[TP_VALUE_BUF];
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_CELL, width);
	struct tp_pdf_look look = {
		.weight = weights[r->role],
		.size = 8 * plan->scale,
		/* The names of groups and totals are ours, not the profile's. */
		.code = c->code && r->role == TP_ROW_NORMAL && cell->value.kind == TP_VALUE_TEXT,
	};

	if (!tp_known(cell->value))
		look.colour = TP_PDF_COLOUR_INK3;
	if (tp_slice_starts(cell->href, TP_S("#")))
		look.colour = TP_PDF_COLOUR_LINK;
	if (width > 0) {
		tp_pdf_set_lines(set, lines_of(plan, row, column), c->code);
		tp_pdf_set_align(set, tp_pdf_is_text(c) ? TP_PDF_LEFT : TP_PDF_RIGHT);
	}
	tp_pdf_set_glyph(set, cell->judge, true);
	if (look.code && width > 0 && cell->judge == TP_JUDGE_NONE &&
		add_lines(set, plan, row, column, look, width))
		tp_pdf_set_lines(set, 0, false);
	else if (is_alike(plan, row, column))
		add_name(pdf, set, cell, alike(plan, row, column), look);
	else
		tp_pdf_set_link(set, tp_pdf_cell_shown(c, cell->value, buf), look, cell->href);
	if (number_of(plan, row, column) != 0)
		tp_pdf_set_add(set,
			tp_arena_printf(pdf->arena, "\u00a0[%zu]", number_of(plan, row, column)),
			(struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK3, .whole = true});
	return set;
}

/* Words of a head do not part from their unit. */
static void
add_unit(struct tp_pdf_set *set, const struct tp_column *c, struct tp_pdf_look title)
{
	struct tp_slice unit = tp_column_symbol(c);
	struct tp_pdf_look plain = {.weight = 400, .size = title.size, .whole = true};

	if (unit.len > 0) {
		tp_pdf_set_add(set, TP_S(",\u00a0"), plain);
		tp_pdf_set_add(set, unit, plain);
	}
	if (c->sorted)
		tp_pdf_set_add(set, TP_S("\u00a0▾"), title);
}

static struct tp_pdf_look
look_of_head(const struct tp_pdf_table *plan, const struct tp_column *c)
{
	return (struct tp_pdf_look){
		.size = 7.6 * plan->scale, .colour = c->sorted ? TP_PDF_COLOUR_INK : TP_PDF_COLOUR_TYPE};
}

/* No word of it is broken, as in "FLOP/s". */
static void
add_title(struct tp_pdf_set *set, struct tp_slice title, struct tp_pdf_look look)
{
	while (title.len > 0) {
		const char *blank = memchr(title.ptr, ' ', title.len);
		size_t length = blank != NULL ? (size_t)(blank - title.ptr) : title.len;

		look.whole = true;
		tp_pdf_set_add(set, (struct tp_slice){title.ptr, length}, look);
		look.whole = false;
		if (blank != NULL)
			tp_pdf_set_add(set, TP_S(" "), look);
		title = tp_slice_from(title, length + 1);
	}
}

struct tp_pdf_set *
tp_pdf_head_set(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column, double width)
{
	const struct tp_column *c = &plan->table->columns[column];
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_HEAD, width);

	tp_pdf_set_align(set, tp_pdf_is_text(c) ? TP_PDF_LEFT : TP_PDF_RIGHT);
	tp_pdf_set_lines(set, 3, false);
	add_title(set, c->title, look_of_head(plan, c));
	add_unit(set, c, look_of_head(plan, c));
	return set;
}

double
tp_pdf_head_word(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column)
{
	const struct tp_column *c = &plan->table->columns[column];
	struct tp_slice rest = c->title;
	double widest = 0;

	while (rest.len > 0) {
		const char *blank = memchr(rest.ptr, ' ', rest.len);
		size_t length = blank != NULL ? (size_t)(blank - rest.ptr) : rest.len;
		struct tp_pdf_set *word = tp_pdf_set_new(pdf, TP_PDF_HEAD, 0);

		tp_pdf_set_add(word, (struct tp_slice){rest.ptr, length}, look_of_head(plan, c));
		if (blank == NULL)
			add_unit(word, c, look_of_head(plan, c));
		double width = tp_pdf_set_width(word);

		tp_pdf_set_drop(word);
		widest = width > widest ? width : widest;
		rest = tp_slice_from(rest, length + 1);
	}
	return widest;
}
