/* A table of a PDF: which rows are printed, how wide its columns are. */
#ifndef TP_RENDER_PDF_TABLE_H
#define TP_RENDER_PDF_TABLE_H

#include "render/pdf.h"

struct tp_alike;

struct tp_pdf_column {
	size_t index;      /* in the table */
	double x, width;   /* from the table's left edge; without the gap to the next */
	double bar_figure; /* width of the figure right of a bar */
};

struct tp_pdf_table {
	const struct tp_table *table;
	size_t *printed; /* indices of the rows that are printed */
	size_t printed_count;
	const bool *same; /* by column of the table: said once below it */
	size_t columns; /* that are printed: not those that say nothing, one thing, or found no room */
	double left;    /* of the first column: the ranks stand left of it */
	double width, scale; /* scale: of the type, 1 or less */
	struct tp_pdf_column *column;
	struct tp_alike **alike; /* by column and row of the table: tp_names_alike, never NULL */
	/* by column and row of the table: lines that a cell may take besides those of its kind */
	unsigned char **more_lines;
	/* by column and row of the table: of a name that was cut, 0: none; NULL: none of the column */
	unsigned **number;
	bool numbers; /* there are any */
};

/* Chooses rows, fits columns into the page. */
struct tp_pdf_table *tp_pdf_table_plan(struct tp_pdf *pdf, const struct tp_table *table);

/* The rows that are printed: those that stand open, as many as the paper has room for, totals, and of a tree every group. */
void tp_pdf_choose_rows(struct tp_pdf *pdf, struct tp_pdf_table *plan);

/* The columns that say something of the printed rows. The first names the rows, so it always stands. */
void tp_pdf_choose_columns(struct tp_pdf *pdf, struct tp_pdf_table *plan);

/* Gives cells more lines where different texts of one column would be cut to look alike, else cuts them before what differs. */
void tp_pdf_table_tell_apart(struct tp_pdf *pdf, struct tp_pdf_table *plan);

/* Gives numbers to names of rows that are cut, so that they stand in full at the end. */
void tp_pdf_number_names(struct tp_pdf *pdf, struct tp_pdf_table *plan);

/* Adds the lines below the table: rows and columns that are left out, reasons of missing figures. Links to rows that are not printed lead to
 * `block`, the table. */
void tp_pdf_table_rest(struct tp_pdf *pdf, const struct tp_pdf_table *plan, struct tp_slice block);

/* Whether no printed row has anything to show in a column of the table. */
bool tp_pdf_column_is_silent(const struct tp_pdf_table *plan, size_t column);

/* One cell, or one head, as text of at most `width`; 0: as wide as it is. */
struct tp_pdf_set *tp_pdf_cell_set(
	struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t row, size_t column, double width);
struct tp_pdf_set *tp_pdf_head_set(
	struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column, double width);

/* What a cell shows, for its column. Points into buf or into the document. */
struct tp_slice tp_pdf_cell_shown(
	const struct tp_column *column, struct tp_value value, char buf[static TP_VALUE_BUF]);

/* Width of the widest word of a head, its unit included: no head is narrower. */
double tp_pdf_head_word(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t column);

/* What stands left of a cell's text: indentation, fold mark, swatch. */
double tp_pdf_cell_lead(const struct tp_pdf_table *plan, size_t row, size_t column);

static inline bool
tp_pdf_is_text(const struct tp_column *column)
{
	return column->unit == TP_UNIT_NONE;
}

enum { TP_PDF_CELL_GAP = 9, TP_PDF_BAR = 36, TP_PDF_BAR_GAP = 5, TP_PDF_SWATCH = 12 };

#endif
