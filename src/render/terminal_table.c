/* Tables in columns of plain text: the columns that there is room for, the rows that were asked for. */
#include "render/terminal_table.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "chart/visible.h"
#include "render/columns.h"
#include "render/terminal.h"
#include "report/doc.h"

enum {
	GAP = 2,         /* columns of the terminal between two of the table */
	LEAST_NAME = 28, /* of the first column, where the others may have more */
	MOST_TEXT = 40,  /* of the others, where they are texts */
	MOST_DEPTH = 8,  /* levels of a tree that are indented */
};

struct layout {
	const struct tp_table *table;
	size_t *chosen;             /* columns, in their order */
	unsigned *natural, *widths; /* of each of the table; of each that is chosen */
	size_t count, all;          /* chosen, and those that show anything */
};

static bool
is_text(const struct tp_column *column)
{
	return column->unit == TP_UNIT_NONE;
}

static struct tp_slice
head_of(struct tp_terminal *t, const struct tp_column *column)
{
	struct tp_slice unit = tp_column_symbol(column);

	return tp_terminal_clean(t,
		tp_arena_printf(t->arena, "%.*s%s%.*s", TP_ARG(column->title), unit.len != 0 ? ", " : "",
			TP_ARG(unit)));
}

/* "▲ 62.0", or deeper in a tree "    conv2d". */
static struct tp_slice
cell_text(
	struct tp_terminal *t, const struct tp_table *table, const struct tp_row *row, size_t column)
{
	char buf[TP_VALUE_BUF];
	const struct tp_cell *cell = &row->cells[column];
	struct tp_slice glyph = tp_judge_glyph(cell->judge);
	struct tp_slice text = tp_column_text(&table->columns[column], cell->value, buf);
	int depth = table->tree && column == 0 ? row->depth : 0;

	return tp_arena_printf(t->arena, "%*s%.*s%s%.*s", 2 * (depth < MOST_DEPTH ? depth : MOST_DEPTH),
		"", TP_ARG(glyph), glyph.len != 0 ? " " : "", TP_ARG(tp_terminal_clean(t, text)));
}

static unsigned
greater(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* How wide each column of the table would be. */
static void
measure(struct tp_terminal *t, struct layout *l, const size_t *rows, size_t row_count)
{
	for (size_t i = 0; i < l->table->column_count; i++) {
		const struct tp_column *column = &l->table->columns[i];
		unsigned width = tp_terminal_width(head_of(t, column));

		for (size_t k = 0; k < row_count; k++)
			width = greater(
				width, tp_terminal_width(cell_text(t, l->table, &l->table->rows[rows[k]], i)));
		l->natural[i] = i != 0 && is_text(column) && width > MOST_TEXT ? MOST_TEXT : width;
	}
}

/* Takes so many columns; returns how wide they are together. */
static unsigned
take(struct tp_terminal *t, struct layout *l, size_t most)
{
	unsigned total = 0;

	l->count = tp_columns_choose(l->table, most, l->chosen, t->arena);
	for (size_t i = 0; i < l->count; i++) {
		l->widths[i] = l->natural[l->chosen[i]];
		total += l->widths[i] + (i != 0 ? GAP : 0);
	}
	return total;
}

/* As many columns as fit; the first, which names the rows, shrinks where it is long. */
static void
lay_out(struct tp_terminal *t, struct layout *l)
{
	size_t most = l->table->column_count;
	unsigned total = take(t, l, most);

	l->all = l->count;
	unsigned spare = l->widths[0] > LEAST_NAME ? l->widths[0] - LEAST_NAME : 0;

	while (total > t->columns + spare && most > 0)
		total = take(t, l, --most);
	while (total > t->columns + spare && l->count > 1)
		total -= GAP + l->widths[--l->count];
	if (total > t->columns)
		l->widths[0] -= total - t->columns < spare ? total - t->columns : spare;
}

/* A path says most at its end: "…(layer)/mlp/up/dot_general"; other texts, and those that are indented, at their beginning. */
static struct tp_slice
fitted(struct tp_terminal *t, struct tp_slice text, unsigned columns)
{
	unsigned width = tp_terminal_width(text) + 1;
	size_t length;

	if (width - 1 <= columns || text.ptr[0] == ' ' || !tp_slice_has(text, TP_S("/")))
		return tp_terminal_fit(t, text, columns);
	for (; width > columns && text.len != 0; text = tp_slice_from(text, length))
		width -= tp_columns_of(tp_utf8_next(text, &length));
	return tp_arena_printf(t->arena, "…%.*s", TP_ARG(text));
}

static void
put_line(struct tp_terminal *t, const struct layout *l, const struct tp_row *row)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct tp_column *column = &l->table->columns[l->chosen[i]];
		struct tp_slice text =
			row != NULL ? cell_text(t, l->table, row, l->chosen[i]) : head_of(t, column);
		unsigned width = l->widths[i];

		text = fitted(t, text, width);
		tp_terminal_blanks(t, i != 0 ? GAP : 0);
		if (!is_text(column))
			tp_terminal_right(t, text, width);
		else if (i + 1 == l->count)
			tp_terminal_put(t, TP_TERMINAL_PLAIN, text);
		else
			tp_terminal_left(t, text, width);
	}
	tp_sink_puts(t->out, "\n");
}

