/* The columns that say most. */
#include "render/columns.h"

#include "base/arena.h"
#include "report/table.h"

size_t
tp_columns_choose(const struct tp_table *table, size_t most, size_t *chosen, struct tp_arena *arena)
{
	bool *silent = tp_new_array(arena, bool, table->column_count);
	bool *further = tp_new_array(arena, bool, table->column_count);
	size_t count = 0;

	for (size_t i = 0; i < table->column_count; i++)
		silent[i] = tp_column_is_silent(table, i);
	tp_columns_further(table, silent, most, further);
	for (size_t i = 0; i < table->column_count; i++) {
		if (!silent[i] && !further[i])
			chosen[count++] = i;
	}
	return count;
}
