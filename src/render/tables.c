/* The tables of a report, in its order, and before them the lists of tables, columns and metrics. */
#include "render/tables.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "report/doc.h"
#include "report/shape.h"

enum { MOST_REASONS = 3 };

/* A table of the report, and where it stands. */
struct place {
	const struct tp_block *block, *section;
	struct tp_plain_table plain;
};

/* The id with the section's before it, unless it begins with that already. */
static struct tp_slice
name_of(const struct tp_block *block, const struct tp_block *section, struct tp_strings *taken)
{
	struct tp_slice id = block->id, before = section->id;
	bool begins = tp_slice_starts(id, before) && id.len > before.len && id.ptr[before.len] == '/';

	if (!begins)
		id = tp_arena_printf(taken->arena, "%.*s/%.*s", TP_ARG(before), TP_ARG(id));
	return tp_plain_name(taken, id);
}

static const struct place *
find_places(const struct tp_doc *doc, struct tp_strings *taken, size_t *count)
{
	struct tp_buf places = {0};

	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.event != TP_WALK_ENTER || w.block->kind != TP_BLOCK_TABLE)
			continue;
		struct tp_slice name = name_of(w.block, w.stack[0], taken);

		TP_PUSH(&places, struct place, .block = w.block, .section = w.stack[w.depth - 1],
			.plain = tp_plain_table_of(&w.block->table, name, taken->arena));
	}
	*count = places.count;
	return tp_buf_settle(&places, sizeof(struct place), taken->arena);
}

/* What a list has in its columns, each said once: its number, its name and what is in it. */
#define AS_NUMBER(number, name, kind) number,
#define AS_COLUMN(number, column, what) {.name = {column, sizeof column - 1}, what, number},

/* The list of tables. */

#define TABLE_COLUMNS(COLUMN)                                                                      \
	COLUMN(TABLE_NAME, "name", TP_PLAIN_TEXT)                                                      \
	COLUMN(TABLE_ID, "id", TP_PLAIN_TEXT)                                                          \
	COLUMN(TABLE_TITLE, "title", TP_PLAIN_TEXT)                                                    \
	COLUMN(TABLE_SECTION, "section", TP_PLAIN_TEXT)                                                \
	COLUMN(TABLE_SECTION_TITLE, "section_title", TP_PLAIN_TEXT)                                    \
	COLUMN(TABLE_ROWS, "row_count", TP_PLAIN_INTEGER)

enum of_table { TABLE_COLUMNS(AS_NUMBER) };
static const struct tp_plain_column table_columns[] = {TABLE_COLUMNS(AS_COLUMN)};

static struct tp_value
cell_of_table(const struct tp_plain_table *table, size_t row, const struct tp_plain_column *column)
{
	const struct place *p = (const struct place *)table->of + row;

	switch ((enum of_table)column->what) {
	case TABLE_NAME:
		return tp_text_value(p->plain.name);
	case TABLE_ID:
		return tp_text_value(p->block->id);
	case TABLE_TITLE:
		return tp_text_value(p->block->table.caption);
	case TABLE_SECTION:
		return tp_text_value(p->section->id);
	case TABLE_SECTION_TITLE:
		return tp_text_value(p->section->section.title);
	case TABLE_ROWS:
		break;
	}
	return tp_count(p->plain.row_count);
}

/* The list of columns, with why figures are unknown. */

struct listed {
	const struct tp_plain_table *table;
	const struct tp_plain_column *column;
	size_t number;
	uint64_t unknown_count;
	struct tp_slice unknown_because;
};

#define COLUMN_COLUMNS(COLUMN)                                                                     \
	COLUMN(COLUMN_TABLE, "table_name", TP_PLAIN_TEXT)                                              \
	COLUMN(COLUMN_NUMBER, "number", TP_PLAIN_INTEGER)                                              \
	COLUMN(COLUMN_NAME, "name", TP_PLAIN_TEXT)                                                     \
	COLUMN(COLUMN_TITLE, "title", TP_PLAIN_TEXT)                                                   \
	COLUMN(COLUMN_UNIT, "unit", TP_PLAIN_TEXT)                                                     \
	COLUMN(COLUMN_UNKNOWN, "unknown_count", TP_PLAIN_INTEGER)                                      \
	COLUMN(COLUMN_WHY, "unknown_because", TP_PLAIN_TEXT)

enum of_column { COLUMN_COLUMNS(AS_NUMBER) };
static const struct tp_plain_column column_columns[] = {COLUMN_COLUMNS(AS_COLUMN)};

static struct tp_value
cell_of_column(const struct tp_plain_table *table, size_t row, const struct tp_plain_column *column)
{
	const struct listed *l = (const struct listed *)table->of + row;
	const struct tp_column *shows = l->column->shows;

	switch ((enum of_column)column->what) {
	case COLUMN_TABLE:
		return tp_text_value(l->table->name);
	case COLUMN_NUMBER:
		return tp_count(l->number);
	case COLUMN_NAME:
		return tp_text_value(l->column->name);
	case COLUMN_TITLE:
		return tp_plain_text(shows != NULL ? shows->title : TP_S(""));
	case COLUMN_UNIT:
		return tp_plain_text(shows != NULL ? tp_unit_name(shows->unit) : TP_S(""));
	case COLUMN_UNKNOWN:
		return tp_count(l->unknown_count);
	case COLUMN_WHY:
		break;
	}
	return tp_plain_text(l->unknown_because);
}

