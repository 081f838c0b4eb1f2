/* Rows gather on the heap and move into the document's arena when the table is done. */
#include "report/draft.h"

#include "base/arena.h"

#include <math.h>

struct tp_draft
tp_draft_table(struct tp_doc *doc, struct tp_block *parent, const char *id,
	const struct tp_column *columns, size_t column_count)
{
	struct tp_draft draft = {
		.doc = doc,
		.block = tp_doc_add(doc, parent, TP_BLOCK_TABLE, tp_slice_of(id)),
		.columns = columns,
		.column_count = column_count,
	};

	tp_map_init(&draft.ids, doc->arena);
	return draft;
}

struct tp_draft
tp_draft_fold(struct tp_doc *doc, struct tp_block *parent, struct tp_slice id, const char *title,
	const struct tp_column *columns, size_t column_count)
{
	struct tp_block *fold = tp_doc_section(doc, parent, TP_SECTION_FOLD, id.ptr, title);

	fold->section.off_paper = true;
	return tp_draft_table(doc, fold, tp_arena_printf(doc->arena, "%.*s/table", TP_ARG(id)).ptr,
		columns, column_count);
}

/* What a hostile name makes equal is told apart by a number. */
static struct tp_slice
row_id(struct tp_draft *draft, struct tp_slice name)
{
	struct tp_slice id = tp_doc_id(draft->doc, draft->block->id.ptr, name);
	uint64_t hash = tp_hash_bytes(id), other;
	uint32_t n = tp_map_get(&draft->ids, hash);
	struct tp_slice unique;

	if (n == TP_MAP_NONE) {
		tp_map_put(&draft->ids, hash, 1);
		return id;
	}
	do {
		unique = tp_arena_printf(draft->doc->arena, "%.*s~%u", TP_ARG(id), ++n);
		other = tp_hash_bytes(unique);
	} while (tp_map_get(&draft->ids, other) != TP_MAP_NONE);
	tp_map_put(&draft->ids, hash, n);
	tp_map_put(&draft->ids, other, n);
	return unique;
}

struct tp_cell *
tp_draft_row(struct tp_draft *draft, struct tp_slice name, enum tp_row_role role, int depth)
{
	struct tp_cell *cells = tp_new_array(draft->doc->arena, struct tp_cell, draft->column_count);
	struct tp_row *row = tp_buf_add(&draft->rows, sizeof *row);

	for (size_t i = 0; i < draft->column_count; i++) {
		cells[i].value = tp_text_value(TP_S(""));
	}
	*row = (struct tp_row){.id = row_id(draft, name), .role = role, .depth = depth, .cells = cells};
	return cells;
}

static struct tp_value
number_of(double number, const struct tp_field *f)
{
	return isfinite(number) || f->missing == NULL ? tp_number(number, f->unit)
												  : tp_missing(tp_slice_of(f->missing));
}

static struct tp_value
text_of(struct tp_slice text, const struct tp_field *f)
{
	return text.len != 0 || f->missing == NULL ? tp_text_value(text)
											   : tp_missing(tp_slice_of(f->missing));
}

static struct tp_value
value_of(const struct tp_field *f, const void *of)
{
	const void *member = (const char *)of + f->offset;

	switch (f->type) {
	case TP_FIELD_NONE:
		break;
	case TP_FIELD_TEXT:
		return text_of(*(const struct tp_slice *)member, f);
	case TP_FIELD_CHARS:
		return tp_text_value(tp_slice_of(*(const char *const *)member));
	case TP_FIELD_DOUBLE:
		return number_of(*(const double *)member, f);
	case TP_FIELD_INT64:
		return tp_integer(*(const int64_t *)member, f->unit);
	case TP_FIELD_UINT64: {
		uint64_t n = *(const uint64_t *)member;

		return tp_integer(n > INT64_MAX ? INT64_MAX : (int64_t)n, f->unit);
	}
	case TP_FIELD_UINT32:
		return tp_integer(*(const uint32_t *)member, f->unit);
	case TP_FIELD_VALUE:
		return *(const struct tp_value *)member;
	}
	return tp_text_value(TP_S(""));
}

void *
tp_draft_row_of(
	struct tp_draft *draft, struct tp_slice name, enum tp_row_role role, int depth, const void *of)
{
	struct tp_cell *cells = tp_draft_row(draft, name, role, depth);

