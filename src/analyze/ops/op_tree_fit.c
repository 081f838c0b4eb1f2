/* What is lost to padding, from operations up to the groups that hold them. */
#include "analyze/ops/op_tree_fit.h"

#include "base/arena.h"
#include "base/map.h"

#include <math.h>

static uint64_t
key_of(const struct tp_op_total *t)
{
	return (uint64_t)(uintptr_t)t->op;
}

const struct tp_op_tree_fit *
tp_op_tree_fits(
	const struct tp_op_tree *tree, const struct tp_padding *padding, struct tp_arena *arena)
{
	struct tp_op_tree_fit *fits = tp_new_array(arena, struct tp_op_tree_fit, tree->count);
	struct tp_map index;

	tp_map_init(&index, arena);
	for (size_t i = 0; i < padding->count; i++)
		tp_map_put(&index, key_of(&padding->ops->ops[padding->fits[i].op]), (uint32_t)i);
	for (uint32_t n = tree->count; n-- > 1;) {
		const struct tp_op_node *node = &tree->nodes[n];
		uint32_t at =
			node->kind == TP_OP_NODE_OP ? tp_map_get(&index, key_of(node->op)) : TP_MAP_NONE;

		if (at != TP_MAP_NONE && isfinite(padding->fits[at].product.fit)) {
			fits[n].self_ps = (double)node->sums->self_ps;
			fits[n].lost_ps = padding->fits[at].lost_ps;
		}
		fits[node->parent].self_ps += fits[n].self_ps;
		fits[node->parent].lost_ps += fits[n].lost_ps;
	}
	return fits;
}
