/* Tables in JSON: columns with their units, and every row. */
#include "render/json.h"

#include "io/sink.h"

enum { MOST_SHOWN = 500 }; /* rows that a table shows where the whole must be small */

static const char *const row_roles[] = {
	[TP_ROW_NORMAL] = "normal",
	[TP_ROW_GROUP] = "group",
	[TP_ROW_TOTAL] = "total",
};

static void
put_column(struct tp_json_report *w, const struct tp_column *c)
{
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "key", c->key);
	tp_json_string(&w->json, "title", c->title);
	tp_json_string(&w->json, "unit", tp_unit_name(c->unit));
	if (c->shown_in != TP_UNIT_NONE)
		tp_json_string(&w->json, "shown_in", tp_unit_name(c->shown_in));
	if (c->sorted)
		tp_json_bool(&w->json, "sorted", true);
	tp_json_close(&w->json);
}

/* Numbers of a column are all in its unit; in a column of texts a number says its own. */
static void
put_cell(struct tp_json_report *w, const struct tp_cell *cell, const struct tp_column *column)
{
	char buf[TP_VALUE_BUF];
	struct tp_value v = cell->value;
	bool number = v.kind == TP_VALUE_INTEGER || v.kind == TP_VALUE_NUMBER;
	bool converted = number && column->unit != TP_UNIT_NONE && column->unit != v.unit;

	tp_json_open_named(&w->json, column->key, TP_JSON_FLAT_OBJECT);
	tp_json_value(
		&w->json, "value", converted ? tp_number(tp_value_in(v, column->unit), column->unit) : v);
	if (number && column->unit == TP_UNIT_NONE)
		tp_json_string(&w->json, "unit", tp_unit_name(v.unit));
	tp_json_string(&w->json, "text", tp_column_text(column, v, buf));
	if (!tp_known(v))
		tp_json_put_filled(w, "missing", v.text);
	tp_json_put_judge(w, "judge", cell->judge);
	if (cell->swatch != TP_HUE_NONE)
		tp_json_string(&w->json, "hue", tp_hue_name(cell->swatch));
	tp_json_put_filled(w, "full", cell->full);
	tp_json_put_filled(w, "href", cell->href);
	tp_json_put_filled(w, "metric", cell->metric);
	tp_json_close(&w->json);
}

static void
put_row(struct tp_json_report *w, const struct tp_row *row, const struct tp_table *t)
{
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "id", row->id);
	tp_json_put_name(w, "role", row_roles[row->role]);
	if (t->tree)
		tp_json_integer(&w->json, "depth", row->depth);
	tp_json_open(&w->json, "cells", TP_JSON_OBJECT);
	for (size_t i = 0; i < t->column_count; i++)
		put_cell(w, &row->cells[i], &t->columns[i]);
	tp_json_close(&w->json);
	tp_json_close(&w->json);
}

void
tp_json_put_table(struct tp_json_report *w, const struct tp_table *t)
{
	tp_json_string(&w->json, "caption", t->caption);
	tp_json_bool(&w->json, "tree", t->tree);
	tp_json_bool(&w->json, "numbered", t->numbered);
	tp_json_integer(&w->json, "shown", (int64_t)t->shown);
	tp_json_open(&w->json, "columns", TP_JSON_ARRAY);
	for (size_t i = 0; i < t->column_count; i++)
		put_column(w, &t->columns[i]);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "rows", TP_JSON_ARRAY);
	size_t i = 0;

	for (; i < t->row_count; i++) {
		if (tp_json_written(w) > w->most && (i >= t->shown || i >= MOST_SHOWN))
			break;
		put_row(w, &t->rows[i], t);
	}
	tp_json_close(&w->json);
	if (i < t->row_count)
		tp_json_integer(&w->json, "left_out", (int64_t)(t->row_count - i));
}
