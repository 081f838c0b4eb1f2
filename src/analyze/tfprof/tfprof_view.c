/* From a dump and options to the rows of a view. */
#include "analyze/tfprof/tfprof_view.h"

#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_tree.h"
#include "base/arena.h"

#include <stdio.h>

static bool
has_step(const struct tp_tfprof *t, int64_t step)
{
	for (uint32_t i = 0; i < t->step_count; i++) {
		if (t->steps[i] == step)
			return true;
	}
	return step < 0;
}

/* The steps there are, for who asked for another. */
static enum tp_status
no_step(const struct tp_tfprof *t, int64_t step, struct tp_err *err)
{
	char list[256] = "";
	size_t length = 0;

	for (uint32_t i = 0; i < t->step_count && length + 24 < sizeof list; i++)
		length +=
			(size_t)snprintf(list + length, sizeof list - length, "%lld ", (long long)t->steps[i]);
	return tp_fail(err, TP_ABSENT, "Options -step=%lld not found.\nAvailable steps: %s",
		(long long)step, list);
}

static enum tp_status
given_up(struct tp_tfprof_options *o, struct tp_err *err)
{
	struct tp_patterns *const lists[] = {
		&o->account_types, &o->start_names, &o->trim_names, &o->show_names, &o->hide_names};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct tp_slice pattern = lists[i]->given_up;

		if (pattern.len != 0)
			return tp_fail(err, TP_ERR_LIMIT,
				"%.*s: this pattern can match in too many ways; write it with fewer nested "
				"repetitions",
				TP_ARG(pattern));
	}
	return TP_OK;
}

static void
keep_accounted(const struct tp_tfprof *t, const struct tp_tfprof_tree *tree, struct tp_arena *arena,
	struct tp_tfprof_view *view)
{
	view->accounted = tp_new_array(arena, bool, t->node_count);
	for (uint32_t i = 0; i < t->node_count; i++)
		view->accounted[i] = tree->rows[i].accounted;
}

static const struct tp_tfprof_tree *
keep(const struct tp_tfprof_tree *tree, struct tp_arena *arena)
{
	struct tp_tfprof_tree *kept = tp_new(arena, struct tp_tfprof_tree);

	*kept = *tree;
	return kept;
}

enum tp_status
tp_tfprof_view(const struct tp_tfprof *t, enum tp_tfprof_kind kind, struct tp_tfprof_options *o,
	struct tp_arena *arena, struct tp_tfprof_view *out, struct tp_err *err)
{
	struct tp_tfprof_tree tree = {0};

	*out = (struct tp_tfprof_view){.kind = kind};
	if (!has_step(t, o->step))
		return no_step(t, o->step, err);
	if (kind == TP_TFPROF_CODE && !t->has_trace)
		return tp_fail(err, TP_ABSENT, "No code trace information");
	struct tp_arena *scratch = tp_arena_new();

	switch (kind) {
	case TP_TFPROF_SCOPE:
		tp_tfprof_scope_tree(t, o, scratch, &tree);
		break;
	case TP_TFPROF_GRAPH:
		tp_tfprof_graph_tree(t, o, scratch, &tree);
		keep_accounted(t, &tree, arena, out);
		break;
	case TP_TFPROF_CODE:
		tp_tfprof_code_tree(t, o, scratch, arena, &tree, out);
		out->code = keep(&tree, arena);
		break;
	case TP_TFPROF_OP:
		tp_tfprof_op_rows(t, o, arena, out);
		break;
	}
	if (tree.count != 0)
		tp_tfprof_show(&tree, o, arena, out);
	tp_arena_free(scratch);
	return given_up(o, err);
}
