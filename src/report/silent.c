#include "report/silent.h"

#include "base/arena.h"
#include "report/doc.h"

bool
tp_cell_speaks(const struct tp_table *table, size_t row, size_t column)
{
	struct tp_value value = table->rows[row].cells[column].value;

	return tp_known(value) && (value.kind != TP_VALUE_TEXT || value.text.len > 0);
}

bool
tp_column_is_silent(const struct tp_table *table, size_t column)
{
	for (size_t row = 0; column > 0 && row < table->row_count; row++) {
		if (tp_cell_speaks(table, row, column))
			return false;
	}
	return column > 0 && table->row_count > 0;
}

/* Whether a column before this one has the same reason. */
static bool
is_said(const struct tp_slice *reasons, size_t column)
{
	for (size_t i = 0; i < column; i++) {
		if (tp_slice_eq(reasons[i], reasons[column]))
			return true;
	}
	return false;
}

struct tp_slice
tp_silence_words(
	const struct tp_table *table, const struct tp_slice *reasons, struct tp_arena *arena)
{
	struct tp_slice said = {NULL, 0};

	for (size_t first = 0; first < table->column_count; first++) {
		if (reasons[first].len == 0 || is_said(reasons, first))
			continue;
		said = tp_arena_printf(arena, "%.*s%s", TP_ARG(said), said.len == 0 ? "Left out: " : "; ");
		for (size_t i = first; i < table->column_count; i++) {
			if (tp_slice_eq(reasons[i], reasons[first]))
				said = tp_arena_printf(arena, "%.*s%s%.*s", TP_ARG(said), i == first ? "" : " · ",
					TP_ARG(table->columns[i].title));
		}
		said = tp_arena_printf(arena, "%.*s (%.*s)", TP_ARG(said), TP_ARG(reasons[first]));
	}
	return said;
}
