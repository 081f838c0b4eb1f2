/* Which module a piece of the backward pass belongs to. Autograd runs "autograd::engine::evaluate_function: AddmmBackward0" with
 * the sequence number that its forward operator had, and the number of the thread that this one ran on. An AccumulateGrad has
 * neither and belongs to the one before it, as torch-tb-profiler has it (op_tree.py, group_backward).
 *
 * Thread numbers are autograd's own: which thread of the trace one means is told by the names of the operators that would
 * belong together ("AddmmBackward0" and "aten::addmm"). Of several operators with a number the last made the function: before it
 * the number was only the next that would be given. */
#include "analyze/torch/modules/torch_modules.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_role.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

#include <ctype.h>

/* Threads beyond these are not looked at. */
enum { MOST_LANES = 32, MOST_FORWARD_THREADS = 32 };

static const struct tp_slice function_prefix = TP_S("autograd::engine::evaluate_function: "),
							 accumulate = TP_S("torch::autograd::AccumulateGrad");

struct matching {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	const uint32_t *node; /* of the module that each event is in */
	uint32_t *function; /* by event: the innermost autograd function at or around it, or TP_NONE */
	struct tp_map forward;     /* operator by lane and sequence number */
	struct tp_map by_function; /* node of each function that has one */
	uint32_t votes[MOST_FORWARD_THREADS][MOST_LANES];
	struct tp_torch_tree *tree;
};

static struct tp_slice
name_of(const struct matching *m, uint32_t event)
{
	return tp_torch_name(m->p, m->t, event);
}

static bool
is_function(const struct matching *m, uint32_t event)
{
	return m->t->kind[event] == TP_TORCH_OPERATOR && m->t->detail[event] != TP_NONE &&
		tp_slice_starts(name_of(m, event), function_prefix);
}

/* Whether an autograd function has the name of an operator: equal letters and digits up to "Backward", after "::". */
static bool
alike(struct tp_slice function, struct tp_slice op)
{
	size_t i = function_prefix.len, k = 0;

	for (size_t c = 0; c + 1 < op.len; c++)
		k = op.ptr[c] == ':' && op.ptr[c + 1] == ':' ? c + 2 : k;
	for (;; i++, k++) {
		while (k < op.len && op.ptr[k] == '_')
			k++;
		if (i >= function.len || tp_slice_starts(tp_slice_from(function, i), TP_S("Backward")))
			return k == op.len;
		if (k == op.len ||
			tolower((unsigned char)function.ptr[i]) != tolower((unsigned char)op.ptr[k]))
			return false;
	}
}

static uint64_t
key_of(uint32_t lane, int64_t sequence)
{
	return tp_hash_pair(lane, (uint64_t)sequence);
}

/* Forward operators by number, and the functions around each event. */
static void
walk(struct matching *m)
{
	const struct tp_torch_trace *t = m->t;

	for (uint32_t e = 0; e < t->count; e++)
		m->function[e] = TP_NONE;
	for (uint32_t l = 0; l < t->lane_count; l++) {
		if (t->lanes[l].kind != TP_TORCH_LANE_THREAD)
			continue;
		for (uint32_t e = t->lanes[l].first; e < t->lanes[l].first + t->lanes[l].count; e++) {
			uint32_t around = m->links->parent[e];

			m->function[e] = is_function(m, e) ? e
				: around == TP_NONE            ? TP_NONE
											   : m->function[around];
			if (t->kind[e] != TP_TORCH_OPERATOR || t->detail[e] == TP_NONE || l >= MOST_LANES)
				continue;
			const struct tp_torch_operator *op = &t->operators[t->detail[e]];

			if (op->sequence >= 0 && op->forward_thread == 0 && m->function[e] != e)
				tp_map_put(&m->forward, key_of(l, op->sequence), e);
		}
	}
}

/* The forward operator of a function if its forward thread is this lane. */
static uint32_t
forward_on(const struct matching *m, uint32_t function, uint32_t lane)
{
	int64_t sequence = m->t->operators[m->t->detail[function]].sequence;
	uint32_t op = sequence < 0 ? TP_MAP_NONE : tp_map_get(&m->forward, key_of(lane, sequence));

	return op != TP_MAP_NONE && tp_torch_start_ps(m->t, op) <= tp_torch_start_ps(m->t, function)
		? op
		: TP_NONE;
}

static uint32_t
lanes_looked_at(const struct matching *m)
{
	return m->t->lane_count < MOST_LANES ? m->t->lane_count : MOST_LANES;
}

