/* Columns of a table that show nothing but dashes: readers of a page need them not, only why they are not there. */
#ifndef TP_REPORT_SILENT_H
#define TP_REPORT_SILENT_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_table;

/* Whether a cell shows a figure or a text. */
bool tp_cell_speaks(const struct tp_table *table, size_t row, size_t column);

/* Whether no row of a table speaks in this column. The first one names the rows: it always stands. */
bool tp_column_is_silent(const struct tp_table *table, size_t column);

/* "No FLOPS use · Bandwidth use: the profile states no costs; no Padding fit: …": of columns whose reason is not empty, each
 * reason once. reasons: by column. Empty when all are. */
struct tp_slice tp_silence_words(
	const struct tp_table *table, const struct tp_slice *reasons, struct tp_arena *arena);

#endif
