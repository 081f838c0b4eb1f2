/* Matching rows: by name where they do the same, then by what they do, then by name alone, for compilers number anew and "fusion.2" of
 * another program is another; then by name without numbers. What is left on both sides under one key is one group, so that a row that was
 * renamed, split or merged is compared as what it is. */
#include "compare/rows.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "compare/look.h"

enum { SIDES = 2 };

struct row {
	struct tp_slice exact, name, shown, other, looser, masked, kind;
	double measure, calls;
	bool taken;
};

struct side {
	struct row *rows;
	size_t count;
};

/* The rows of both sides under one key. */
struct group {
	size_t count[SIDES];
	struct tp_matched sum;
};

struct matcher {
	const struct tp_match_rule *rule;
	struct tp_arena *arena;
	struct side sides[SIDES];
	struct tp_matching *out;
};

/* The cells of these columns; empty where fewer than `least` of them say something. */
static struct tp_slice
joined(struct matcher *m, const struct tp_table *t, size_t row,
	const char *const keys[TP_MATCH_MOST_KEYS], size_t least)
{
	struct tp_slice text = {NULL, 0};
	size_t told = 0;

	for (size_t i = 0; i < TP_MATCH_MOST_KEYS && keys[i] != NULL; i++) {
		struct tp_slice cell = tp_look_cell(t, row, tp_look_column(t, keys[i]));

		told += cell.len != 0;
		text = i == 0       ? cell
			: cell.len != 0 ? tp_arena_printf(m->arena, "%.*s · %.*s", TP_ARG(text), TP_ARG(cell))
							: text;
	}
	return told >= least ? text : (struct tp_slice){NULL, 0};
}

struct tp_slice
tp_name_masked(struct tp_arena *arena, struct tp_slice name)
{
	char *out = tp_arena_alloc(arena, name.len);
	size_t length = 0;

	for (size_t i = 0; i < name.len; i++) {
		bool digit = isdigit((unsigned char)name.ptr[i]) != 0;

		if (!digit)
			out[length++] = name.ptr[i];
		else if (length == 0 || out[length - 1] != '#')
			out[length++] = '#';
	}
	return (struct tp_slice){out, length};
}

static bool
read_side(struct matcher *m, struct side *side, const struct tp_table *t, const char *measure,
	double times)
{
	size_t column = tp_look_column(t, measure);
	size_t calls = m->rule->calls != NULL ? tp_look_column(t, m->rule->calls) : t->column_count;
	size_t shown = m->rule->shown != NULL ? tp_look_column(t, m->rule->shown) : t->column_count;
	size_t kind = m->rule->kind != NULL ? tp_look_column(t, m->rule->kind) : t->column_count;

	side->rows = tp_new_array(m->arena, struct row, t->row_count);
	for (size_t i = 0; i < t->row_count; i++) {
		double value = tp_look_number(t, i, column, m->rule->unit);
		double called = tp_look_number(t, i, calls, TP_UNIT_COUNT);

		if (t->rows[i].role != TP_ROW_NORMAL || !isfinite(value))
			continue;
		side->rows[side->count++] = (struct row){
			.name = joined(m, t, i, m->rule->names, 0),
			.other = joined(m, t, i, m->rule->other, m->rule->least),
			.looser = joined(m, t, i, m->rule->looser, m->rule->least),
			.shown = tp_look_cell(t, i, shown),
			.kind = tp_look_cell(t, i, kind),
			.measure = value * times,
			.calls = isfinite(called) ? called * times : 0,
		};
	}
	for (size_t i = 0; i < side->count; i++) {
		struct row *row = &side->rows[i];

		row->shown = row->shown.len != 0 ? row->shown : row->name;
		row->masked = tp_name_masked(m->arena, row->name);
		row->exact = row->looser.len == 0
			? row->name
			: tp_arena_printf(m->arena, "%.*s · %.*s", TP_ARG(row->name), TP_ARG(row->looser));
	}
	return column < t->column_count;
}

static void
add(struct tp_matched *sum, const struct row *row, size_t side)
{
	if (side == 0) {
		sum->shown_was = sum->a_rows == 0 ? row->shown : sum->shown_was;
		sum->was = sum->a_rows++ == 0 ? row->name : sum->was;
		sum->a += row->measure;
		sum->a_calls += row->calls;
	} else {
		sum->shown = sum->b_rows == 0 ? row->shown : sum->shown;
		sum->name = sum->b_rows++ == 0 ? row->name : sum->name;
		sum->b += row->measure;
		sum->b_calls += row->calls;
	}
	sum->kind = sum->kind.len == 0 || side == 1 ? row->kind : sum->kind;
}