/* "3 columns left out: FLOPs, Bytes, Share; --width": those that the whole table would have and there is no room for; empty: none. */
static struct tp_slice
columns_left_out(struct tp_terminal *t, const struct layout *l)
{
	enum { MOST_NAMED = 160 }; /* bytes */
	size_t *all = tp_new_array(t->arena, size_t, l->table->column_count), left = l->all - l->count;
	size_t k = 0, told = 0;
	struct tp_slice names = TP_S("");

	tp_columns_choose(l->table, l->table->column_count, all, t->arena);
	for (size_t i = 0; left != 0 && i < l->all; i++) {
		struct tp_slice name = tp_terminal_clean(t, l->table->columns[all[i]].title);

		if (k < l->count && l->chosen[k] == all[i]) {
			k++;
		} else if (names.len + name.len < MOST_NAMED) {
			names = tp_arena_printf(
				t->arena, "%.*s%s%.*s", TP_ARG(names), told++ != 0 ? ", " : "", TP_ARG(name));
		}
	}
	if (left == 0)
		return TP_S("");
	return tp_arena_printf(t->arena, "%zu %s left out: %.*s%s; --width\n", left,
		tp_plural(left, "column", "columns"), TP_ARG(names), told < left ? ", …" : "");
}

static char
lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Whatever the case of letters. */
static bool
has(struct tp_slice text, struct tp_slice part)
{
	for (size_t at = 0; at + part.len <= text.len; at++) {
		size_t same = 0;

		while (same < part.len && lower(text.ptr[at + same]) == lower(part.ptr[same]))
			same++;
		if (same == part.len)
			return true;
	}
	return part.len == 0;
}

static bool
row_has(const struct tp_table *table, const struct tp_row *row, struct tp_slice part)
{
	char buf[TP_VALUE_BUF];

	for (size_t i = 0; i < table->column_count; i++) {
		const struct tp_cell *cell = &row->cells[i];

		if (has(tp_column_text(&table->columns[i], cell->value, buf), part) ||
			has(cell->full, part))
			return true;
	}
	return part.len == 0;
}

/* A line by itself, so that it can be weighed before it is taken. */
static struct tp_slice
line_of(struct tp_terminal *t, const struct layout *l, const struct tp_row *row)
{
	struct tp_sink *out = t->out;

	t->out = tp_sink_memory();
	put_line(t, l, row);
	struct tp_slice line = tp_arena_copy(t->arena, tp_sink_bytes(t->out));

	tp_sink_close(t->out);
	t->out = out;
	return line;
}

/* Numbers of the rows that were asked for; how many. What lies deep in a tree stands shut unless it is looked for. */
static size_t
choose_rows(const struct tp_table *table, const struct tp_terminal_rows *wish, size_t *rows,
	size_t *fitting)
{
	size_t count = 0, totals = 0;

	*fitting = 0;
	for (size_t i = 0; i < table->row_count; i++) {
		const struct tp_row *row = &table->rows[i];
		bool total = row->role == TP_ROW_TOTAL;
		bool shut = table->tree && table->open_depth > 0 && row->depth > table->open_depth &&
			wish->filter.len == 0 && wish->most != SIZE_MAX;

		if (!row_has(table, row, wish->filter))
			continue;
		++*fitting;
		if (shut || (count - totals >= wish->most && !total))
			continue;
		totals += total;
		rows[count++] = i;
	}
	return count;
}

enum tp_terminal_shown
tp_terminal_table(
	struct tp_terminal *t, const struct tp_table *table, const struct tp_terminal_rows *wish)
{
	enum { LAST_LINE = 64, LEAST_LINE = 8 }; /* bytes */
	size_t *rows = tp_new_array(t->arena, size_t, table->row_count);
	struct layout l = {
		.table = table,
		.chosen = tp_new_array(t->arena, size_t, table->column_count),
		.natural = tp_new_array(t->arena, unsigned, table->column_count),
		.widths = tp_new_array(t->arena, unsigned, table->column_count),
	};
	size_t fitting, count = choose_rows(table, wish, rows, &fitting), shown = 0;
	size_t start = tp_sink_written(t->out), end = start + wish->most_bytes;

	if (count == 0)
		return TP_TERMINAL_NO_ROW;
	measure(t, &l, rows, count < end / LEAST_LINE ? count : end / LEAST_LINE);
	lay_out(t, &l);
	tp_terminal_flow(
		t, false, TP_TERMINAL_FAINT, table->caption.len, tp_terminal_clean(t, table->caption));
	put_line(t, &l, NULL);
	struct tp_slice note = columns_left_out(t, &l);

	for (; shown < count; shown++) {
		struct tp_slice line = line_of(t, &l, &table->rows[rows[shown]]);

		if (tp_sink_written(t->out) + line.len + note.len + LAST_LINE > end)
			break;
		tp_sink_put(t->out, line);
	}
	if (shown < fitting)
		tp_sink_printf(t->out, "%zu %s left out: %s, --filter\n", fitting - shown,
			tp_plural(fitting - shown, "row", "rows"), shown < count ? "--size" : "--top");
	if (shown != 0)
		tp_sink_put(t->out, note);
	return shown != 0 ? TP_TERMINAL_SHOWN : TP_TERMINAL_NO_ROOM;
}
