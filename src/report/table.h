/* A table of the document. */
#ifndef TP_REPORT_TABLE_H
#define TP_REPORT_TABLE_H

#include "base/number.h"
#include "base/slice.h"
#include "report/judge.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;

/* Types that a member of a row's struct may have. */
enum tp_field_type {
	TP_FIELD_NONE,
	TP_FIELD_TEXT,  /* struct tp_slice */
	TP_FIELD_CHARS, /* const char *, never NULL */
	TP_FIELD_DOUBLE,
	TP_FIELD_INT64,
	TP_FIELD_UINT64,
	TP_FIELD_UINT32,
	TP_FIELD_VALUE, /* struct tp_value */
};

/* Where a column's value lies in the struct that a row is about; all zero: code fills the cell. */
struct tp_field {
	enum tp_field_type type;
	enum tp_unit unit; /* of the member, which may differ from the column's */
	size_t offset;
	/* why a number is not finite (NULL: "not a number"), or a text empty (NULL: it stays an empty text) */
	const char *missing;
};

struct tp_column {
	struct tp_slice key;   /* name in JSON: lower case, unit at the end ("self_ms") */
	struct tp_slice title; /* "Self time" */
	enum tp_unit
		unit; /* NONE: texts, left; else numbers, right, shown in this unit (head names it) */
	/* Of numbers; TP_DECIMALS_BY_SIZE: each says its own unit; TP_DECIMALS_BY_COLUMN, of drafts alone: all columns of this unit are shown
	 * in one that suits the largest. */
	int decimals;
	/* where all are large or small they read better in another unit, with two decimals; NONE: in unit */
	enum tp_unit shown_in;
	bool bar;    /* a share with a bar before it; the bar's full length is a share of 1 */
	bool code;   /* set in the fixed-width face: op names, shapes */
	bool change; /* differences: those above 0 have a + before them */
	bool sorted; /* the rows are in descending order of this column */
	bool core;   /* a page shows it at first, however many there are */
	struct tp_field field;
};

struct tp_cell {
	struct tp_value value;
	struct tp_slice href; /* "#anchor", a page beside the document ("run/report.html"), or empty */
	/* a coloured square before the text, and the colour of the bar; TP_HUE_NONE: none */
	enum tp_hue swatch : 16;
	/* of the swatch: 0…3, as of a series; together as large as an enum, for cells are many */
	unsigned tint : 16;
	enum tp_judge judge;    /* glyph before the text */
	struct tp_slice metric; /* id of the metric that the value is, or empty */
	/* what the value is short for: a tooltip, and in JSON; empty: it is whole */
	struct tp_slice full;
};

enum tp_row_role { TP_ROW_NORMAL, TP_ROW_GROUP, TP_ROW_TOTAL };

struct tp_row {
	/* stable anchor within the document, e.g. "operations/convolution/fusion.12" */
	struct tp_slice id;
	enum tp_row_role role;
	int depth; /* tree tables: 0 for the outermost; the next row with a greater depth is a child */
	const struct tp_cell *cells; /* one for each column */
};

/* A table whose rows are things with a lifetime, which the page's script shows on a strip. */
struct tp_table_life {
	struct tp_slice chart; /* the strip's id; it has axis_points */
	size_t start, end;     /* columns: it is there at points start + 1 … end */
	size_t kind;           /* column: of all kinds but "temporary" it is there at every point */
};

struct tp_table {
	/* what a row is and over what the figures are; also for screen readers */
	struct tp_slice caption;
	const struct tp_column *columns;
	size_t column_count;
	const struct tp_row *rows;
	size_t row_count;
	/* rows that stand open; the others are folded (HTML) or left out with a line saying so (PDF) */
	size_t shown;
	bool events; /* rows are events, which may be very many */
	bool tree;   /* depths matter */
	int open_depth; /* tree: rows deeper than this stand shut at first, and are not printed; 0: none does */
	bool numbered;                    /* ranks 1… before the first column */
	const struct tp_table_life *life; /* NULL: none */
};

/* The unit that a column's head names: "MiB"; empty for texts, counts and where each cell says its own. */
struct tp_slice tp_column_symbol(const struct tp_column *column);

/* A cell's value in the column's unit, as JSON has it. */
struct tp_value tp_column_value(const struct tp_column *column, struct tp_value v);

/* The same as people read it, in the unit that is shown. */
struct tp_slice tp_column_text(
	const struct tp_column *column, struct tp_value value, char buf[static TP_VALUE_BUF]);

/* Whether a bar is drawn of a share: not of a total, which is of no class of time and all of it. */
bool tp_cell_has_bar(const struct tp_row *row, const struct tp_cell *cell);

/* Columns of a table that show nothing but dashes: readers of a page need them not, only why they are not there. */

/* Whether a cell shows a figure or a text. */
bool tp_cell_speaks(const struct tp_table *table, size_t row, size_t column);

/* Whether no row of a table speaks in this column. The first one names the rows: it always stands. */
bool tp_column_is_silent(const struct tp_table *table, size_t column);

/* Columns in which all rows say the same: said once below the table, they leave room for the others. */

/* Whether three or more rows, and all of the table, show one and the same in this column, which neither names nor orders them,
 * neither links nor judges, and is not of use to the page's script. */
bool tp_column_is_same(const struct tp_table *table, size_t column);

/* Which columns stand in words below the table instead of in it: the silent ones, and those that are the same in all rows, unless
 * the first column alone would be left. By column. */
void tp_columns_in_words(const struct tp_table *table, bool *silent, bool *same);

/* "Device: TPU:0 in all rows", "In all rows: Device TPU:0, Core type TensorCore": of the columns that are the same. Empty when none
 * is. */
struct tp_slice tp_sameness_words(
	const struct tp_table *table, const bool *same, struct tp_arena *arena);

/* Of a table with many columns, which stand back at first, in further; returns how many do. Those that the table names stay, and then
 * as many of the first as there is room for. absent: by column, not in the table at all. */
size_t tp_columns_further(
	const struct tp_table *table, const bool *absent, size_t room, bool *further);

/* Long reasons that earlier tables gave: a later one need not repeat them. */
enum { TP_SILENCES = 32 };
struct tp_silences {
	struct tp_slice reasons[TP_SILENCES];
	size_t count;
};

/* "Left out: FLOPS use · Bandwidth use (the profile states no costs); Padding fit (as above)": of columns whose reason is not
 * empty, each reason once, unless the rows say it in another column. reasons: by column. Empty when all are. said: may be NULL;
 * takes up the reasons that are given. */
struct tp_slice tp_silence_words(const struct tp_table *table, const struct tp_slice *reasons,
	struct tp_silences *said, struct tp_arena *arena);

#endif
