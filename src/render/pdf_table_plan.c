/* How a table fits into the page: measures the longest cells of each column, then gives every column its width. */
#include "base/arena.h"
#include "render/names_alike.h"
#include "render/pdf_break.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"

#include <math.h>
#include <string.h>

enum { NAME_SHOWN = 24 }; /* bytes of a name that a narrow column has room for, before it is cut */

/* Of texts; a name that tells the row needs more, and rather than it the last column is left out. */
static const double least_text = 64, least_name = 120;

static double
width_of(struct tp_pdf_set *set)
{
	double width = tp_pdf_set_width(set);

	tp_pdf_set_drop(set);
	return width;
}

/* In halves of a digit: what a text takes about. */
static size_t
about_as_wide_as(struct tp_slice text)
{
	size_t halves = 0;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		bool continues = (c & 0xc0) == 0x80,
			 narrow = c == 0xe2 || memchr(".,:;'|ijl ", c, 10) != NULL;

		halves += continues ? 0 : narrow ? 1 : memchr("mwMW", c, 4) != NULL ? 3 : 2;
	}
	return halves;
}

/* A guess at which cells are the widest. */
static size_t
guess_width(const struct tp_pdf_table *plan, size_t row, size_t column)
{
	char buf[TP_VALUE_BUF];
	const struct tp_row *r = &plan->table->rows[row];

	return about_as_wide_as(
			   tp_pdf_cell_shown(&plan->table->columns[column], r->cells[column].value, buf)) +
		(size_t)(tp_pdf_cell_lead(plan, row, column) / 2) +
		(r->cells[column].judge != TP_JUDGE_NONE ? 4 : 0) +
		(r->role != TP_ROW_NORMAL ? 2 : 0); /* bolder */
}

