/* Columns in which all rows of a table say the same. */
#include "base/arena.h"
#include "report/table.h"

/* Fewer rows are compared at a glance. */
enum { LEAST_ROWS = 3 };

static bool
is_of_life(const struct tp_table_life *life, size_t column)
{
	return life != NULL && (column == life->start || column == life->end || column == life->kind);
}

/* Whether a cell is no more than what it shows. */
static bool
is_plain(const struct tp_cell *cell)
{
	return cell->href.len == 0 && cell->metric.len == 0 && cell->judge == TP_JUDGE_NONE;
}

/* What a reader sees of a cell, which a page shows whole. Points into the document or into buf. */
static struct tp_slice
seen(const struct tp_column *column, const struct tp_cell *cell, char buf[static TP_VALUE_BUF])
{
	if (cell->value.kind == TP_VALUE_TEXT)
		return cell->full.len > 0 ? cell->full : cell->value.text;
	return tp_column_text(column, cell->value, buf);
}

bool
tp_column_is_same(const struct tp_table *table, size_t column)
{
	const struct tp_column *c = &table->columns[column];
	const struct tp_cell *first;
	char first_buf[TP_VALUE_BUF], buf[TP_VALUE_BUF];

	if (column == 0 || c->sorted || table->row_count < LEAST_ROWS ||
		is_of_life(table->life, column))
		return false;
	first = &table->rows[0].cells[column];
	if (!tp_cell_speaks(table, 0, column) || !is_plain(first))
		return false;
	struct tp_slice text = seen(c, first, first_buf);

	for (size_t row = 1; row < table->row_count; row++) {
		const struct tp_cell *cell = &table->rows[row].cells[column];

		if (!tp_cell_speaks(table, row, column) || !is_plain(cell) ||
			cell->swatch != first->swatch || cell->tint != first->tint ||
			!tp_slice_eq(seen(c, cell, buf), text))
			return false;
	}
	return true;
}

void
tp_columns_in_words(const struct tp_table *table, bool *silent, bool *same)
{
	size_t left = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		silent[i] = tp_column_is_silent(table, i);
		same[i] = !silent[i] && tp_column_is_same(table, i);
		left += !silent[i] && !same[i];
	}
	for (size_t i = 1; i < table->column_count && left == 1; i++) {
		left += same[i];
		same[i] = false;
	}
}

/* Whether a value says the title itself, as "GPU 2" does of a GPU. */
static bool
says_title(struct tp_slice value, struct tp_slice title)
{
	return value.len > title.len && tp_slice_starts(value, title) && value.ptr[title.len] == ' ';
}

/* "TPU:0", "12.5 MiB" */
static struct tp_slice
value_words(const struct tp_table *table, size_t column, struct tp_arena *arena)
{
	const struct tp_column *c = &table->columns[column];
	const struct tp_cell *cell = &table->rows[0].cells[column];
	char buf[TP_VALUE_BUF];
	struct tp_slice text = seen(c, cell, buf), symbol = tp_column_symbol(c);

	if (says_title(text, c->title))
		text = tp_slice_from(text, c->title.len + 1);
	if (cell->value.kind == TP_VALUE_TEXT || symbol.len == 0)
		return tp_arena_printf(arena, "%.*s", TP_ARG(text));
	return tp_arena_printf(arena, "%.*s\u202f%.*s", TP_ARG(text), TP_ARG(symbol));
}

struct tp_slice
tp_sameness_words(const struct tp_table *table, const bool *same, struct tp_arena *arena)
{
	struct tp_slice words = {NULL, 0};
	size_t count = 0, only = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		if (!same[i])
			continue;
		words = tp_arena_printf(arena, "%.*s%s%.*s %.*s", TP_ARG(words),
			count == 0 ? "In all rows: " : ", ", TP_ARG(table->columns[i].title),
			TP_ARG(value_words(table, i, arena)));
		only = i;
		count++;
	}
	if (count != 1)
		return words;
	return tp_arena_printf(arena, "%.*s: %.*s in all rows", TP_ARG(table->columns[only].title),
		TP_ARG(value_words(table, only, arena)));
}
