/* The lines below a printed table: rows and columns that are left out, reasons of missing figures. */
#include "base/arena.h"
#include "base/number.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"

static void
add_line(struct tp_pdf *pdf, struct tp_pdf_set *set)
{
	pdf->last->with_next = true;
	tp_pdf_piece_text(pdf, 4, set, "P");
}

static bool
is_printed(const struct tp_pdf_table *plan, size_t column)
{
	for (size_t i = 0; i < plan->columns; i++)
		if (plan->column[i].index == column)
			return true;
	return false;
}

static size_t
columns_without_room(const struct tp_pdf_table *plan)
{
	size_t count = 0;

	for (size_t column = 0; column < plan->table->column_count; column++)
		count += !is_printed(plan, column) && !plan->same[column] &&
			!tp_pdf_column_is_silent(plan, column);
	return count;
}

/* Once in a report, behind another line below the table if there is one. */
static void
say_numbers(
	struct tp_pdf *pdf, const struct tp_pdf_table *plan, struct tp_pdf_set *set, const char *before)
{
	if (!plan->numbers || pdf->numbers_said)
		return;
	pdf->numbers_said = true;
	tp_pdf_set_plain(set,
		tp_arena_printf(
			pdf->arena, "%sNames with a number, as [1], stand in full at the end.", before));
}

static void
say_rest(struct tp_pdf *pdf, const struct tp_pdf_table *plan)
{
	size_t rows = plan->table->row_count - plan->printed_count;
	size_t columns = columns_without_room(plan);
	struct tp_pdf_set *set;

	if (rows == 0 && columns == 0)
		return;
	set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);
	if (rows > 0)
		tp_pdf_set_plain(set, tp_arena_printf(pdf->arena, "%zu more", rows));
	if (columns > 0)
		tp_pdf_set_plain(set,
			tp_arena_printf(pdf->arena, "%s%zu more %s", rows > 0 ? " and " : "", columns,
				tp_plural(columns, "column", "columns")));
	tp_pdf_set_plain(set, TP_S(" in the HTML and in report.json"));
	tp_pdf_set_plain(set, rows > 0 ? TP_S("; --top N prints more.") : TP_S("."));
	say_numbers(pdf, plan, set, " ");
	add_line(pdf, set);
}

/* Links to rows that are not printed lead to the table. */
static void
redirect_links(struct tp_pdf *pdf, const struct tp_pdf_table *plan, struct tp_slice block)
{
	const struct tp_table *t = plan->table;
	size_t next = 0;

	for (size_t row = 0; row < t->row_count; row++) {
		if (next < plan->printed_count && plan->printed[next] == row)
			next++;
		else
			tp_pdf_anchor_instead(pdf, t->rows[row].id, block);
	}
}

/* Why a column says nothing: the reason of its first cell, empty when it has none. */
static struct tp_slice
silence_of(const struct tp_pdf_table *plan, size_t column)
{
	struct tp_slice none = {NULL, 0};

	if (plan->printed_count == 0 || is_printed(plan, column) ||
		!tp_pdf_column_is_silent(plan, column))
		return none;
	struct tp_value value = plan->table->rows[plan->printed[0]].cells[column].value;

	return tp_known(value) ? none : value.text;
}

/* Below the table. Nothing where there are no words. */
static void
add_words(struct tp_pdf *pdf, const struct tp_pdf_table *plan, struct tp_slice words)
{
	if (words.len == 0)
		return;
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

	tp_pdf_set_plain(set, words);
	tp_pdf_set_plain(set, TP_S("."));
	say_numbers(pdf, plan, set, " ");
	add_line(pdf, set);
}

/* Columns of one text in all rows, or of nothing but dashes, are words instead. */
static void
explain_columns(struct tp_pdf *pdf, const struct tp_pdf_table *plan)
{
	const struct tp_table *t = plan->table;
	struct tp_slice *reasons = tp_new_array(pdf->arena, struct tp_slice, t->column_count);

	for (size_t column = 0; column < t->column_count; column++)
		reasons[column] = silence_of(plan, column);
	if (plan->printed_count > 0)
		add_words(pdf, plan, tp_sameness_words(t, plan->same, pdf->arena));
	add_words(pdf, plan, tp_silence_words(t, reasons, NULL, pdf->arena));
}

/* Whether a cell of the row that is printed says it. */
static bool
row_says(const struct tp_pdf_table *plan, const struct tp_row *row, struct tp_slice words)
{
	for (size_t i = 0; i < plan->columns; i++) {
		struct tp_value value = row->cells[plan->column[i].index].value;

		if (value.kind == TP_VALUE_TEXT && tp_slice_eq(value.text, words))
			return true;
	}
	return false;
}

/* Paper has no tooltip, so the reasons of what is missing stand below, unless they stand beside it. */
static void
explain_cells(struct tp_pdf *pdf, const struct tp_pdf_table *plan)
{
	enum { MOST = 3 };
	struct tp_slice reasons[MOST];
	size_t count = 0, cells = plan->printed_count * plan->columns;

	for (size_t i = 0; i < cells && count < MOST; i++) {
		const struct tp_row *row = &plan->table->rows[plan->printed[i / plan->columns]];
		struct tp_value value = row->cells[plan->column[i % plan->columns].index].value;
		bool known = tp_known(value) || value.text.len == 0 || row_says(plan, row, value.text);

		for (size_t r = 0; r < count && !known; r++)
			known = tp_slice_eq(reasons[r], value.text);
		if (!known)
			reasons[count++] = value.text;
	}
	if (count == 0)
		return;
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

	for (size_t r = 0; r < count; r++) {
		tp_pdf_set_plain(set, r == 0 ? TP_S("–\u2002") : TP_S("; "));
		tp_pdf_set_plain(set, reasons[r]);
	}
	add_line(pdf, set);
}

void
tp_pdf_table_rest(struct tp_pdf *pdf, const struct tp_pdf_table *plan, struct tp_slice block)
{
	redirect_links(pdf, plan, block);
	say_rest(pdf, plan);
	explain_columns(pdf, plan);
	if (plan->numbers && !pdf->numbers_said) {
		struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

		say_numbers(pdf, plan, set, "");
		add_line(pdf, set);
	}
	explain_cells(pdf, plan);
}
