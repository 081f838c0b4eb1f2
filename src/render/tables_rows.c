/* A table of the report as a plain one: its columns, behind one of texts the unit of numbers in it and what is said in full, and then
 * what each row is. */
#include "render/tables.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "report/shape.h"
#include "report/table.h"

#include <math.h>

enum part { VALUE, UNIT, FULL, ROW_ID, ROW_ROLE, ROW_DEPTH };

static bool
is_number(struct tp_value v)
{
	return v.kind == TP_VALUE_INTEGER || v.kind == TP_VALUE_NUMBER;
}

/* An empty text among numbers is no text: a blank cell of a row that sums up. */
static struct tp_value
value_of(const struct tp_column *column, const struct tp_cell *cell)
{
	if (column->unit != TP_UNIT_NONE && cell->value.kind == TP_VALUE_TEXT)
		return tp_plain_text(cell->value.text);
	return tp_column_value(column, cell->value);
}

static struct tp_value
cell_of(const struct tp_plain_table *table, size_t row, const struct tp_plain_column *column)
{
	const struct tp_row *r = &((const struct tp_table *)table->of)->rows[row];
	const struct tp_cell *cell = &r->cells[column->number];

	switch ((enum part)column->what) {
	case VALUE:
		return value_of(column->shows, cell);
	case UNIT:
		return tp_plain_text(is_number(cell->value) ? tp_unit_name(cell->value.unit) : TP_S(""));
	case FULL:
		return tp_plain_text(cell->full);
	case ROW_ID:
		return tp_text_value(r->id);
	case ROW_ROLE:
		return tp_text_value(tp_name_in(&tp_row_role_names, r->role));
	case ROW_DEPTH:
		break;
	}
	return tp_count((uint64_t)r->depth);
}

/* What is in a column. */
struct seen {
	bool text, number, fraction, unit, full;
};

static bool
is_fraction(struct tp_value v)
{
	return v.kind == TP_VALUE_NUMBER && v.number != floor(v.number);
}

static struct seen
look_at(const struct tp_table *t, size_t column)
{
	struct seen seen = {.text = false};

	for (size_t i = 0; i < t->row_count; i++) {
		const struct tp_cell *cell = &t->rows[i].cells[column];
		struct tp_value v = value_of(&t->columns[column], cell);

		seen.text |= v.kind == TP_VALUE_TEXT;
		seen.number |= is_number(v);
		seen.fraction |= is_fraction(v);
		seen.unit |= is_number(v) && v.unit != TP_UNIT_NONE && v.unit != TP_UNIT_COUNT;
		seen.full |= cell->full.len != 0;
	}
	return seen;
}

static bool
is_counted(enum tp_unit unit)
{
	return unit == TP_UNIT_COUNT || unit == TP_UNIT_BYTES || unit == TP_UNIT_UNIX_NS;
}

/* By the unit, so that it is the same in every report: what is counted is whole, unless this one is a mean. */
static enum tp_plain_type
type_of(const struct tp_column *column, struct seen seen)
{
	if (column->unit == TP_UNIT_NONE)
		return seen.number ? TP_PLAIN_ANY : TP_PLAIN_TEXT;
	if (seen.text)
		return TP_PLAIN_ANY;
	return is_counted(column->unit) && !seen.fraction ? TP_PLAIN_INTEGER : TP_PLAIN_REAL;
}

/* The key with the unit, which most keys end with. Counts have none. */
static struct tp_slice
name_with_unit(const struct tp_column *column, struct tp_arena *arena)
{
	struct tp_slice unit = tp_unit_name(column->unit);

	if (column->unit == TP_UNIT_COUNT || tp_slice_ends(column->key, unit))
		return column->key;
	return tp_arena_printf(arena, "%.*s_%.*s", TP_ARG(column->key), TP_ARG(unit));
}

struct columns {
	struct tp_buf at; /* of struct tp_plain_column */
	struct tp_strings taken;
};

static void
add(struct columns *c, struct tp_slice name, struct tp_plain_column column)
{
	column.name = tp_plain_name(&c->taken, name);
	TP_PUSH(&c->at, struct tp_plain_column, column.name, column.type, column.what, column.shows,
		column.number);
}

static void
add_shown(struct columns *c, const struct tp_table *t, size_t i, struct tp_arena *arena)
{
	const struct tp_column *shown = &t->columns[i];
	struct seen seen = look_at(t, i);
	struct tp_slice name = name_with_unit(shown, arena);

	add(c, name,
		(struct tp_plain_column){
			.type = type_of(shown, seen), .what = VALUE, .shows = shown, .number = i});
	if (shown->unit == TP_UNIT_NONE && seen.unit)
		add(c, tp_arena_printf(arena, "%.*s_unit", TP_ARG(name)),
			(struct tp_plain_column){.type = TP_PLAIN_TEXT, .what = UNIT, .number = i});
	if (seen.full)
		add(c, tp_arena_printf(arena, "%.*s_full", TP_ARG(name)),
			(struct tp_plain_column){.type = TP_PLAIN_TEXT, .what = FULL, .number = i});
}

struct tp_plain_table
tp_plain_table_of(const struct tp_table *table, struct tp_slice name, struct tp_arena *arena)
{
	struct columns c = {.at = {0}};

	tp_strings_init(&c.taken, arena);
	for (size_t i = 0; i < table->column_count; i++)
		add_shown(&c, table, i, arena);
	add(&c, TP_S("row_id"), (struct tp_plain_column){.type = TP_PLAIN_TEXT, .what = ROW_ID});
	add(&c, TP_S("row_role"), (struct tp_plain_column){.type = TP_PLAIN_TEXT, .what = ROW_ROLE});
	if (table->tree)
		add(&c, TP_S("row_depth"),
			(struct tp_plain_column){.type = TP_PLAIN_INTEGER, .what = ROW_DEPTH});
	size_t count = c.at.count;

	return (struct tp_plain_table){
		.name = name,
		.columns = tp_buf_settle(&c.at, sizeof(struct tp_plain_column), arena),
		.column_count = count,
		.row_count = table->row_count,
		.cell = cell_of,
		.of = table,
	};
}
