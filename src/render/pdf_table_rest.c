/* What stands below a table: how much is left out, and why figures are missing. */
#include "base/arena.h"
#include "render/pdf_anchor.h"
#include "render/pdf_page.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"

static void
leave_out(struct tp_pdf *pdf, const struct tp_pdf_table *plan, struct tp_slice block)
{
	const struct tp_table *t = plan->table;
	size_t left_out = t->row_count - plan->printed_count, next = 0;
	size_t columns = t->column_count - plan->columns;

	for (size_t row = 0; row < t->row_count; row++) {
		if (next < plan->printed_count && plan->printed[next] == row)
			next++;
		else
			tp_pdf_anchor_instead(pdf, t->rows[row].id, block);
	}
	if (left_out == 0 && columns == 0)
		return;
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);
	struct tp_slice text = columns == 0
		? tp_arena_printf(pdf->arena,
			  "%zu more in the HTML and in the embedded report.json; --top N prints more.",
			  left_out)
		: tp_arena_printf(pdf->arena,
			  "%zu more rows and %zu more columns in the HTML and in the embedded report.json.",
			  left_out, columns);

	tp_pdf_set_add(set, text, (struct tp_pdf_look){0});
	pdf->last->with_next = true;
	tp_pdf_piece_text(pdf, 4, set, "P");
}

/* Paper has no tooltip, so the reasons of what is missing stand below. */
static void
give_reasons(struct tp_pdf *pdf, const struct tp_pdf_table *plan)
{
	enum { MOST = 3 };
	struct tp_slice reasons[MOST];
	size_t count = 0;

	for (size_t i = 0; i < plan->printed_count * plan->columns && count < MOST; i++) {
		struct tp_value value =
			plan->table->rows[plan->printed[i / plan->columns]].cells[i % plan->columns].value;
		bool known = tp_known(value) || value.text.len == 0;

		for (size_t r = 0; r < count && !known; r++)
			known = tp_slice_eq(reasons[r], value.text);
		if (!known)
			reasons[count++] = value.text;
	}
	if (count == 0)
		return;
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

	tp_pdf_set_add(set, TP_S("–\u2002"), (struct tp_pdf_look){0});
	for (size_t r = 0; r < count; r++) {
		if (r > 0)
			tp_pdf_set_add(set, TP_S("; "), (struct tp_pdf_look){0});
		tp_pdf_set_add(set, reasons[r], (struct tp_pdf_look){0});
	}
	pdf->last->with_next = true;
	tp_pdf_piece_text(pdf, 4, set, "P");
}

void
tp_pdf_table_rest(struct tp_pdf *pdf, const struct tp_pdf_table *plan, struct tp_slice block)
{
	leave_out(pdf, plan, block);
	give_reasons(pdf, plan);
}