static enum tp_match
match_of(const struct tp_matched *sum, bool by_name)
{
	if (sum->a_rows == 0)
		return TP_MATCH_ADDED;
	if (sum->b_rows == 0)
		return TP_MATCH_GONE;
	if (by_name)
		return TP_MATCH_NAME;
	if (sum->a_rows == 1)
		return sum->b_rows == 1 ? TP_MATCH_RENAMED : TP_MATCH_SPLIT;
	return sum->b_rows == 1 ? TP_MATCH_MERGED : TP_MATCH_REGROUPED;
}

static void
put(struct matcher *m, struct tp_matched sum, bool by_name)
{
	sum.match = match_of(&sum, by_name);
	if (sum.b_rows == 0) {
		sum.name = sum.was;
		sum.shown = sum.shown_was;
	}
	if (sum.match == TP_MATCH_NAME || sum.match == TP_MATCH_ADDED || sum.match == TP_MATCH_GONE)
		sum.was = sum.shown_was = TP_S("");
	m->out->rows[m->out->count++] = sum;
}

/* One round: rows that are not taken yet, in groups by the slice at `offset` in each; a group with rows of both sides is one. In the
 * last round those of one side alone are, too. */
static void
match_round(struct matcher *m, size_t offset, bool by_name, bool is_last)
{
	struct tp_strings keys;
	struct group *groups =
		tp_new_array(m->arena, struct group, m->sides[0].count + m->sides[1].count + 1);

	tp_strings_init(&keys, m->arena);
	tp_intern(&keys, TP_S(""));
	for (int collect = 1; collect >= 0; collect--) {
		for (size_t s = 0; s < SIDES; s++) {
			for (size_t i = 0; i < m->sides[s].count; i++) {
				struct row *row = &m->sides[s].rows[i];
				struct tp_slice key =
					*(const struct tp_slice *)(const void *)((const char *)row + offset);
				uint32_t number = tp_intern(&keys, key);
				struct group *g = &groups[number];

				if ((number == 0 && !is_last) || row->taken)
					continue;
				if (collect) {
					g->count[s]++;
				} else if (is_last || (g->count[0] != 0 && g->count[1] != 0)) {
					add(&g->sum, row, s);
					row->taken = true;
				}
			}
		}
	}
	for (uint32_t k = 0; k < keys.count; k++) {
		if (groups[k].sum.a_rows + groups[k].sum.b_rows != 0)
			put(m, groups[k].sum, by_name);
	}
}

/* The largest change first, of equal ones the largest row. */
TP_ORDER(largest_change_first, struct tp_matched,
	(fabs(a->b - a->a) < fabs(b->b - b->a)) - (fabs(a->b - a->a) > fabs(b->b - b->a)), TP_DOWN(b),
	tp_slice_cmp(a->name, b->name));

bool
tp_match_rows(const struct tp_match_rule *rule, const struct tp_table *a, const struct tp_table *b,
	double a_times, double b_times, struct tp_arena *arena, struct tp_matching *out)
{
	struct matcher m = {.rule = rule, .arena = arena, .out = out};
	const char *measure = rule->measures[0];
	double same = 0;

	*out = (struct tp_matching){.rows = NULL};
	if (rule->measures[1] != NULL &&
		(tp_look_column(a, measure) == a->column_count ||
			tp_look_column(b, measure) == b->column_count))
		measure = rule->measures[1];
	if (!read_side(&m, &m.sides[0], a, measure, a_times) ||
		!read_side(&m, &m.sides[1], b, measure, b_times))
		return false;
	out->rows = tp_new_array(arena, struct tp_matched, m.sides[0].count + m.sides[1].count);
	match_round(&m, offsetof(struct row, exact), true, false);
	match_round(&m, offsetof(struct row, other), false, false);
	match_round(&m, offsetof(struct row, looser), false, false);
	match_round(&m, offsetof(struct row, name), true, false);
	match_round(&m, offsetof(struct row, masked), false, false);
	match_round(&m, offsetof(struct row, name), true, true);
	for (size_t i = 0; i < out->count; i++) {
		if (out->rows[i].match == TP_MATCH_NAME)
			same += out->rows[i].a + out->rows[i].b;
		out->a += out->rows[i].a;
		out->b += out->rows[i].b;
	}
	out->same_share = out->a + out->b > 0 ? same / (out->a + out->b) : 0;
	qsort(out->rows, out->count, sizeof *out->rows, largest_change_first);
	return true;
}
