/* What rows do, summed up: families of kernels, categories of operations. Those of two kinds of hardware are compared by it alone. */
#include "compare/groups.h"

#include <math.h>

#include "base/arena.h"
#include "compare/context.h"
#include "compare/look.h"
#include "compare/rows.h"
#include "compare/sums.h"
#include "report/column.h"

struct cells {
	struct tp_cell name, a, b, change, share, calls_a, calls_b;
};

#define COLUMNS(title)                                                                             \
	{                                                                                              \
		TP_COLUMN("name", title), TP_COLUMN("a_ms", "A", .unit = TP_UNIT_MS, .decimals = 3),       \
			TP_COLUMN("b_ms", "B", .unit = TP_UNIT_MS, .decimals = 3),                             \
			TP_COLUMN("change_ms", "Change", .unit = TP_UNIT_MS, .decimals = 3, .change = true),   \
			TP_SHARE_COLUMN("change_share", "Of A", .change = true),                               \
			TP_COLUMN("calls_a", "Calls A", .unit = TP_UNIT_COUNT, .decimals = 1),                 \
			TP_COLUMN("calls_b", "Calls B", .unit = TP_UNIT_COUNT, .decimals = 1),                 \
	}

static const struct tp_column family_columns[] = COLUMNS("Family");
static const struct tp_column category_columns[] = COLUMNS("Category");
TP_CELLS_ARE_COLUMNS(struct cells, family_columns);
TP_CELLS_ARE_COLUMNS(struct cells, category_columns);

static void
put(struct tp_draft *draft, struct tp_slice name, enum tp_row_role role, double a, double b,
	const struct tp_matched *m)
{
	struct cells *cells = (void *)tp_draft_row(draft, name, role, 0);
	struct tp_slice not_there = TP_S("none in this run"), sum = TP_S("a sum");

	cells->name.value = tp_text_value(name);
	cells->calls_a.value = tp_number_or(
		m != NULL && m->a_rows != 0 ? m->a_calls : NAN, TP_UNIT_COUNT, m != NULL ? not_there : sum);
	cells->calls_b.value = tp_number_or(
		m != NULL && m->b_rows != 0 ? m->b_calls : NAN, TP_UNIT_COUNT, m != NULL ? not_there : sum);
	cells->a.value = tp_number(a, TP_UNIT_MS);
	cells->b.value = tp_number(b, TP_UNIT_MS);
	cells->change.value = tp_number(b - a, TP_UNIT_MS);
	cells->share.value = m == NULL
		? tp_missing(sum)
		: tp_number_or(a != 0 ? b / a - 1 : NAN, TP_UNIT_SHARE, TP_S("it is 0 in A"));
}

struct tp_group_change
tp_compare_present_groups(struct tp_comparison *c, struct tp_block *section, const char *id,
	const char *column, const char *whole, const struct tp_match_rule *rule,
	const struct tp_row_pair *pair)
{
	const struct tp_group_change none = {.change_ms = 0};
	struct tp_match_rule by_column = *rule;
	struct tp_matching m;
	struct tp_sum sums[TP_SUMS];

	for (size_t side = 0; side < 2; side++) {
		if (tp_look_column(pair->table[side], column) == pair->table[side]->column_count)
			return none;
	}
	for (size_t i = 0; i < TP_MATCH_MOST_KEYS; i++)
		by_column.names[i] = by_column.other[i] = by_column.looser[i] = NULL;
	by_column.names[0] = column;
	by_column.kind = NULL;
	if (!tp_match_rows(&by_column, pair->table[0], pair->table[1], pair->times[0], pair->times[1],
			c->arena, &m) ||
		m.count == 0)
		return none;
	bool is_family = strcmp(column, "family") == 0;
	struct tp_draft draft =
		tp_draft_table(c->doc, section, tp_arena_printf(c->arena, "%s/by-%s", id, column).ptr,
			is_family ? family_columns : category_columns,
			sizeof family_columns / sizeof *family_columns);

	for (size_t i = 0; i < m.count; i++)
		put(&draft, m.rows[i].name, TP_ROW_NORMAL, m.rows[i].a, m.rows[i].b, &m.rows[i]);
	size_t count = tp_compare_sums(c, pair->of_captures ? NULL : whole, TP_UNIT_MS, m.a, m.b, sums);

	for (size_t i = 0; i < count; i++)
		put(&draft, sums[i].name, TP_ROW_TOTAL, sums[i].a, sums[i].b, NULL);
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		tp_arena_printf(c->arena, "By %s, whatever the names, %s, largest change first", column,
			pair->of_captures ? "whole captures" : "mean step");
	return (struct tp_group_change){m.rows[0].name, m.rows[0].b - m.rows[0].a};
}
