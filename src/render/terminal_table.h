/* Tables on a terminal (terminal_table.c). */
#ifndef TP_RENDER_TERMINAL_TABLE_H
#define TP_RENDER_TERMINAL_TABLE_H

#include "base/slice.h"

#include <stddef.h>

struct tp_table;
struct tp_terminal;

/* Which rows of a table are wanted, and in how many bytes. */
struct tp_terminal_rows {
	size_t most;            /* beside those that sum up; SIZE_MAX: all, however deep in a tree */
	struct tp_slice filter; /* with this in any cell, whatever its case; empty: all */
	size_t most_bytes;
};

enum tp_terminal_shown {
	TP_TERMINAL_SHOWN,
	TP_TERMINAL_NO_ROW,  /* no row is wanted; nothing is written */
	TP_TERMINAL_NO_ROOM, /* what is written is longer than it may be, and no row of it */
};

/* Writes the caption, the heads, rows, and how many rows are left out. Columns for which a line has no room are left out
 * and named. */
enum tp_terminal_shown tp_terminal_table(
	struct tp_terminal *t, const struct tp_table *table, const struct tp_terminal_rows *wish);

#endif