	for (size_t i = 0; i < draft->column_count; i++) {
		if (draft->columns[i].field.type != TP_FIELD_NONE)
			cells[i].value = value_of(&draft->columns[i].field, of);
	}
	return cells;
}

void *
tp_draft_rest_row(struct tp_draft *draft, struct tp_slice name, const char *why)
{
	struct tp_cell *cells = tp_draft_row(draft, name, TP_ROW_TOTAL, 0);

	for (size_t i = 0; i < draft->column_count; i++)
		cells[i].value = tp_missing(tp_slice_of(why));
	return cells;
}

/* Numbers that are large or small in a column's unit, and what they are shown in; of a unit the largest first. */
static const struct {
	enum tp_unit unit;
	double from, below; /* of the largest */
	enum tp_unit shown_in;
} other_units[] = {
	{TP_UNIT_MS, 0x1p-1022, 1, TP_UNIT_US},
	{TP_UNIT_US, 10000, INFINITY, TP_UNIT_MS},
	{TP_UNIT_BYTES, 10 * 0x1p30, INFINITY, TP_UNIT_GIB},
	{TP_UNIT_BYTES, 10 * 0x1p20, INFINITY, TP_UNIT_MIB},
	{TP_UNIT_MIB, 10 * 0x1p10, INFINITY, TP_UNIT_GIB},
	{TP_UNIT_GFLOP_PER_S, 10000, INFINITY, TP_UNIT_TFLOP_PER_S},
};

/* The largest figure of each column, without its sign, in the column's unit; of totals, too, or of the other rows alone. */
static const double *
largest_of_columns(struct tp_doc *doc, const struct tp_table *t, bool with_totals)
{
	double *most = tp_new_array(doc->arena, double, t->column_count);

	for (size_t r = 0; r < t->row_count; r++) {
		if (!with_totals && t->rows[r].role == TP_ROW_TOTAL)
			continue;
		for (size_t c = 0; c < t->column_count; c++)
			most[c] =
				fmax(most[c], fabs(tp_value_in(t->rows[r].cells[c].value, t->columns[c].unit)));
	}
	return most;
}

/* The same over all columns of that unit: of a table of differences, which are read beside what they are differences of. */
static double
largest_of_unit(const struct tp_table *t, const double *most, enum tp_unit unit)
{
	double of_unit = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		if (t->columns[c].unit == unit)
			of_unit = fmax(of_unit, most[c]);
	}
	return of_unit;
}

static bool
has_differences(const struct tp_table *t)
{
	for (size_t c = 0; c < t->column_count; c++) {
		if (t->columns[c].change)
			return true;
	}
	return false;
}

/* Columns of one unit are read beside each other, so where some are small they are all shown in the smaller unit, while the
 * largest figure stays short. */
static const struct {
	enum tp_unit unit, shown_in;
	double some_below, all_below; /* of the largest of a column, of all columns */
} alike[] = {
	{TP_UNIT_MS, TP_UNIT_US, 1, 10},
	{TP_UNIT_US, TP_UNIT_US, 10000, 100000},
	{TP_UNIT_MIB, TP_UNIT_KIB, .1, .1},
};

/* Whether all columns of this unit are shown in one, and in which. */
static bool
shown_alike(const struct tp_table *t, const double *most, enum tp_unit unit, enum tp_unit *out)
{
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
		bool some = false;

		for (size_t c = 0; c < t->column_count && alike[i].unit == unit; c++)
			some |= t->columns[c].unit == unit && most[c] > 0 && most[c] < alike[i].some_below;
		if (some && largest_of_unit(t, most, unit) < alike[i].all_below) {
			*out = alike[i].shown_in;
			return true;
		}
	}
	return false;
}

/* What a column whose largest figure this is reads best in. */
static enum tp_unit
suitable(enum tp_unit unit, double most)
{
	for (size_t i = 0; i < sizeof other_units / sizeof *other_units; i++) {
		if (other_units[i].unit == unit && most >= other_units[i].from &&
			most < other_units[i].below)
			return other_units[i].shown_in;
	}
	return unit;
}

