/* Tables in a PDF: a head that comes again on every page, rows that are never broken, a line saying what is left out. */
#include "render/pdf_table.h"

#include "base/arena.h"
#include "chart/canvas_cairo.h"
#include "render/pdf_text.h"

static const double row_pad = 3, bar_height = 6, swatch_size = 7.5;
/* A table that is lower than this part of a page is kept whole when that leaves no great gap. */
static const double unbroken = .6;
/* Rows that are never parted at the beginning and the end of a table; fewer where tables have few. */
enum { TOGETHER = 3, FEW_TOGETHER = 2 };

static void
draw_heads(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct tp_pdf_table *plan = piece->data;
	/* What is drawn again on a later page is no part of the structure. */
	const char *row = pdf->again ? NULL : "TR", *cell = pdf->again ? NULL : "TH";
	double bottom = y + piece->height - row_pad;

	if (row != NULL)
		cairo_tag_begin(pdf->cr, row, NULL);
	for (size_t i = 0; i < plan->columns; i++) {
		struct tp_pdf_set *set =
			tp_pdf_head_set(pdf, plan, plan->column[i].index, plan->column[i].width);

		tp_pdf_set_draw(set, pdf->left + plan->column[i].x, bottom - tp_pdf_set_height(set), cell);
		tp_pdf_set_drop(set);
	}
	if (row != NULL)
		cairo_tag_end(pdf->cr, row);
	tp_pdf_rule(pdf, pdf->left, y + piece->height, plan->width, true);
}

static struct tp_pdf_piece *
add_head(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	double height = 0;

	for (size_t i = 0; i < plan->columns; i++) {
		struct tp_pdf_set *set =
			tp_pdf_head_set(pdf, plan, plan->column[i].index, plan->column[i].width);
		double own = tp_pdf_set_height(set);

		height = own > height ? own : height;
		tp_pdf_set_drop(set);
	}
	return tp_pdf_piece(pdf, 3, height + row_pad + 2, draw_heads, plan);
}

struct row {
	const struct tp_pdf_table *plan;
	size_t row;
	unsigned rank;    /* 0: none */
	const char *mark; /* of a tree: open, closed, leaf */
};

static void
draw_bar(struct tp_pdf *pdf, const struct tp_pdf_column *column, const struct tp_cell *cell,
	double x, double y)
{
	double share = tp_value_in(cell->value, TP_UNIT_SHARE);
	double left = x + column->width - column->bar_figure - TP_PDF_BAR_GAP - TP_PDF_BAR;

	tp_cairo_set_ink(pdf->cr, TP_INK_TRACK);
	cairo_rectangle(pdf->cr, left, y, TP_PDF_BAR, bar_height);
	cairo_fill(pdf->cr);
	tp_cairo_mark(pdf->cr, left, y, TP_PDF_BAR * (share < 1 ? share : 1), bar_height,
		cell->swatch != TP_HUE_NONE ? cell->swatch : TP_HUE_COMPUTE, (int)cell->tint);
}

static void
draw_small(struct tp_pdf *pdf, double x, double y, struct tp_slice text, double size)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_CELL, 0);

	tp_pdf_set_add(set, text, (struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK3, .size = size});
	tp_pdf_set_draw(set, x, y, NULL);
	tp_pdf_set_drop(set);
}

static void
draw_cell(struct tp_pdf *pdf, const struct row *row, const struct tp_pdf_column *c, double y)
{
	const struct tp_pdf_table *plan = row->plan;
	size_t column = c->index;
	const struct tp_cell *cell = &plan->table->rows[row->row].cells[column];
	const struct tp_column *head = &plan->table->columns[column];
	double x = pdf->left + c->x, lead = tp_pdf_cell_lead(plan, row->row, column);
	double middle = y + tp_pdf_leading(TP_PDF_CELL) / 2;

	if (head->bar && tp_cell_has_bar(&plan->table->rows[row->row], cell))
		draw_bar(pdf, c, cell, x, middle - bar_height / 2);
	if (row->mark != NULL && column == 0)
		draw_small(pdf, x + lead - 8.5 - (cell->swatch != TP_HUE_NONE ? TP_PDF_SWATCH : 0), y,
			tp_slice_of(row->mark), 8);
	if (lead > 0 && cell->swatch != TP_HUE_NONE)
		tp_cairo_mark(pdf->cr, x + lead - TP_PDF_SWATCH, middle - swatch_size / 2, swatch_size,
			swatch_size, cell->swatch, (int)cell->tint);

	struct tp_pdf_set *set = tp_pdf_cell_set(pdf, plan, row->row, column, c->width - lead);

	tp_pdf_set_draw(set, x + lead, y, column == 0 ? "TH" : "TD");
	tp_pdf_set_drop(set);
}

