/* Which rows of a view are shown, and in which order. */
#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_tree.h"
#include "base/buf.h"
#include "base/order.h"

#include <stdlib.h>

void
tp_tfprof_options_open(struct tp_tfprof_options *o)
{
	struct tp_patterns *const all[] = {&o->account_types, &o->start_names, &o->show_names};

	*o = (struct tp_tfprof_options){.max_depth = INT32_MAX, .step = -1, .order = TP_TFPROF_BY_NAME};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		tp_patterns_set(all[i], TP_S(".*"), NULL);
}

void
tp_tfprof_options_close(struct tp_tfprof_options *o)
{
	tp_patterns_free(&o->account_types);
	tp_patterns_free(&o->start_names);
	tp_patterns_free(&o->trim_names);
	tp_patterns_free(&o->show_names);
	tp_patterns_free(&o->hide_names);
}

/* Most limits are of totals; which of parameters and operations depends on the view. */
static bool
is_enough(const struct tp_tfprof_options *o, const struct tp_tfprof_tree *tree,
	const struct tp_tfprof_row *row)
{
	for (unsigned i = 0; i < TP_TFPROF_FIGURES; i++) {
		bool own = i == TP_TFPROF_RUNS ||
			(!tree->by_totals && (i == TP_TFPROF_PARAMETERS || i == TP_TFPROF_FLOAT_OPS));

		if (i == TP_TFPROF_RUNS && tree->ignores_runs)
			continue;
		if ((own ? row->own.of[i] : row->total.of[i]) < o->min[i])
			return false;
	}
	return true;
}

bool
tp_tfprof_shown(struct tp_tfprof_options *o, const struct tp_tfprof_tree *tree,
	const struct tp_tfprof_row *row, int64_t depth)
{
	if (depth > o->max_depth || !is_enough(o, tree, row))
		return false;
	return tp_patterns_match(&o->show_names, row->name) &&
		tp_patterns_matching(&o->hide_names, row->name) == 0;
}

struct key {
	int64_t figure;
	struct tp_slice name;
	uint32_t place, number;
};

TP_ORDER(by_figure, struct key, TP_DOWN(figure), TP_UP(place));
TP_ORDER(by_key_name, struct key, tp_slice_cmp(a->name, b->name), TP_UP(place));

void
tp_tfprof_sort(const struct tp_tfprof_options *o, bool occurrences,
	const struct tp_tfprof_row *rows, const uint32_t *of, uint32_t *numbers, uint32_t count)
{
	bool by_name =
		o->order == TP_TFPROF_BY_NAME || (o->order == TP_TFPROF_BY_OCCURRENCE && !occurrences);

	if (count < 2)
		return;
	struct tp_buf room = {0};
	struct key *keys = tp_buf_room(&room, count, sizeof *keys);

	for (uint32_t i = 0; i < count; i++) {
		const struct tp_tfprof_row *row = &rows[of[numbers[i]]];

		keys[i] = (struct key){0, row->name, i, numbers[i]};
		if (!by_name)
			keys[i].figure = o->order == TP_TFPROF_BY_OCCURRENCE ? (int64_t)row->member_count
																 : row->total.of[o->order];
	}
	qsort(keys, count, sizeof *keys, by_name ? by_key_name : by_figure);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = keys[i].number;
	tp_buf_free(&room);
}

unsigned
tp_tfprof_accounts(struct tp_tfprof_options *o, const struct tp_tfprof_node *node)
{
	unsigned most = 0;
	struct tp_slice type;

	if (o->account_types.all)
		return 1;
	if (o->account_types.count == 1) {
		struct tp_tfprof_types types = tp_tfprof_types(node);

		while (most == 0 && tp_tfprof_next_type(&types, &type))
			most = tp_patterns_matching(&o->account_types, type);
		return most;
	}
	for (uint32_t i = 0; i < o->account_types.count; i++) {
		struct tp_tfprof_types types = tp_tfprof_types(node);
		bool any = false;

		while (!any && tp_tfprof_next_type(&types, &type))
			any = tp_patterns_nth_matches(&o->account_types, i, type);
		most += any;
	}
	return most;
}

void
tp_tfprof_group(const struct tp_tfprof *t, struct tp_tfprof_options *o, const uint32_t *nodes,
	uint32_t count, struct tp_tfprof_row *row, uint32_t *members, uint32_t *kept)
{
	struct tp_tfprof_figures figures;

	row->first_member = *kept;
	for (uint32_t i = 0; i < count; i++) {
		const struct tp_tfprof_node *node = &t->nodes[nodes[i]];
		unsigned times = tp_tfprof_accounts(o, node);

		if (times == 0)
			continue;
		members[(*kept)++] = nodes[i];
		tp_tfprof_figures(node, o->step, &figures);
		while (times-- != 0)
			tp_tfprof_add(&row->own, &figures);
	}
	row->member_count = *kept - row->first_member;
	row->accounted = row->member_count != 0 || o->account_types.all;
}