static void
vote(struct matching *m)
{
	for (uint32_t e = 0; e < m->t->count; e++) {
		if (m->function[e] != e)
			continue;
		uint32_t thread = m->t->operators[m->t->detail[e]].forward_thread;

		for (uint32_t l = 0; thread < MOST_FORWARD_THREADS && l < lanes_looked_at(m); l++) {
			uint32_t op = forward_on(m, e, l);

			m->votes[thread][l] += op != TP_NONE && alike(name_of(m, e), name_of(m, op));
		}
	}
}

static uint32_t
forward_of(const struct matching *m, uint32_t function)
{
	uint32_t thread = m->t->operators[m->t->detail[function]].forward_thread, best = 0;

	if (thread >= MOST_FORWARD_THREADS)
		return TP_NONE;
	for (uint32_t l = 1; l < lanes_looked_at(m); l++)
		best = m->votes[thread][l] > m->votes[thread][best] ? l : best;
	return m->votes[thread][best] != 0 ? forward_on(m, function, best) : TP_NONE;
}

/* Gives a function's time to a node; what is in another function within it is that one's. */
static void
give(struct matching *m, uint32_t function, uint32_t node)
{
	uint32_t around = m->links->parent[function];
	uint32_t outer = around == TP_NONE ? TP_NONE : m->function[around];
	uint32_t outer_node = outer == TP_NONE ? TP_MAP_NONE : tp_map_get(&m->by_function, outer);

	if (outer_node != TP_MAP_NONE)
		m->tree->nodes[outer_node].backward_self_ps -= tp_torch_duration_ps(m->t, function);
	if (node == TP_NONE)
		return;
	struct tp_torch_node *n = &m->tree->nodes[node];

	tp_map_put(&m->by_function, function, node);
	n->backward_calls++;
	n->backward_self_ps = tp_add_ps(n->backward_self_ps, tp_torch_duration_ps(m->t, function));
}

static void
match(struct matching *m, const struct tp_torch_lane *lane)
{
	uint32_t before = TP_NONE; /* node of the function before */

	for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
		if (m->function[e] != e)
			continue;
		if (!tp_slice_eq(tp_slice_from(name_of(m, e), function_prefix.len), accumulate)) {
			uint32_t op = forward_of(m, e);

			m->tree->backward_lost += op == TP_NONE;
			before = op == TP_NONE ? TP_NONE : m->node[op];
		}
		give(m, e, before);
	}
}

/* Collectives are left out: DistributedDataParallel starts them from the AccumulateGrad that happens to fill a bucket. */
static void
add_device_work(struct matching *m)
{
	for (uint32_t e = 0; e < m->t->count; e++) {
		if (!tp_torch_is_work(m->t->kind[e]) || m->links->call[e] == TP_NONE)
			continue;
		uint32_t at = m->links->owner[e] != TP_NONE ? m->links->owner[e] : m->links->call[e];
		uint32_t function = m->function[at];
		uint32_t node = function == TP_NONE ? TP_MAP_NONE : tp_map_get(&m->by_function, function);

		if (node == TP_MAP_NONE || tp_torch_is_collective(m->p, m->t, e))
			continue;
		m->tree->nodes[node].backward_device_self_ps =
			tp_add_ps(m->tree->nodes[node].backward_device_self_ps, tp_torch_duration_ps(m->t, e));
	}
}

static void
sum_up(struct tp_torch_tree *tree)
{
	for (uint32_t i = tree->count; i-- > 0;) {
		struct tp_torch_node *n = &tree->nodes[i];

		n->backward_ps = tp_add_ps(n->backward_ps, n->backward_self_ps);
		n->backward_device_ps = tp_add_ps(n->backward_device_ps, n->backward_device_self_ps);
		if (n->parent == TP_NONE)
			continue;
		struct tp_torch_node *in = &tree->nodes[n->parent];

		in->backward_ps = tp_add_ps(in->backward_ps, n->backward_ps);
		in->backward_device_ps = tp_add_ps(in->backward_device_ps, n->backward_device_ps);
	}
}

void
tp_torch_backward(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_torch_tree_room *room,
	struct tp_torch_tree *tree)
{
	struct matching *m = tp_new(ctx->scratch, struct matching);

	if (tree->count == 0)
		return;
	m->p = ctx->profile;
	m->t = t;
	m->links = links;
	m->node = room->node;
	m->function = room->operator_node;
	m->tree = tree;
	tp_map_init(&m->forward, ctx->scratch);
	tp_map_init(&m->by_function, ctx->scratch);
	walk(m);
	vote(m);
	for (uint32_t i = 0; i < t->lane_count; i++) {
		if (t->lanes[i].kind == TP_TORCH_LANE_THREAD)
			match(m, &t->lanes[i]);
	}
	add_device_work(m);
	sum_up(tree);
}