static void
draw_row(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct row *row = piece->data;

	cairo_tag_begin(pdf->cr, "TR", NULL);
	if (row->rank > 0)
		draw_small(pdf, pdf->left, y + row_pad, tp_arena_printf(pdf->arena, "%u", row->rank), 8);
	for (size_t i = 0; i < row->plan->columns; i++)
		draw_cell(pdf, row, &row->plan->column[i], y + row_pad);
	cairo_tag_end(pdf->cr, "TR");
	tp_pdf_rule(pdf, pdf->left, y + piece->height, row->plan->width, false);
}

/* Only texts can take several lines; most are so short that they need not be set to know. */
static double
row_height(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t row)
{
	double height = tp_pdf_leading(TP_PDF_CELL);
	static const double widest_letter = 8;

	for (size_t i = 0; i < plan->columns; i++) {
		size_t column = plan->column[i].index;
		double room = plan->column[i].width - tp_pdf_cell_lead(plan, row, column);
		struct tp_value value = plan->table->rows[row].cells[column].value;

		if (value.kind != TP_VALUE_TEXT || (double)value.text.len * widest_letter < room)
			continue;
		struct tp_pdf_set *set = tp_pdf_cell_set(pdf, plan, row, column, room);
		double own = tp_pdf_set_height(set);

		height = own > height ? own : height;
		tp_pdf_set_drop(set);
	}
	return height + 2 * row_pad;
}

/* ▾ before a row whose children are printed below it, ▸ before one whose children are left out. */
static const char *
mark_of(const struct tp_pdf_table *plan, size_t index)
{
	const struct tp_table *t = plan->table;
	size_t row = plan->printed[index];

	if (!t->tree)
		return NULL;
	if (row + 1 >= t->row_count || t->rows[row + 1].depth <= t->rows[row].depth)
		return NULL;
	return index + 1 < plan->printed_count && plan->printed[index + 1] == row + 1 ? "▾" : "▸";
}

static double
add_rows(struct tp_pdf *pdf, const struct tp_pdf_table *plan, const struct tp_pdf_piece *head)
{
	double sum = 0;
	unsigned rank = 0;
	size_t together = pdf->detail == TP_PAPER_FEWEST_ROWS ? FEW_TOGETHER : TOGETHER;

	for (size_t i = 0; i < plan->printed_count; i++) {
		struct row *row = tp_new(pdf->arena, struct row);
		const struct tp_row *source = &plan->table->rows[plan->printed[i]];
		bool ranked = plan->table->numbered && source->role == TP_ROW_NORMAL;

		*row = (struct row){plan, plan->printed[i], ranked ? ++rank : 0, mark_of(plan, i)};
		double height = row_height(pdf, plan, row->row);
		struct tp_pdf_piece *piece = tp_pdf_piece(pdf, 0, height, draw_row, row);

		piece->head = head;
		/* Neither the first rows nor the last stand alone. */
		piece->with_next = i + 1 < plan->printed_count &&
			(i + 1 < together || i + together >= plan->printed_count);
		tp_pdf_anchor(pdf, piece, source->id);
		sum += height;
	}
	return sum;
}

static void
keep_whole(struct tp_pdf_piece *head)
{
	for (struct tp_pdf_piece *piece = head; piece->next != NULL; piece = piece->next)
		piece->rather_with_next = true;
}

void
tp_pdf_table(struct tp_pdf *pdf, const struct tp_block *block)
{
	struct tp_pdf_table *plan = tp_pdf_table_plan(pdf, &block->table);
	struct tp_pdf_piece *head = NULL, *caption = NULL;

	tp_pdf_table_tell_apart(pdf, plan);
	tp_pdf_number_names(pdf, plan);
	if (block->table.caption.len > 0) {
		struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

		tp_pdf_set_add(
			set, block->table.caption, (struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK2});
		caption = tp_pdf_piece_text(pdf, 9, set, "Caption");
		caption->with_next = true;
	}
	head = add_head(pdf, plan);
	head->with_next = plan->printed_count > 0;
	struct tp_pdf_piece *first = caption != NULL ? caption : head;

	first->open = "Table";
	tp_pdf_anchor(pdf, first, block->id);
	if (caption == NULL)
		head->before = 9;
	double rows = add_rows(pdf, plan, head);

	pdf->last->closes++;
	tp_pdf_table_rest(pdf, plan, block->id);
	if (rows < unbroken * (pdf->bottom - pdf->top))
		keep_whole(head);
}
