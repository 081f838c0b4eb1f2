/* The graph view: each node above what it takes, which is below the first that takes it. */
#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_tree.h"
#include "base/arena.h"
#include "base/buf.h"

void
tp_tfprof_graph_tree(const struct tp_tfprof *t, struct tp_tfprof_options *o,
	struct tp_arena *scratch, struct tp_tfprof_tree *tree)
{
	uint32_t count = t->node_count + 1;
	struct tp_tfprof_row *rows = tp_new_array(scratch, struct tp_tfprof_row, count);
	bool *taken = tp_new_array(scratch, bool, count);
	struct tp_buf inputs = {0}, children = {0};

	*tree = (struct tp_tfprof_tree){.rows = rows, .count = count, .lifts = true, .redoes = true};
	tree->first = tp_new_array(scratch, uint32_t, (size_t)count + 1);
	for (uint32_t i = 0; i < t->node_count; i++) {
		const struct tp_tfprof_node *node = &t->nodes[i];

		rows[i] = (struct tp_tfprof_row){.name = node->name, .node = i};
		tp_tfprof_figures(node, o->step, &rows[i].own);
		rows[i].accounted = tp_tfprof_accounts(o, node) != 0;
		tp_tfprof_inputs(t, node, &inputs);
		const struct tp_tfprof_input *input = inputs.data;

		for (size_t k = 0; k < inputs.count; k++) {
			if (input[k].node == TP_MAP_NONE)
				continue;
			taken[input[k].node] = true;
			*tp_buf_new(&children, uint32_t) = input[k].node;
		}
		tree->first[i + 1] = (uint32_t)children.count;
	}
	for (uint32_t i = 0; i < t->node_count; i++) {
		if (!taken[i])
			*tp_buf_new(&children, uint32_t) = i;
	}
	tree->first[count] = (uint32_t)children.count;
	rows[count - 1] = (struct tp_tfprof_row){.name = TP_S(TP_TFPROF_ROOT), .node = TP_MAP_NONE};
	tree->children = tp_buf_settle(&children, sizeof *tree->children, scratch);
	tp_buf_free(&inputs);
}
