/* The text of a table's cells and heads. */
#include "render/pdf_table.h"
#include "render/pdf_text.h"

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
	if (cell->href.len != 0)
		look.colour = TP_PDF_COLOUR_LINK;
	if (width > 0) {
		tp_pdf_set_lines(set, tp_pdf_is_text(c) ? c->code ? 2 : 4 : 1, c->code);
		tp_pdf_set_align(set, tp_pdf_is_text(c) ? TP_PDF_LEFT : TP_PDF_RIGHT);
	}
	tp_pdf_set_glyph(set, cell->judge, true);
	tp_pdf_set_link(set, tp_pdf_cell_shown(c, cell->value, buf), look, cell->href);
	return set;
}

/* Words of a head do not part from their unit. */
static void
add_unit(struct tp_pdf_set *set, const struct tp_column *c, struct tp_pdf_look title)
{
	struct tp_slice unit = tp_column_symbol(c);
	struct tp_pdf_look plain = {.weight = 400, .size = title.size};

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

struct tp_pdf_set *
tp_pdf_head_set(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column, double width)
{
	const struct tp_column *c = &plan->table->columns[column];
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_HEAD, width);

	tp_pdf_set_align(set, tp_pdf_is_text(c) ? TP_PDF_LEFT : TP_PDF_RIGHT);
	tp_pdf_set_lines(set, 3, false);
	tp_pdf_set_add(set, c->title, look_of_head(plan, c));
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
