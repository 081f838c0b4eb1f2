/* Tables of the Markdown digest: the columns that say most, the rows that count. */
#include "render/markdown.h"

#include "base/arena.h"
#include "render/columns.h"

enum { MOST_COLUMNS = 7 };

static const double least_share =
	0.01; /* rows below this share of the whole are counted, not shown */

static bool
is_numeric(const struct tp_column *column)
{
	return column->unit != TP_UNIT_NONE;
}

static void
put_head(struct tp_markdown *m, const struct tp_table *table, const size_t *chosen, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct tp_column *c = &table->columns[chosen[i]];
		struct tp_slice unit = tp_column_symbol(c);

		tp_sink_puts(m->out, "| ");
		tp_markdown_put(m, c->title);
		tp_sink_puts(m->out, unit.len != 0 ? ", " : "");
		tp_markdown_put(m, unit);
		tp_sink_puts(m->out, " ");
	}
	tp_sink_puts(m->out, "|\n");
	for (size_t i = 0; i < count; i++)
		tp_sink_puts(m->out, is_numeric(&table->columns[chosen[i]]) ? "|--:" : "|---");
	tp_sink_puts(m->out, "|\n");
}

static void
put_cell(struct tp_markdown *m, const struct tp_column *column, const struct tp_cell *cell)
{
	char buf[TP_VALUE_BUF];
	bool is_text = cell->value.kind == TP_VALUE_TEXT;

	tp_markdown_glyph(m, cell->judge);
	if (is_text && column->code && cell->value.text.len != 0)
		tp_markdown_code(m, cell->value.text);
	else if (is_numeric(column) && !is_text && tp_known(cell->value))
		tp_markdown_put(m, tp_column_text(column, cell->value, buf));
	else
		tp_markdown_value(m, cell->value);
}

static void
put_row(struct tp_markdown *m, const struct tp_table *table, const struct tp_row *row,
	const size_t *chosen, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		tp_sink_puts(m->out, "| ");
		for (int depth = 0; table->tree && i == 0 && depth < row->depth; depth++)
			tp_sink_puts(m->out, "› ");
		put_cell(m, &table->columns[chosen[i]], &row->cells[chosen[i]]);
		tp_sink_puts(m->out, " ");
	}
	tp_sink_puts(m->out, "|\n");
}

/* A row counts unless a share in it says that it is next to nothing. */
static bool
counts(const struct tp_table *table, const struct tp_row *row)
{
	if (row->role == TP_ROW_TOTAL)
		return true;
	if (table->tree && table->open_depth > 0 && row->depth > table->open_depth)
		return false;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct tp_column *c = &table->columns[i];
		struct tp_value v = row->cells[i].value;

		if (c->bar && c->unit == TP_UNIT_SHARE && v.kind == TP_VALUE_NUMBER)
			return v.number >= least_share;
	}
	return true;
}

void
tp_markdown_table(struct tp_markdown *m, const struct tp_table *table, size_t most_rows)
{
	size_t *chosen = tp_new_array(m->arena, size_t, table->column_count);
	size_t count = tp_columns_choose(table, MOST_COLUMNS, chosen, m->arena), shown = 0;

	put_head(m, table, chosen, count);
	for (size_t i = 0; i < table->row_count; i++) {
		bool total = table->rows[i].role == TP_ROW_TOTAL;

		if (!counts(table, &table->rows[i]) || (shown >= most_rows && !total))
			continue;
		put_row(m, table, &table->rows[i], chosen, count);
		shown++;
	}
	if (shown < table->row_count)
		tp_sink_printf(m->out, "\n%zu more %s.\n", table->row_count - shown,
			tp_plural(table->row_count - shown, "row", "rows"));
}
