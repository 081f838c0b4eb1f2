/* Names of kernels in tables of operations: as short as in the table of kernels, with the whole beside them. */
#include "analyze/facts/kernel_name.h"

#include "base/arena.h"
#include "base/order.h"
#include "report/table.h"

#include <stdlib.h>

/* "jit(f)/jit(main)/add" and "Iterator::Root::Map[0]" are none; ".kd" is the descriptor of an AMD kernel. */
static bool
is_kernel(struct tp_slice name)
{
	return tp_slice_starts(name, TP_S("void ")) || tp_slice_starts(name, TP_S("_Z")) ||
		tp_slice_ends(name, TP_S(".kd")) ||
		(tp_slice_has(name, TP_S("::")) && tp_slice_has(name, TP_S("(")) &&
			!tp_slice_has(name, TP_S("/")));
}

struct tp_slice
tp_kernel_shown(struct tp_slice name, struct tp_arena *arena)
{
	return is_kernel(name) ? tp_kernel_short_name(name, arena) : name;
}

void
tp_kernel_put_name(struct tp_slice name, struct tp_arena *arena, struct tp_cell *cell)
{
	struct tp_slice shown = tp_kernel_shown(name, arena);

	cell->value = tp_text_value(shown);
	if (shown.len != name.len)
		cell->full = name;
}

struct named {
	struct tp_slice shown, whole;
	size_t row;
};

TP_ORDER(
	by_name, struct named, tp_slice_cmp(a->shown, b->shown) ?: tp_slice_cmp(a->whole, b->whole));

/* The cells of a finished table are constant; a row whose name changes gets others. */
static void
put_shown(const struct tp_table *table, struct tp_row *rows, const struct named *name,
	size_t column, struct tp_slice difference, struct tp_arena *arena)
{
	struct tp_cell *cells = tp_new_array(arena, struct tp_cell, table->column_count);

	memcpy(cells, rows[name->row].cells, table->column_count * sizeof *cells);
	cells[column].value = tp_text_value(
		tp_arena_printf(arena, "%.*s [%.*s]", TP_ARG(name->shown), TP_ARG(difference)));
	rows[name->row].cells = cells;
}

/* They are shown alike. */
static void
tell_apart(const struct tp_table *table, struct tp_row *rows, size_t column,
	const struct named *names, size_t count, struct tp_arena *arena)
{
	struct tp_arena *work = tp_arena_new();
	struct tp_slice *wholes = tp_new_array(work, struct tp_slice, count);
	struct tp_slice *differences = tp_new_array(work, struct tp_slice, count);
	size_t different = 0;

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !tp_slice_eq(names[i].whole, names[i - 1].whole))
			wholes[different++] = names[i].whole;
	}
	tp_kernel_differences(wholes, different, differences, work);
	for (size_t i = 0, n = 0; i < count; i++) {
		n += !tp_slice_eq(names[i].whole, wholes[n]);
		if (differences[n].len != 0)
			put_shown(table, rows, &names[i], column, differences[n], arena);
	}
	tp_arena_free(work);
}

void
tp_kernel_tell_rows_apart(struct tp_table *table, size_t column, struct tp_arena *arena)
{
	struct tp_arena *work = tp_arena_new();
	struct named *names = tp_new_array(work, struct named, table->row_count);
	struct tp_row *rows = NULL;
	size_t count = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct tp_cell *cell = &table->rows[i].cells[column];

		if (cell->value.kind == TP_VALUE_TEXT && cell->full.len != 0)
			names[count++] = (struct named){cell->value.text, cell->full, i};
	}
	if (count != 0)
		qsort(names, count, sizeof *names, by_name);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && tp_slice_eq(names[next].shown, names[i].shown); next++)
			;
		if (next == i + 1)
			continue;
		if (rows == NULL) {
			rows = tp_new_array(arena, struct tp_row, table->row_count);
			memcpy(rows, table->rows, table->row_count * sizeof *rows);
			table->rows = rows;
		}
		tell_apart(table, rows, column, names + i, next - i, arena);
	}
	tp_arena_free(work);
}