/* Counts the unknown figures of a column and gathers the first few different reasons. */
static void
ask_why(struct listed *l, struct tp_arena *arena)
{
	struct tp_slice reasons[MOST_REASONS], said = TP_S("");
	size_t count = 0;

	for (size_t row = 0; l->column->shows != NULL && row < l->table->row_count; row++) {
		struct tp_value v = tp_plain_cell(l->table, row, l->number - 1);
		size_t known = 0;

		if (tp_known(v) || v.text.len == 0)
			continue;
		l->unknown_count++;
		while (known < count && !tp_slice_eq(reasons[known], v.text))
			known++;
		if (known == count && count < MOST_REASONS)
			reasons[count++] = v.text;
	}
	for (size_t i = 0; i < count; i++)
		said = tp_arena_printf(
			arena, "%.*s%s%.*s", TP_ARG(said), i != 0 ? "; " : "", TP_ARG(reasons[i]));
	l->unknown_because = said;
}

static const struct listed *
list_columns(const struct place *places, size_t place_count, struct tp_arena *arena, size_t *count)
{
	struct tp_buf columns = {0};

	for (size_t i = 0; i < place_count; i++) {
		for (size_t k = 0; k < places[i].plain.column_count; k++) {
			struct listed l = {
				.table = &places[i].plain, .column = &places[i].plain.columns[k], .number = k + 1};

			ask_why(&l, arena);
			*(struct listed *)tp_buf_add(&columns, sizeof l) = l;
		}
	}
	*count = columns.count;
	return tp_buf_settle(&columns, sizeof(struct listed), arena);
}

/* The list of metrics. */

#define METRIC_COLUMNS(COLUMN)                                                                     \
	COLUMN(METRIC_ID, "id", TP_PLAIN_TEXT)                                                         \
	COLUMN(METRIC_VALUE, "value", TP_PLAIN_ANY)                                                    \
	COLUMN(METRIC_UNIT, "unit", TP_PLAIN_TEXT)                                                     \
	COLUMN(METRIC_SCOPE, "scope", TP_PLAIN_TEXT)                                                   \
	COLUMN(METRIC_LABEL, "label", TP_PLAIN_TEXT)                                                   \
	COLUMN(METRIC_BETTER, "better", TP_PLAIN_TEXT)                                                 \
	COLUMN(METRIC_COVERAGE, "coverage", TP_PLAIN_TEXT)                                             \
	COLUMN(METRIC_WHY, "unknown_because", TP_PLAIN_TEXT)

enum of_metric { METRIC_COLUMNS(AS_NUMBER) };
static const struct tp_plain_column metric_columns[] = {METRIC_COLUMNS(AS_COLUMN)};

static struct tp_value
cell_of_metric(const struct tp_plain_table *table, size_t row, const struct tp_plain_column *column)
{
	const struct tp_metric *m = ((const struct tp_metric *const *)table->of)[row];

	switch ((enum of_metric)column->what) {
	case METRIC_ID:
		return tp_text_value(m->id);
	case METRIC_VALUE:
		return m->value;
	case METRIC_UNIT:
		return tp_plain_text(tp_unit_name(m->value.unit));
	case METRIC_SCOPE:
		return tp_plain_text(tp_slice_from(m->id, tp_scope_base(m->id).len + 1));
	case METRIC_LABEL:
		return tp_text_value(m->label);
	case METRIC_BETTER:
		return tp_plain_text(tp_name_in(&tp_direction_names, m->better));
	case METRIC_COVERAGE:
		return tp_plain_text(m->coverage);
	case METRIC_WHY:
		break;
	}
	return tp_plain_text(tp_known(m->value) ? TP_S("") : m->value.text);
}

static const void *
list_metrics(const struct tp_doc *doc, struct tp_arena *arena, size_t *count)
{
	struct tp_buf metrics = {0};

	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next)
		*(const struct tp_metric **)tp_buf_add(&metrics, sizeof m) = m;
	*count = metrics.count;
	return tp_buf_settle(&metrics, sizeof(const struct tp_metric *), arena);
}

#define COLUMNS(list) .columns = (list), .column_count = sizeof(list) / sizeof *(list)

struct tp_plain_tables
tp_plain_tables(const struct tp_doc *doc, struct tp_arena *arena)
{
	enum { LISTS = 3 };
	struct tp_strings taken;
	size_t count, column_count, metric_count;

	tp_strings_init(&taken, arena);
	struct tp_plain_table lists[LISTS] = {
		{tp_plain_name(&taken, TP_S("tables")), COLUMNS(table_columns), .cell = cell_of_table},
		{tp_plain_name(&taken, TP_S("columns")), COLUMNS(column_columns), .cell = cell_of_column},
		{tp_plain_name(&taken, TP_S("metrics")), COLUMNS(metric_columns), .cell = cell_of_metric},
	};
	const struct place *places = find_places(doc, &taken, &count);
	struct tp_plain_table *tables = tp_new_array(arena, struct tp_plain_table, LISTS + count);

	lists[0].of = places;
	lists[0].row_count = count;
	lists[1].of = list_columns(places, count, arena, &column_count);
	lists[1].row_count = column_count;
	lists[2].of = list_metrics(doc, arena, &metric_count);
	lists[2].row_count = metric_count;
	memcpy(tables, lists, sizeof lists);
	for (size_t i = 0; i < count; i++)
		tables[LISTS + i] = places[i].plain;
	return (struct tp_plain_tables){tables, LISTS + count};
}