/* Width of the widest cell. Setting text is dear, so only the longest few are measured. */
static double
widest_cell(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column)
{
	enum { TRIES = 3 };
	size_t longest[TRIES] = {0}, rows[TRIES] = {0};
	double widest = 0;

	for (size_t i = 0; i < plan->printed_count; i++) {
		size_t guess = guess_width(plan, plan->printed[i], column), row = plan->printed[i];

		for (int t = 0; t < TRIES; t++) {
			if (guess > longest[t]) {
				size_t old_guess = longest[t], old_row = rows[t];

				longest[t] = guess;
				rows[t] = row;
				guess = old_guess;
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
	double cell, head, word, least;
	double whole;      /* the least at which no word of a cell is broken */
	double bar_figure; /* as of the column */
};

/* Wider words are broken. */
static const double most_word = 104;

/* Of the words of a column of texts; only the longest is measured. */
static double
widest_word(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column)
{
	struct tp_slice widest = {NULL, 0};
	double lead = 0;

	for (size_t i = 0; i < plan->printed_count; i++) {
		size_t row = plan->printed[i];
		struct tp_value value = plan->table->rows[row].cells[column].value;
		struct tp_slice rest = value.kind == TP_VALUE_TEXT ? value.text : widest;

		while (rest.len > 0) {
			const char *blank = memchr(rest.ptr, ' ', rest.len);
			size_t length = blank != NULL ? (size_t)(blank - rest.ptr) : rest.len;
			struct tp_slice word = {rest.ptr, length};

			if (about_as_wide_as(word) > about_as_wide_as(widest)) {
				widest = word;
				lead = tp_pdf_cell_lead(plan, row, column);
			}
			rest = tp_slice_from(rest, length + 1);
		}
	}
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_CELL, 0);

	tp_pdf_set_add(set, widest, (struct tp_pdf_look){.size = 8 * plan->scale});
	return width_of(set) + lead + .5;
}

static struct need
need_of(struct tp_pdf *pdf, const struct tp_pdf_table *plan, const struct tp_pdf_column *column)
{
	const struct tp_column *c = &plan->table->columns[column->index];
	struct need n = {
		.cell = widest_cell(pdf, plan, column->index) + .5,
		.head = width_of(tp_pdf_head_set(pdf, plan, column->index, 0)) + .5,
		.word = tp_pdf_head_word(pdf, plan, column->index) + .5,
	};

	if (c->bar) {
		n.bar_figure = n.cell > 24 ? n.cell : 24;
		n.cell = TP_PDF_BAR + TP_PDF_BAR_GAP + n.bar_figure;
	}
	n.least = n.cell;
	if (tp_pdf_is_text(c))
		n.least = fmin(n.least, c->code && column->index == 0 ? least_name : least_text);
	if (n.least < n.word)
		n.least = n.word;
	n.whole = n.least;
	if (tp_pdf_is_text(c) && !c->code && n.cell > n.least)
		n.whole = fmax(n.least, fmin(widest_word(pdf, plan, column->index), most_word));
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

enum fit { FIT_NOT, FIT_CUT, FIT_WHOLE }; /* CUT: some cells take several lines */

/* Heads break before cells do; then the widest columns give way first, all to the same width. NOT when even the least
 * widths are too many. */
static enum fit
fit(struct need *needs, size_t count, double room, double *widths)
{
	double low = 0, high = room;

	if (cap(needs, count, 0, widths) > room)
		return FIT_NOT;
	if (cap(needs, count, 1e6, widths) <= room)
		return FIT_WHOLE;
	/* First in about two lines, then a word a line. */
	for (int lines = 2; lines <= 3; lines++) {
		for (size_t i = 0; i < count; i++) {
			double part = lines == 2 ? needs[i].head * .62 : 0;

			needs[i].head = part > needs[i].word ? part : needs[i].word;
		}
		if (cap(needs, count, 1e6, widths) <= room)
			return FIT_WHOLE;
	}
	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;

		if (cap(needs, count, middle, widths) > room)
			high = middle;
		else
			low = middle;
	}
	cap(needs, count, low, widths);
	return FIT_CUT;
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

static const double scales[] = {1, .94};
enum { SCALES = sizeof scales / sizeof *scales };

/* What the columns need at each scale; NULL: not measured yet. */
struct needs {
	struct need *at[SCALES];
};

static void
measure(struct tp_pdf *pdf, struct tp_pdf_table *plan, struct needs *needs, size_t scale)
{
	plan->scale = scales[scale];
	if (needs->at[scale] != NULL)
		return;
	needs->at[scale] = tp_new_array(pdf->arena, struct need, plan->columns);
	for (size_t i = 0; i < plan->columns; i++)
		needs->at[scale][i] = need_of(pdf, plan, &plan->column[i]);
}

/* words: no word of a cell is broken. */
static enum fit
try_scale(struct tp_pdf *pdf, struct tp_pdf_table *plan, struct needs *needs, size_t scale,
	bool words, double *widths)
{
	struct need *tried = tp_new_array(pdf->arena, struct need, plan->columns);

	measure(pdf, plan, needs, scale);
	for (size_t i = 0; i < plan->columns; i++) {
		tried[i] = needs->at[scale][i];
		plan->column[i].bar_figure = tried[i].bar_figure;
		if (words)
			tried[i].least = tried[i].whole;
	}
	return fit(tried, plan->columns, room_for(pdf, plan), widths);
}

/* A little smaller rather than in several lines. */
static bool
fits_whole(struct tp_pdf *pdf, struct tp_pdf_table *plan, struct needs *needs, double *widths)
{
	for (size_t i = 0; i < SCALES; i++)
		if (try_scale(pdf, plan, needs, i, false, widths) == FIT_WHOLE)
			return true;
	return false;
}

/* A little smaller rather than with broken words, and that rather than without a column. */
static void
fit_columns(struct tp_pdf *pdf, struct tp_pdf_table *plan, struct needs *needs, double *widths)
{
	for (;;) {
		for (size_t i = 0; i < 2 * SCALES; i++)
			if (try_scale(pdf, plan, needs, i % SCALES, i < SCALES, widths) != FIT_NOT)
				return;
		if (plan->columns <= 1)
			return;
		plan->columns--;
	}
}

static void
begin_cells(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	const struct tp_table *t = plan->table;

	plan->alike = tp_new_array(pdf->arena, struct tp_alike *, t->column_count);
	plan->more_lines = tp_new_array(pdf->arena, unsigned char *, t->column_count);
	plan->number = tp_new_array(pdf->arena, unsigned *, t->column_count);
	for (size_t i = 0; i < t->column_count; i++) {
		plan->alike[i] = tp_new_array(pdf->arena, struct tp_alike, t->row_count);
		plan->more_lines[i] = tp_new_array(pdf->arena, unsigned char, t->row_count);
	}
}

/* Where there is no room for whole names, what they have in common is left out. Returns whether they have anything. */
static bool
cut_alike(struct tp_pdf *pdf, struct tp_pdf_table *plan)
{
	bool any = false;

	for (size_t i = 0; i < plan->table->column_count; i++) {
		struct tp_alike *alike = tp_names_alike(plan->table, i, NAME_SHOWN, pdf->arena);

		if (alike == NULL)
			continue;
		plan->alike[i] = alike;
		any = true;
	}
	return any;
}

/* How many lines a name takes that is broken where its parts end; 0: it cannot be. */
static size_t
lines_of_name(const struct tp_pdf_table *plan, struct tp_slice name,
	const struct tp_pdf_column *column, double lead, size_t more)
{
	enum { MOST = 4 };
	size_t ends[MOST];
	double letters = (column->width - lead) / tp_pdf_code_letter(8 * plan->scale);

	return letters > 0 ? tp_pdf_break_name(name, (size_t)letters, more, ends, MOST) : 0;
}

/* A name that takes no more lines as a whole than without what it shares with others stays whole. */
static void
keep_whole(struct tp_pdf_table *plan, const struct tp_pdf_column *column, size_t row)
{
	enum { DOTS_AND_NUMBER = 6 };
	const struct tp_cell *cell = &plan->table->rows[row].cells[column->index];
	struct tp_alike *alike = &plan->alike[column->index][row];
	struct tp_slice name = tp_cell_whole_text(cell);
	double lead = tp_pdf_cell_lead(plan, row, column->index);

	if (alike->head == 0 || alike->again != 0 || name.len > cell->value.text.len)
		return;
	size_t lines = lines_of_name(plan, name, column, lead, 0);
	size_t cut =
		lines_of_name(plan, tp_slice_from(name, alike->head), column, lead, DOTS_AND_NUMBER);

	if (lines > 0 && (cut == 0 || lines <= cut))
		*alike = (struct tp_alike){0, 0, 0};
}

static void
keep_names_whole(struct tp_pdf_table *plan)
{
	for (size_t c = 0; c < plan->columns; c++)
		for (size_t i = 0; i < plan->printed_count; i++)
			keep_whole(plan, &plan->column[c], plan->printed[i]);
}

struct tp_pdf_table *
tp_pdf_table_plan(struct tp_pdf *pdf, const struct tp_table *table)
{
	struct tp_pdf_table *plan = tp_new(pdf->arena, struct tp_pdf_table);
	double *widths = tp_new_array(pdf->arena, double, table->column_count), used = 0;

	plan->table = table;
	plan->left = table->numbered ? 20 : 0;
	plan->width = pdf->width;
	begin_cells(pdf, plan);
	tp_pdf_choose_rows(pdf, plan);
	tp_pdf_choose_columns(pdf, plan);
	struct needs whole = {{NULL}}, cut = {{NULL}};

	if (!fits_whole(pdf, plan, &whole, widths)) {
		struct needs *needs = cut_alike(pdf, plan) ? &cut : &whole;

		if (needs == &whole || !fits_whole(pdf, plan, needs, widths))
			fit_columns(pdf, plan, needs, widths);
	}
	for (size_t i = 0; i < plan->columns; i++)
		used += widths[i];
	if (used > 0)
		spread(plan, room_for(pdf, plan), widths, used);
	place(plan, widths);
	keep_names_whole(plan);
	return plan;
}
