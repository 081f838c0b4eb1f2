/* Names of rows that tables cut get a number, under which they stand in full at the end: paper has no tooltip. */
#include "base/arena.h"
#include "render/names_alike.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"

#include <string.h>

enum { MOST_NAMES = 30, FEW_NAMES = 12, MOST_LINES = 3 };

static size_t
most_names(const struct tp_pdf *pdf)
{
	return pdf->all_rows ? SIZE_MAX : pdf->detail < TP_PAPER_FEW_ROWS ? MOST_NAMES : FEW_NAMES;
}

static bool
is_cut(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t row,
	const struct tp_pdf_column *column)
{
	static const double widest_letter = 8;
	const struct tp_alike *alike = &plan->alike[column->index][row];
	const struct tp_cell *cell = &plan->table->rows[row].cells[column->index];
	double room = column->width - tp_pdf_cell_lead(plan, row, column->index);

	if (alike->head != 0 || alike->again != 0 ||
		tp_cell_whole_text(cell).len > cell->value.text.len)
		return true;
	if ((double)cell->value.text.len * widest_letter < 2 * room)
		return false;
	struct tp_pdf_set *set = tp_pdf_cell_set(pdf, plan, row, column->index, room);
	bool cut = tp_pdf_set_cut(set);

	tp_pdf_set_drop(set);
	return cut;
}

/* 0: there are too many already. */
static unsigned
number_of(struct tp_pdf *pdf, struct tp_slice name)
{
	uint32_t known = tp_strings_find(&pdf->cut_names, name);

	if (known != TP_MAP_NONE)
		return known;
	return pdf->cut_names.count <= most_names(pdf) ? tp_intern(&pdf->cut_names, name) : 0;
}

/* Columns behind the first hold lists, too, of which the whole would say little more. */
static bool
is_name(const struct tp_cell *cell, size_t column)
{
	struct tp_slice text = cell->value.text;

	return cell->value.kind == TP_VALUE_TEXT && text.len > 0 &&
		(column == 0 || memchr(text.ptr, ' ', text.len) == NULL);
}

static void
number_column(struct tp_pdf *pdf, struct tp_pdf_table *plan, const struct tp_pdf_column *column)
{
	unsigned *numbers = tp_new_array(pdf->arena, unsigned, plan->table->row_count);

	for (size_t i = 0; i < plan->printed_count; i++) {
		size_t row = plan->printed[i];
		const struct tp_row *r = &plan->table->rows[row];
		const struct tp_cell *cell = &r->cells[column->index];

		if (r->role != TP_ROW_NORMAL || !is_name(cell, column->index) ||
			!is_cut(pdf, plan, row, column))
			continue;
		numbers[row] = number_of(pdf, tp_cell_whole_text(cell));
		plan->numbers = plan->numbers || numbers[row] != 0;
	}
	plan->number[column->index] = numbers;
}

void
tp_pdf_number_names(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	for (size_t i = 0; i < plan->columns; i++)
		if (plan->table->columns[plan->column[i].index].code)
			number_column(pdf, plan, &plan->column[i]);
}

void
tp_pdf_names_in_full(struct tp_pdf *pdf)
{
	struct tp_block *heading = tp_new(pdf->arena, struct tp_block);

	if (pdf->cut_names.count <= 1) /* the empty one */
		return;
	heading->kind = TP_BLOCK_SECTION;
	heading->id = TP_S("names-in-full");
	heading->section = (struct tp_section){
		.role = TP_SECTION_SUB, .title = TP_S("Names in full, by their numbers")};
	tp_pdf_heading(pdf, heading);
	for (uint32_t i = 1; i < pdf->cut_names.count; i++) {
		struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_FOLD, pdf->width);

		tp_pdf_set_lines(set, MOST_LINES, true);
		tp_pdf_set_add(set, tp_arena_printf(pdf->arena, "%u\u00a0\u00a0", i),
			(struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK3});
		tp_pdf_set_add(set, tp_string(&pdf->cut_names, i),
			(struct tp_pdf_look){.code = true, .colour = TP_PDF_COLOUR_INK});
		tp_pdf_piece_text(pdf, 1.5, set, "P");
	}
	pdf->last->closes++;
}
