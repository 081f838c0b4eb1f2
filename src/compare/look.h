/* Finding figures in a report: metrics, tables by their ids, columns by their keys. */
#ifndef TP_COMPARE_LOOK_H
#define TP_COMPARE_LOOK_H

#include "report/doc.h"

/* The number of a metric in that unit; NaN when there is none. */
double tp_look_metric(const struct tp_doc *doc, const char *id, enum tp_unit unit);

/* The text of a metric, as people read it; empty when it is missing. */
struct tp_slice tp_look_text(const struct tp_doc *doc, const char *id, struct tp_arena *arena);

/* The first table, outside of views, whose id fits; one * in the pattern stands for anything. NULL: there is none. */
const struct tp_table *tp_look_table(const struct tp_doc *doc, const char *pattern);

/* The number of the column with this key; the table's column_count when there is none. */
size_t tp_look_column(const struct tp_table *table, const char *key);

/* Whether all rows have the same text in a column. */
bool tp_look_is_one(const struct tp_table *table, const char *key);

/* A cell's number in that unit, NaN when it is none, and its text, empty when it is none. */
double tp_look_number(const struct tp_table *table, size_t row, size_t column, enum tp_unit unit);
struct tp_slice tp_look_cell(const struct tp_table *table, size_t row, size_t column);

#endif
