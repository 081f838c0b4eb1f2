/* Cells of a printed table that were cut: no two that say different things look alike. They get more lines; where these do not do, they are
 * cut before what differs. */
#include "base/arena.h"
#include "render/names_alike.h"
#include "render/names_parts.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"

#include <stdlib.h>

enum {
	MOST_MORE = 2,    /* lines, of one cell */
	FIRST_BYTES = 24, /* of a text, that are kept at most when it is cut before what differs */
};

struct drawn {
	struct tp_slice text, whole;
	size_t row;
};

static int
by_text(const void *a, const void *b)
{
	const struct drawn *x = a, *y = b;
	int order = tp_slice_cmp(x->text, y->text);

	return order != 0 ? order : tp_slice_cmp(x->whole, y->whole);
}

/* The texts that were cut, as they are drawn; those of printed rows only. Returns their count. */
static size_t
cut_texts(struct tp_pdf *pdf, const struct tp_pdf_table *plan, const struct tp_pdf_column *column,
	struct drawn *drawn)
{
	static const double widest_letter = 8;
	size_t count = 0;

	for (size_t i = 0; i < plan->printed_count; i++) {
		size_t row = plan->printed[i];
		const struct tp_cell *cell = &plan->table->rows[row].cells[column->index];
		double room = column->width - tp_pdf_cell_lead(plan, row, column->index);

		/* Most are so short that they need not be set to know. */
		if (cell->value.kind != TP_VALUE_TEXT ||
			(double)cell->value.text.len * widest_letter < 2 * room)
			continue;
		struct tp_pdf_set *set = tp_pdf_cell_set(pdf, plan, row, column->index, room);

		if (tp_pdf_set_cut(set))
			drawn[count++] = (struct drawn){tp_pdf_set_shown(set), tp_cell_whole_text(cell), row};
		tp_pdf_set_drop(set);
	}
	return count;
}

/* Where the run of texts that look like the one at `from` ends. */
static size_t
end_of_alike(const struct drawn *drawn, size_t from, size_t count)
{
	size_t next = from + 1;

	while (next < count && tp_slice_eq(drawn[from].text, drawn[next].text))
		next++;
	return next;
}

typedef void apart(
	struct tp_pdf_table *plan, size_t column, const struct drawn *drawn, size_t count);

/* Calls `tell` for each run of different texts that look alike. Returns whether there was any. */
static bool
each_alike(struct tp_pdf *pdf, struct tp_pdf_table *plan, const struct tp_pdf_column *column,
	struct drawn *drawn, apart *tell)
{
	size_t count = cut_texts(pdf, plan, column, drawn);
	bool any = false;

	if (count > 1)
		qsort(drawn, count, sizeof *drawn, by_text);
	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_alike(drawn, i, count);
		if (tp_slice_eq(drawn[i].whole, drawn[next - 1].whole))
			continue;
		any = true;
		tell(plan, column->index, drawn + i, next - i);
	}
	return any;
}

static void
add_line(struct tp_pdf_table *plan, size_t column, const struct drawn *drawn, size_t count)
{
	for (size_t i = 0; i < count; i++)
		plan->more_lines[column][drawn[i].row]++;
}

/* Leaves out what stands between the text's first word and the word that tells it from its neighbours. */
static void
cut_before_difference(
	struct tp_pdf_table *plan, size_t column, const struct drawn *drawn, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct tp_slice text = drawn[i].whole;
		struct tp_alike *alike = &plan->alike[column][drawn[i].row];
		uint32_t differs = 0, first = alike->head;

		for (size_t n = i > 0 ? i - 1 : 0; n < count && n <= i + 1; n++) {
			uint32_t common = tp_names_common(text, drawn[n].whole);

			if (!tp_slice_eq(text, drawn[n].whole) && common > differs)
				differs = common;
		}
		if (differs >= text.len)
			continue;
		while (first < differs && first < alike->head + FIRST_BYTES &&
			tp_name_in_word(text.ptr[first]))
			first++;
		alike->again = first;
		alike->again_end = tp_name_word(text, differs);
	}
}

void
tp_pdf_table_tell_apart(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	for (size_t i = 0; i < plan->columns; i++) {
		const struct tp_pdf_column *column = &plan->column[i];
		bool alike = true;

		if (!tp_pdf_is_text(&plan->table->columns[column->index]))
			continue;
		struct drawn *drawn = tp_new_array(pdf->arena, struct drawn, plan->printed_count);

		for (int line = 0; line < MOST_MORE && alike; line++)
			alike = each_alike(pdf, plan, column, drawn, add_line);
		if (alike)
			each_alike(pdf, plan, column, drawn, cut_before_difference);
	}
}
