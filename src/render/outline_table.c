/* Tables in the outline: a line for the columns, then a line a row. */
#include "render/outline.h"

static void
show_columns(struct tp_outline *o, const struct tp_table *t)
{
	tp_outline_indent(o, 1);
	for (size_t i = 0; i < t->column_count; i++) {
		tp_sink_puts(o->out, i == 0 ? "" : " | ");
		tp_outline_put(o, t->columns[i].title);
		tp_outline_between(o, ", ", tp_column_symbol(&t->columns[i]), "");
		tp_sink_puts(o->out, t->columns[i].sorted ? " ▾" : "");
	}
	tp_sink_puts(o->out, "\n");
}

static void
show_row(struct tp_outline *o, const struct tp_table *t, size_t index)
{
	static const char *const roles[] = {
		[TP_ROW_NORMAL] = "",
		[TP_ROW_GROUP] = " (group)",
		[TP_ROW_TOTAL] = " (total)",
	};
	const struct tp_row *row = &t->rows[index];
	char buf[TP_VALUE_BUF];

	tp_outline_indent(o, 1 + (unsigned)row->depth);
	if (t->numbered && row->role == TP_ROW_NORMAL)
		tp_sink_printf(o->out, "%zu. ", index + 1);
	for (size_t i = 0; i < t->column_count; i++) {
		const struct tp_cell *cell = &row->cells[i];
		const struct tp_column *column = &t->columns[i];

		tp_sink_puts(o->out, i == 0 ? "" : " | ");
		tp_outline_judge(o, cell->judge);
		tp_outline_put(o, tp_column_text(column, cell->value, buf));
		tp_outline_between(o, " [", cell->href, "]");
	}
	tp_sink_puts(o->out, roles[row->role]);
	tp_outline_between(o, "  #", row->id, "\n");
}

void
tp_outline_table(struct tp_outline *o, const struct tp_block *b)
{
	const struct tp_table *t = &b->table;

	tp_outline_head(o, b, t->tree ? "tree table" : "table");
	tp_outline_put(o, t->caption);
	tp_sink_printf(o->out, " (%zu rows)\n", t->row_count);
	show_columns(o, t);
	for (size_t i = 0; i < t->row_count; i++) {
		if (i == t->shown) {
			tp_outline_indent(o, 1);
			tp_sink_printf(o->out, "%zu more, folded:\n", t->row_count - i);
		}
		show_row(o, t, i);
	}
}
