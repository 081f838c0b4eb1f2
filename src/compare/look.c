/* Figures of a report by id and key. */
#include "compare/look.h"

#include <assert.h>
#include <math.h>

#include "base/arena.h"
#include "report/compared.h"

double
tp_look_metric(const struct tp_doc *doc, const char *id, enum tp_unit unit)
{
	return tp_value_in(tp_doc_value(doc, id), unit);
}

struct tp_slice
tp_look_text(const struct tp_doc *doc, const char *id, struct tp_arena *arena)
{
	struct tp_value value = tp_doc_value(doc, id);
	char buf[TP_VALUE_BUF];

	return tp_known(value) ? tp_arena_copy(arena, tp_value_text(value, buf)) : TP_S("");
}

#ifndef NDEBUG
static bool
is_compared(const char *pattern)
{
	for (size_t i = 0; i < TP_COMPARED_TABLES; i++) {
		if (strcmp(tp_compared_tables[i], pattern) == 0)
			return true;
	}
	return false;
}
#endif

const struct tp_table *
tp_look_table(const struct tp_doc *doc, const char *pattern)
{
	const struct tp_block *view = NULL;

	assert(is_compared(pattern));
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		const struct tp_block *b = w.block;

		if (view == NULL && w.event == TP_WALK_ENTER && b->kind == TP_BLOCK_SECTION &&
			b->section.role == TP_SECTION_VIEW)
			view = b;
		else if (view == b && w.event == TP_WALK_LEAVE)
			view = NULL;
		if (view == NULL && w.event == TP_WALK_ENTER && b->kind == TP_BLOCK_TABLE &&
			tp_id_fits(b->id, pattern))
			return &b->table;
	}
	return NULL;
}

size_t
tp_look_column(const struct tp_table *table, const char *key)
{
	size_t column = 0;

	while (
		column < table->column_count && !tp_slice_eq(table->columns[column].key, tp_slice_of(key)))
		column++;
	return column;
}

double
tp_look_number(const struct tp_table *table, size_t row, size_t column, enum tp_unit unit)
{
	if (column >= table->column_count)
		return NAN;
	struct tp_value value =
		tp_column_value(&table->columns[column], table->rows[row].cells[column].value);

	return tp_value_in(value, unit);
}

struct tp_slice
tp_look_cell(const struct tp_table *table, size_t row, size_t column)
{
	if (column >= table->column_count)
		return TP_S("");
	struct tp_cell cell = table->rows[row].cells[column];

	if (cell.full.len != 0)
		return cell.full;
	return cell.value.kind == TP_VALUE_TEXT ? cell.value.text : TP_S("");
}

bool
tp_look_is_one(const struct tp_table *table, const char *key)
{
	size_t column = tp_look_column(table, key);

	for (size_t i = 1; i < table->row_count; i++) {
		if (!tp_slice_eq(tp_look_cell(table, i, column), tp_look_cell(table, 0, column)))
			return false;
	}
	return true;
}
