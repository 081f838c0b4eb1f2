/* The op view: operations by type, one below the other; the total of each is that of all from it on. */
#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_tree.h"
#include "base/arena.h"
#include "base/order.h"

#include <stdlib.h>

TP_ORDER(by_type, struct tp_tfprof_row, tp_slice_cmp(a->name, b->name));

/* Groups of nodes by type, each in the order of the names of its nodes. */
static uint32_t
group(const struct tp_tfprof *t, struct tp_tfprof_options *o, struct tp_arena *scratch,
	struct tp_arena *arena, struct tp_tfprof_row **out, struct tp_tfprof_view *view)
{
	struct tp_strings types;
	uint32_t *type = tp_new_array(scratch, uint32_t, t->node_count);
	uint32_t *nodes = tp_new_array(scratch, uint32_t, t->node_count), kept = 0;

	tp_strings_init(&types, scratch);
	for (uint32_t i = 0; i < t->node_count; i++)
		type[i] = tp_intern(&types, t->nodes[i].op);
	uint32_t *first = tp_new_array(scratch, uint32_t, (size_t)types.count + 2);
	struct tp_tfprof_row *rows =
		tp_new_array(scratch, struct tp_tfprof_row, (size_t)types.count + 1);

	for (uint32_t i = 0; i < t->node_count; i++)
		first[type[i] + 2]++;
	for (uint32_t i = 1; i < types.count + 2; i++)
		first[i] += first[i - 1];
	for (uint32_t i = 0; i < t->node_count; i++)
		nodes[first[type[i] + 1]++] = i;
	view->members = tp_new_array(arena, uint32_t, t->node_count);
	uint32_t count = 0;

	for (uint32_t i = 0; i < types.count; i++) {
		uint32_t of_type = first[i + 1] - first[i];

		/* The empty string has a number, whether a node is of this type or not. */
		if (of_type == 0)
			continue;
		rows[count] = (struct tp_tfprof_row){.name = types.text[i], .node = TP_MAP_NONE};
		tp_tfprof_group(t, o, nodes + first[i], of_type, &rows[count++], view->members, &kept);
	}
	qsort(rows, count, sizeof *rows, by_type);
	*out = rows;
	return count;
}

/* From the last row up. */
static void
chain(struct tp_tfprof_row *rows, const uint32_t *numbers, uint32_t count,
	struct tp_tfprof_figures *all)
{
	*all = (struct tp_tfprof_figures){0};
	for (uint32_t i = count; i-- > 0;) {
		struct tp_tfprof_row *row = &rows[numbers[i]];

		tp_tfprof_add(all, &row->own);
		row->total = *all;
	}
}

static uint32_t
start_of(struct tp_tfprof_options *o, const struct tp_tfprof_row *rows, const uint32_t *numbers,
	uint32_t count)
{
	uint32_t i = 0;

	if (o->start_names.all || o->start_names.count == 0)
		return 0;
	while (i < count && !tp_patterns_match(&o->start_names, rows[numbers[i]].name))
		i++;
	return i;
}

/* The first of numbers are then those that are shown; returns how many. */
static uint32_t
hide(struct tp_tfprof_options *o, const struct tp_tfprof_row *rows, uint32_t *numbers,
	uint32_t count)
{
	const struct tp_tfprof_tree tree = {.by_totals = true, .ignores_runs = true};
	uint32_t shown = 0;
	int64_t depth = 0;

	for (uint32_t i = start_of(o, rows, numbers, count); i < count; i++, depth++) {
		const struct tp_tfprof_row *row = &rows[numbers[i]];

		if (depth > o->max_depth || tp_patterns_matching(&o->trim_names, row->name) != 0)
			break;
		if (o->min[TP_TFPROF_RUNS] <= (int64_t)row->member_count &&
			tp_tfprof_shown(o, &tree, row, depth))
			numbers[shown++] = numbers[i];
	}
	return shown;
}

void
tp_tfprof_op_rows(const struct tp_tfprof *t, struct tp_tfprof_options *o, struct tp_arena *arena,
	struct tp_tfprof_view *view)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_tfprof_row *rows, root = {.name = TP_S(TP_TFPROF_ROOT), .node = TP_MAP_NONE};
	uint32_t types = group(t, o, scratch, arena, &rows, view), count = 0;
	uint32_t *numbers = tp_new_array(scratch, uint32_t, types);
	uint32_t *of = tp_new_array(scratch, uint32_t, types);

	for (uint32_t i = 0; i < types; i++) {
		rows[i].total = rows[i].own;
		numbers[i] = of[i] = i;
	}
	tp_tfprof_sort(o, true, rows, of, numbers, types);
	for (uint32_t i = 0; i < types; i++) {
		if (rows[numbers[i]].accounted)
			numbers[count++] = numbers[i];
	}
	chain(rows, numbers, count, &root.total);
	count = hide(o, rows, numbers, count);
	if (o->displayed_only)
		chain(rows, numbers, count, &root.total);
	view->rows = tp_new_array(arena, struct tp_tfprof_row, (size_t)count + 1);
	view->rows[view->count++] = root;
	for (uint32_t i = 0; i < count; i++) {
		struct tp_tfprof_row *row = &view->rows[view->count++];

		*row = rows[numbers[i]];
		row->parent = i;
		row->depth = i + 1;
	}
	tp_arena_free(scratch);
}
