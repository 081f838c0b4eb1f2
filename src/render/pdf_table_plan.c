/* Fits a table into the page: measures the longest cells of each column, then gives every column its width. */
#include "base/arena.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"

static const double least_text = 64, least_scale = .78;
/* Part of its width that a head of two words or three takes when it is set in several lines. */
static const double broken_head = .55;

static bool
is_printed(const struct tp_pdf *pdf, const struct tp_table *t, size_t row)
{
	return pdf->all_rows || row < t->shown || t->rows[row].role == TP_ROW_TOTAL;
}

static void
choose_rows(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	const struct tp_table *t = plan->table;

	plan->printed = tp_new_array(pdf->arena, size_t, t->row_count);
	for (size_t row = 0; row < t->row_count; row++)
		if (is_printed(pdf, t, row))
			plan->printed[plan->printed_count++] = row;
}

static double
width_of(struct tp_pdf_set *set)
{
	double width = tp_pdf_set_width(set);

	tp_pdf_set_drop(set);
	return width;
}

/* Bytes that a cell shows, as a guess at which cells are the widest. */
static size_t
bytes_of(const struct tp_pdf_table *plan, size_t row, size_t column)
{
	char buf[TP_VALUE_BUF];
	const struct tp_row *r = &plan->table->rows[row];

	return tp_pdf_cell_shown(&plan->table->columns[column], r->cells[column].value, buf).len +
		(size_t)(tp_pdf_cell_lead(plan, row, column) / 4) +
		(r->cells[column].judge != TP_JUDGE_NONE ? 2 : 0);
}

/* Width of the widest cell. Setting text is dear, so only the longest few are measured. */
static double
widest_cell(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column)
{
	enum { TRIES = 3 };
	size_t longest[TRIES] = {0}, rows[TRIES] = {0};
	double widest = 0;

	for (size_t i = 0; i < plan->printed_count; i++) {
		size_t bytes = bytes_of(plan, plan->printed[i], column), row = plan->printed[i];

		for (int t = 0; t < TRIES; t++) {
			if (bytes > longest[t]) {
				size_t old_bytes = longest[t], old_row = rows[t];

				longest[t] = bytes;
				rows[t] = row;
				bytes = old_bytes;
				row = old_row;
			}
		}
	}
	for (int t = 0; t < TRIES && longest[t] > 0; t++) {
		double width = width_of(tp_pdf_cell_set(pdf, plan, rows[t], column, 0)) +
			tp_pdf_cell_lead(plan, rows[t], column);

		widest = width > widest ? width : widest;
	}
	return widest;
}

struct need {
	double cell, head, least;
};

static struct need
need_of(struct tp_pdf *pdf, struct tp_pdf_table *plan, size_t column)
{
	const struct tp_column *c = &plan->table->columns[column];
	struct need n = {.cell = widest_cell(pdf, plan, column) + .5,
		.head = width_of(tp_pdf_head_set(pdf, plan, column, 0)) + .5};

	if (c->bar) {
		plan->column[column].bar_figure = n.cell > 24 ? n.cell : 24;
		n.cell = TP_PDF_BAR + TP_PDF_BAR_GAP + plan->column[column].bar_figure;
	}
	n.least = n.cell;
	if (tp_pdf_is_text(c) && n.least > least_text)
		n.least = least_text;
	if (n.least < n.head * broken_head)
		n.least = n.head * broken_head;
	return n;
}

/* Widths of at most `limit` for what is over its least; their sum. */
static double
cap(const struct need *needs, size_t count, double limit, double *widths)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		double want = needs[i].cell > needs[i].head ? needs[i].cell : needs[i].head;

		widths[i] = want < limit ? want : limit > needs[i].least ? limit : needs[i].least;
		sum += widths[i];
	}
	return sum;
}

/* Heads break before cells do; then the widest columns give way first, all to the same width. False when even the least
 * widths are too many. */
static bool
fit(struct need *needs, size_t count, double room, double *widths)
{
	double low = 0, high = room;

	if (cap(needs, count, 0, widths) > room)
		return false;
	if (cap(needs, count, 1e6, widths) <= room)
		return true;
	for (size_t i = 0; i < count; i++)
		needs[i].head *= broken_head;
	if (cap(needs, count, 1e6, widths) <= room)
		return true;
	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (cap(needs, count, middle, widths) > room)
			high = middle;
		else
			low = middle;
	}
	cap(needs, count, low, widths);
	return true;
}

/* A table of little is not torn apart to fill the page: it takes half as much again, or two thirds of the page. */
static void
spread(struct tp_pdf_table *plan, double room, double *widths, double used)
{
	double full = plan->width, wanted = used * 1.5 > room * .66 ? used * 1.5 : room * .66;
	double extra = (wanted < room ? wanted : room) - used;

	for (size_t i = 0; i < plan->columns; i++)
		widths[i] += extra * widths[i] / used;
	plan->width = full - (room - used - extra);
}

static void
place(struct tp_pdf_table *plan, const double *widths)
{
	double x = plan->left;

	for (size_t i = 0; i < plan->columns; i++) {
		plan->column[i].x = x;
		plan->column[i].width = widths[i];
		x += widths[i] + TP_PDF_CELL_GAP;
	}
}

static double
room_for(const struct tp_pdf *pdf, const struct tp_pdf_table *plan)
{
	return pdf->width - plan->left - TP_PDF_CELL_GAP * ((double)plan->columns - 1);
}

struct tp_pdf_table *
tp_pdf_table_plan(struct tp_pdf *pdf, const struct tp_table *table)
{
	struct tp_pdf_table *plan = tp_new(pdf->arena, struct tp_pdf_table);
	struct need *needs = tp_new_array(pdf->arena, struct need, table->column_count);
	double *widths = tp_new_array(pdf->arena, double, table->column_count), used = 0;

	plan->table = table;
	plan->columns = table->column_count;
	plan->column = tp_new_array(pdf->arena, struct tp_pdf_column, table->column_count);
	plan->left = table->numbered ? 20 : 0;
	plan->width = pdf->width;
	plan->scale = 1;
	choose_rows(pdf, plan);
	for (;;) {
		for (size_t i = 0; i < plan->columns; i++)
			needs[i] = need_of(pdf, plan, i);
		if (fit(needs, plan->columns, room_for(pdf, plan), widths))
			break;
		if (plan->scale > least_scale)
			plan->scale -= .11;
		else if (plan->columns > 1)
			plan->columns--;
		else
			break;
	}
	for (size_t i = 0; i < plan->columns; i++)
		used += widths[i];
	if (used > 0)
		spread(plan, room_for(pdf, plan), widths, used);
	place(plan, widths);
	return plan;
}
