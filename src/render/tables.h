/* A report as plain tables, for outputs that programs read: each of its tables with named, typed columns, and before them the lists of
 * tables, of columns and of metrics. Values are those of the JSON. */
#ifndef TP_RENDER_TABLES_H
#define TP_RENDER_TABLES_H

#include "base/number.h"
#include "base/slice.h"

#include <stddef.h>

struct tp_arena;
struct tp_column;
struct tp_doc;
struct tp_strings;
struct tp_table;

enum tp_plain_type { TP_PLAIN_TEXT, TP_PLAIN_INTEGER, TP_PLAIN_REAL, TP_PLAIN_ANY };

/* Names are of a…z, 0…9 and _, begin with no _ and have at most 100 bytes: good for files and in SQL everywhere. */
struct tp_plain_column {
	struct tp_slice name; /* no two of a table are the same; ends with the unit */
	enum tp_plain_type type;
	int what; /* its cells say, of what a row is about */
	/* the column of the report that it shows, and which; NULL: none */
	const struct tp_column *shows;
	size_t number;
};

struct tp_plain_table {
	struct tp_slice name; /* no two of a report are the same */
	const struct tp_plain_column *columns;
	size_t column_count, row_count;
	struct tp_value (*cell)(
		const struct tp_plain_table *table, size_t row, const struct tp_plain_column *column);
	const void *of; /* for cell */
};

struct tp_plain_tables {
	const struct tp_plain_table *at;
	size_t count;
};

/* All of a report, in arena; points into doc. */
struct tp_plain_tables tp_plain_tables(const struct tp_doc *doc, struct tp_arena *arena);

/* What a cell says; missing where nothing is known, or there is nothing to say. */
static inline struct tp_value
tp_plain_cell(const struct tp_plain_table *table, size_t row, size_t column)
{
	return table->cell(table, row, &table->columns[column]);
}

/* A table of the report under this name (tables_rows.c). */
struct tp_plain_table tp_plain_table_of(
	const struct tp_table *table, struct tp_slice name, struct tp_arena *arena);

/* Names and texts (tables_names.c). "operations/card//fusion.12" → "operations_card_fusion_12", with a number behind it where that is taken already. */
struct tp_slice tp_plain_name(struct tp_strings *taken, struct tp_slice text);

/* Missing where the text is empty. */
struct tp_value tp_plain_text(struct tp_slice text);

#endif
