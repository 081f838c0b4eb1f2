/* By the operation that updates both, and by names: a slot is called after its variable, "conv1/DW/Momentum" or "Adam/conv1/DW/m". In both
 * ways it has its variable's shape, and is not trained itself. */
#include "analyze/tfprof/tfprof_slots.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/graph.h"

#include <string.h>

struct search {
	const struct tp_tfprof *t;
	uint32_t *slot_of;
	struct tp_buf dims, other_dims;
};

static bool
is_variable(const struct tp_tfprof_node *node)
{
	return tp_texts_any(node->op, tp_slice_eq, TP_TEXTS("Variable", "VariableV2", "VarHandleOp"));
}

static bool
is_trained(const struct tp_tfprof_node *node)
{
	struct tp_tfprof_types types = tp_tfprof_types(node);
	struct tp_slice type;

	while (tp_tfprof_next_type(&types, &type)) {
		if (tp_slice_eq(type, TP_S("_trainable_variables")))
			return true;
	}
	return false;
}

static bool
fits(struct search *s, uint32_t slot, uint32_t variable)
{
	const struct tp_tfprof_node *a = &s->t->nodes[slot], *b = &s->t->nodes[variable];

	if (slot == variable || !is_variable(a) || !is_variable(b) || is_trained(a))
		return false;
	tp_tfprof_shape(a, &s->dims);
	tp_tfprof_shape(b, &s->other_dims);
	return s->dims.count == s->other_dims.count && s->dims.count != 0 &&
		memcmp(s->dims.data, s->other_dims.data, s->dims.count * sizeof(int64_t)) == 0;
}

static uint32_t
find(const struct tp_tfprof *t, struct tp_slice name)
{
	size_t i = TP_FIRST_WHERE(at, t->node_count, tp_slice_cmp(t->nodes[at].name, name) >= 0);

	return i < t->node_count && tp_slice_eq(t->nodes[i].name, name) ? (uint32_t)i : TP_MAP_NONE;
}

/* "conv1/DW" of "conv1/DW/Momentum"; scopes of the optimiser in front go one by one. */
static void
look_by_name(struct search *s, uint32_t node)
{
	struct tp_slice name = s->t->nodes[node].name;
	const char *slash = memrchr(name.ptr, '/', name.len);

	name.len = slash != NULL ? (size_t)(slash - name.ptr) : 0;
	while (name.len != 0) {
		uint32_t variable = find(s->t, name);

		if (variable != TP_MAP_NONE && fits(s, node, variable)) {
			s->slot_of[node] = variable;
			return;
		}
		slash = memchr(name.ptr, '/', name.len);
		name = slash != NULL ? tp_slice_from(name, (size_t)(slash + 1 - name.ptr)) : TP_S("");
	}
}

/* ApplyMomentum and its like take the variable first, then its slots. */
static void
look_at_update(struct search *s, const struct tp_tfprof_node *node, struct tp_buf *inputs)
{
	if (!tp_texts_any(node->op, tp_slice_starts,
			TP_TEXTS("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply")))
		return;
	tp_tfprof_inputs(s->t, node, inputs);
	const struct tp_tfprof_input *input = inputs->data;

	for (size_t i = 1; i < inputs->count; i++) {
		if (input[0].node != TP_MAP_NONE && input[i].node != TP_MAP_NONE &&
			fits(s, input[i].node, input[0].node))
			s->slot_of[input[i].node] = input[0].node;
	}
}

uint32_t *
tp_tfprof_slots(const struct tp_tfprof *t, struct tp_arena *arena)
{
	struct search s = {.t = t, .slot_of = tp_new_array(arena, uint32_t, t->node_count)};
	struct tp_buf inputs = {0};

	for (uint32_t i = 0; i < t->node_count; i++)
		s.slot_of[i] = TP_MAP_NONE;
	for (uint32_t i = 0; i < t->node_count; i++)
		look_at_update(&s, &t->nodes[i], &inputs);
	for (uint32_t i = 0; i < t->node_count; i++) {
		if (s.slot_of[i] == TP_MAP_NONE && is_variable(&t->nodes[i]) && !is_trained(&t->nodes[i]))
			look_by_name(&s, i);
	}
	tp_buf_free(&inputs);
	tp_buf_free(&s.dims);
	tp_buf_free(&s.other_dims);
	return s.slot_of;
}

int64_t
tp_tfprof_held_bytes(const struct tp_tfprof_node *node)
{
	struct tp_tfprof_figures f;
	int64_t bytes;

	tp_tfprof_figures(node, TP_TFPROF_ALL_STEPS, &f);
	unsigned size = tp_graph_type_bytes(tp_tfprof_type_attribute(node, TP_S("dtype")));

	if (__builtin_mul_overflow(f.of[TP_TFPROF_PARAMETERS], (int64_t)size, &bytes))
		return INT64_MAX;
	return bytes;
}
