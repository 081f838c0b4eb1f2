/* Which columns of a table stand where not all of them can. */
#ifndef TP_RENDER_COLUMNS_H
#define TP_RENDER_COLUMNS_H

#include <stddef.h>

struct tp_arena;
struct tp_table;

/* The numbers of at most so many columns, in their order, in chosen, which has room for all; returns how many. Left out are first those
 * that show nothing, then those that the table does not name as its core; these stay however many they are. */
size_t tp_columns_choose(
	const struct tp_table *table, size_t most, size_t *chosen, struct tp_arena *arena);

#endif
