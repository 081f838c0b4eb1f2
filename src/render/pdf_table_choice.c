/* Which rows and columns of a table are printed. */
#include "base/arena.h"
#include "render/pdf_table.h"

#include <limits.h>

/* What stands elsewhere, too, can be short, and so can a list of files. */
static bool
repeats(const struct tp_pdf *pdf)
{
	const struct tp_section *s = pdf->section != NULL ? &pdf->section->block->section : NULL;

	return s != NULL && (s->reference || tp_slice_eq(pdf->section->block->id, TP_S("method")));
}

enum { GROUPS = 10 }; /* of a tree, that are printed before what is in them */

/* Marks up to `most` rows that are not shut and no deeper than `deepest`; those already marked are not counted. Returns how many. */
static size_t
choose_open(const struct tp_table *t, int deepest, size_t most, bool *chosen)
{
	size_t count = 0;

	for (size_t row = 0; row < t->row_count && count < most; row++) {
		bool is_shut = t->open_depth > 0 && t->rows[row].depth > t->open_depth;

		if (chosen[row] || is_shut || t->rows[row].role == TP_ROW_TOTAL ||
			t->rows[row].depth > deepest)
			continue;
		chosen[row] = true;
		count++;
	}
	return count;
}

/* The groups come before what is in the first of them, so that those printed are not taken for all. */
static void
choose_of_tree(const struct tp_table *t, size_t most, bool *chosen)
{
	size_t groups = choose_open(t, 0, GROUPS, chosen);

	choose_open(t, INT_MAX, most > groups ? most - groups : 0, chosen);
}

void
tp_pdf_choose_rows(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	const struct tp_table *t = plan->table;
	size_t most = tp_paper_rows(t, pdf->detail, repeats(pdf));
	bool *chosen = tp_new_array(pdf->arena, bool, t->row_count);

	if (t->tree)
		choose_of_tree(t, most, chosen);
	plan->printed = tp_new_array(pdf->arena, size_t, t->row_count);
	for (size_t row = 0; row < t->row_count; row++)
		if (pdf->all_rows || t->rows[row].role == TP_ROW_TOTAL || chosen[row] ||
			(!t->tree && row < t->shown && plan->printed_count < most))
			plan->printed[plan->printed_count++] = row;
}

bool
tp_pdf_column_is_silent(const struct tp_pdf_table *plan, size_t column)
{
	for (size_t i = 0; i < plan->printed_count; i++) {
		if (tp_cell_speaks(plan->table, plan->printed[i], column))
			return false;
	}
	return true;
}

void
tp_pdf_choose_columns(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	size_t count = plan->table->column_count;
	bool *silent = tp_new_array(pdf->arena, bool, count);
	bool *same = tp_new_array(pdf->arena, bool, count);

	tp_columns_in_words(plan->table, silent, same);
	plan->same = same;
	plan->column = tp_new_array(pdf->arena, struct tp_pdf_column, count);
	for (size_t i = 0; i < count; i++) {
		bool speaks = !same[i] && !tp_pdf_column_is_silent(plan, i);

		if (i == 0 || plan->printed_count == 0 || speaks)
			plan->column[plan->columns++].index = i;
	}
}