/* Sizes of arrays are often whole MiB: where all of a table are, they need no decimals. */
static bool
are_whole_mib(const struct tp_table *t)
{
	for (size_t r = 0; r < t->row_count; r++) {
		for (size_t c = 0; c < t->column_count; c++) {
			struct tp_value value = t->rows[r].cells[c].value;

			if (t->columns[c].unit == TP_UNIT_MIB && tp_known(value) &&
				fmod(tp_value_in(value, TP_UNIT_MIB), 1) != 0)
				return false;
		}
	}
	return true;
}

/* Of columns that leave unit and decimals to their largest figure: from which on it is shown in which. */
static const struct {
	enum tp_unit unit;
	double from;
	enum tp_unit shown_in;
} ladder[] = {
	{TP_UNIT_US, 1e7, TP_UNIT_S},
	{TP_UNIT_US, 1e4, TP_UNIT_MS},
	{TP_UNIT_BYTES, 10 * 0x1p30, TP_UNIT_GIB},
	{TP_UNIT_BYTES, 10 * 0x1p20, TP_UNIT_MIB},
	{TP_UNIT_BYTES, 10 * 0x1p10, TP_UNIT_KIB},
	{TP_UNIT_FLOP, 1e10, TP_UNIT_GFLOP},
	{TP_UNIT_FLOP, 1e5, TP_UNIT_MFLOP},
	{TP_UNIT_FLOP_PER_S, 1e13, TP_UNIT_TFLOP_PER_S},
	{TP_UNIT_FLOP_PER_S, 1e8, TP_UNIT_GFLOP_PER_S},
};

static bool
any_by_column(const struct tp_table *t)
{
	for (size_t c = 0; c < t->column_count; c++) {
		if (t->columns[c].decimals == TP_DECIMALS_BY_COLUMN)
			return true;
	}
	return false;
}

/* Without a unit that suits, whole numbers have no decimals. */
static int
decimals_of(const struct tp_table *t, size_t column)
{
	for (size_t r = 0; r < t->row_count; r++) {
		struct tp_value v = t->rows[r].cells[column].value;

		if (tp_known(v) && fmod(tp_value_in(v, t->columns[column].unit), 1) != 0)
			return 1;
	}
	return 0;
}

static void
choose_by_column(struct tp_doc *doc, struct tp_table *t)
{
	struct tp_column *columns = tp_new_array(doc->arena, struct tp_column, t->column_count);
	const double *most = largest_of_columns(doc, t, true);

	memcpy(columns, t->columns, t->column_count * sizeof *columns);
	for (size_t c = 0; c < t->column_count; c++) {
		if (columns[c].decimals != TP_DECIMALS_BY_COLUMN)
			continue;
		double largest = largest_of_unit(t, most, columns[c].unit);
		size_t i = 0, steps = sizeof ladder / sizeof *ladder;

		while (i < steps && !(ladder[i].unit == columns[c].unit && largest >= ladder[i].from))
			i++;
		columns[c].decimals = decimals_of(t, c);
		if (i < steps)
			columns[c].shown_in = ladder[i].shown_in;
	}
	t->columns = columns;
}

enum { DECIMALS_OF_SHORT = 3 }; /* of rows that are all below 1 ms */

/* Whole numbers stay: they are exact. */
static void
choose_units(struct tp_doc *doc, struct tp_table *t, bool adds_up)
{
	const double *most = largest_of_columns(doc, t, true),
				 *of_rows = largest_of_columns(doc, t, false);
	struct tp_column *columns = NULL;
	bool together = adds_up || has_differences(t), whole_mib = are_whole_mib(t);

	for (size_t c = 0; c < t->column_count; c++) {
		enum tp_unit unit = t->columns[c].unit, to;

		if (t->columns[c].decimals < 0 || (unit == TP_UNIT_US && t->columns[c].decimals == 0))
			continue;
		if (together || !shown_alike(t, most, unit, &to))
			to = suitable(unit, together ? largest_of_unit(t, most, unit) : most[c]);
		bool whole = to == unit && unit == TP_UNIT_MIB && whole_mib;
		/* A total alone keeps them in ms, as the idle time below a list of operations. */
		bool short_rows = to == unit && unit == TP_UNIT_MS && of_rows[c] > 0 && of_rows[c] < 1 &&
			t->columns[c].decimals < DECIMALS_OF_SHORT;

		if (to == unit && !whole && !short_rows)
			continue;
		if (columns == NULL) {
			columns = tp_new_array(doc->arena, struct tp_column, t->column_count);
			memcpy(columns, t->columns, t->column_count * sizeof *columns);
		}
		if (whole)
			columns[c].decimals = 0;
		else if (short_rows)
			columns[c].decimals = DECIMALS_OF_SHORT;
		else
			columns[c].shown_in = to;
	}
	if (columns != NULL)
		t->columns = columns;
}

