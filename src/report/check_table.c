/* Tables: keys of columns, rows that fit their tree, numbers that fit their column. */
#include "report/checker.h"

#include <math.h>

static bool
check_columns(struct tp_checker *c, const struct tp_table *t)
{
	struct tp_strings keys;

	tp_strings_init(&keys, c->scratch);
	for (size_t i = 0; i < t->column_count; i++) {
		const struct tp_column *column = &t->columns[i];
		uint32_t before = keys.count;

		if (!tp_check_present(c, column->key, TP_S("a column's key")) ||
			!tp_check_text(c, column->title) ||
			!tp_check_need(c, tp_intern(&keys, column->key) == before, column->key,
				"is the key of two columns") ||
			!tp_check_need(c, !column->bar || column->unit == TP_UNIT_SHARE, column->key,
				"has bars but is no share"))
			return false;
	}
	return tp_check_need(c, t->column_count > 0, TP_S("a table"), "has no columns");
}

static bool
check_cell(struct tp_checker *c, const struct tp_cell *cell, const struct tp_column *column)
{
	bool number = cell->value.kind == TP_VALUE_INTEGER || cell->value.kind == TP_VALUE_NUMBER;

	return tp_check_value(c, cell->value) && tp_check_href(c, cell->href) &&
		tp_check_shown_metric(c, cell->metric, cell->value) &&
		tp_check_need(c,
			!number || column->unit == TP_UNIT_NONE ||
				!isnan(tp_value_in(cell->value, column->unit)),
			column->key, "holds a number of another quantity");
}

bool
tp_check_table(struct tp_checker *c, const struct tp_table *t)
{
	int deepest = 0;

	if (!tp_check_text(c, t->caption) || !check_columns(c, t))
		return false;
	for (size_t i = 0; i < t->row_count; i++) {
		const struct tp_row *row = &t->rows[i];

		if (!tp_check_need(c, row->cells != NULL, row->id, "is a row without cells") ||
			!tp_check_need(c, row->depth >= 0 && row->depth <= deepest, row->id,
				"is a row deeper than the tree allows"))
			return false;
		for (size_t j = 0; j < t->column_count; j++) {
			if (!check_cell(c, &row->cells[j], &t->columns[j]))
				return false;
		}
		deepest = t->tree ? row->depth + 1 : 0;
	}
	return true;
}