/* Rows whose figures are all 0, or missing, are in no order that their column could show. */
static bool
orders_rows(const struct tp_table *t, size_t column)
{
	for (size_t r = 0; r < t->row_count; r++) {
		struct tp_value value = t->rows[r].cells[column].value;

		if (value.kind == TP_VALUE_TEXT ? value.text.len != 0
										: tp_known(value) && tp_value_in(value, value.unit) != 0)
			return true;
	}
	return t->row_count < 2;
}

static void
drop_order(struct tp_doc *doc, struct tp_table *t)
{
	for (size_t c = 0; c < t->column_count; c++) {
		if (!t->columns[c].sorted || orders_rows(t, c))
			continue;
		struct tp_column *columns = tp_new_array(doc->arena, struct tp_column, t->column_count);

		memcpy(columns, t->columns, t->column_count * sizeof *columns);
		columns[c].sorted = false;
		t->columns = columns;
	}
}

struct tp_table *
tp_draft_finish(struct tp_draft *draft, size_t shown)
{
	struct tp_table *t = &draft->block->table;
	struct tp_row *rows = tp_new_array(draft->doc->arena, struct tp_row, draft->rows.count);

	if (draft->rows.count != 0)
		memcpy(rows, draft->rows.data, draft->rows.count * sizeof *rows);
	t->columns = draft->columns;
	t->column_count = draft->column_count;
	t->rows = rows;
	t->row_count = draft->rows.count;
	t->shown = draft->rows.count < shown ? draft->rows.count : shown;
	tp_buf_free(&draft->rows);
	choose_units(draft->doc, t, draft->adds_up);
	if (any_by_column(t))
		choose_by_column(draft->doc, t);
	drop_order(draft->doc, t);
	return t;
}

static bool
any_known(const struct tp_table *t, size_t column)
{
	for (size_t r = 0; r < t->row_count; r++) {
		if (tp_known(t->rows[r].cells[column].value))
			return true;
	}
	return false;
}

struct tp_slice
tp_table_drop_missing(struct tp_doc *doc, struct tp_table *t, size_t first)
{
	struct tp_column *columns = tp_new_array(doc->arena, struct tp_column, t->column_count);
	size_t *from = tp_new_array(doc->arena, size_t, t->column_count), kept = 0;
	struct tp_slice dropped = TP_S("");

	for (size_t c = 0; c < t->column_count; c++) {
		if (c < first || any_known(t, c)) {
			columns[kept] = t->columns[c];
			from[kept++] = c;
			continue;
		}
		dropped = tp_arena_printf(doc->arena, "%.*s%s%.*s", TP_ARG(dropped),
			dropped.len ? ", " : "", TP_ARG(t->columns[c].title));
	}
	if (kept == t->column_count)
		return dropped;
	struct tp_row *rows = tp_new_array(doc->arena, struct tp_row, t->row_count);

	for (size_t r = 0; r < t->row_count; r++) {
		struct tp_cell *cells = tp_new_array(doc->arena, struct tp_cell, kept);

		for (size_t c = 0; c < kept; c++)
			cells[c] = t->rows[r].cells[from[c]];
		rows[r] = t->rows[r];
		rows[r].cells = cells;
	}
	t->rows = rows;
	t->columns = columns;
	t->column_count = kept;
	return dropped;
}

void
tp_table_open_levels(struct tp_table *t, int deepest, size_t most)
{
	for (t->open_depth = deepest; t->open_depth > 1; t->open_depth--) {
		size_t open = 0;

		for (size_t i = 0; i < t->row_count; i++)
			open += t->rows[i].depth <= t->open_depth;
		if (open <= most)
			break;
	}
	t->shown = tp_table_open_rows(t, most);
}

size_t
tp_table_open_rows(const struct tp_table *t, size_t most)
{
	size_t open = 0, i = 0;

	for (; i < t->row_count; i++) {
		open += t->rows[i].depth <= t->open_depth;
		if (open > most)
			break;
	}
	return i;
}
