/* One walk over the events of host threads in order of start: a span finds its node by the node around it and its name. And
 * containers (a ModuleList), which are never called: the dotted names of their parts tell of them. */
#include "analyze/torch/modules/torch_tree.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

/* In place of a node: the walk has not come to this event yet. */
enum { NOT_SEEN = TP_NONE - 1 };

struct building {
	const struct tp_torch_spans *spans;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	struct tp_torch_tree_room *room;
	struct tp_arena *scratch;
	struct tp_map nodes;      /* by node around and name */
	struct tp_torch_ids *ids; /* Python functions by their id; NULL: none was asked for yet */
	struct tp_buf list;       /* of struct tp_torch_node */
	uint32_t folded;
};

static struct tp_torch_node *
node_at(struct building *b, uint32_t node)
{
	return (struct tp_torch_node *)b->list.data + node;
}

static struct tp_slice
name_of(const struct building *b, uint32_t key)
{
	struct tp_slice name = b->spans->names[key];

	return name.len != 0 ? name : TP_S("(no name)");
}

/* The node of a span with this name in node `parent`; a span that is too deep is a part of its caller. */
static uint32_t
node_in(struct building *b, uint32_t parent, uint32_t key)
{
	uint64_t pair = (uint64_t)(uint32_t)(parent + 1) << 32 | key;
	uint32_t known = tp_map_get(&b->nodes, pair);
	uint32_t depth = parent == TP_NONE ? 0 : node_at(b, parent)->depth + 1;

	if (known != TP_MAP_NONE)
		return known;
	if (depth == TP_TORCH_TREE_DEEPEST)
		return parent;
	known = (uint32_t)b->list.count;
	TP_PUSH(&b->list, struct tp_torch_node, .name = name_of(b, key), .key = key, .parent = parent,
		.depth = depth);
	tp_map_put(&b->nodes, pair, known);
	return known;
}

/* Of several functions with an id the last counts. */
static struct tp_torch_ids *
number_functions(const struct tp_torch_trace *t, struct tp_arena *scratch)
{
	struct tp_torch_ids *ids = tp_new(scratch, struct tp_torch_ids);
	int64_t largest = 0;

	for (uint32_t i = 0; i < t->python_count; i++)
		largest = t->pythons[i].id > largest ? t->pythons[i].id : largest;
	tp_torch_ids_init(ids, (uint64_t)largest, t->python_count, scratch);
	for (uint32_t e = 0; e < t->count; e++) {
		if (t->kind[e] == TP_TORCH_PYTHON && t->detail[e] != TP_NONE)
			tp_torch_ids_put(ids, t->pythons[t->detail[e]].id, e);
	}
	return ids;
}

/* Only where a function is asked for by its id: in most traces none is. */
static uint32_t
function_of_id(struct building *b, int64_t id)
{
	if (id < 0)
		return TP_MAP_NONE;
	if (b->ids == NULL)
		b->ids = number_functions(b->t, b->scratch);
	return tp_torch_ids_get(b->ids, id);
}

/* The Python function that called this one: the innermost that holds it; where none on its thread does, the one that its parent
 * id names, if that holds its start. Not the id first: ids of built-in functions may skip callers (torch 2.7 on ROCm). */
static uint32_t
python_caller(struct building *b, uint32_t event)
{
	const struct tp_torch_trace *t = b->t;
	uint32_t by_time = b->links->python[event];

	if (by_time != TP_NONE || t->detail[event] == TP_NONE)
		return by_time;
	uint32_t told = function_of_id(b, t->pythons[t->detail[event]].parent);

	return told != TP_MAP_NONE && b->room->node[told] != NOT_SEEN &&
			tp_torch_holds_start(t, told, event)
		? told
		: TP_NONE;
}

/* An operator that is no span, nor marks a range for Lightning's profiler. */
static bool
is_operator(const struct building *b, uint32_t event)
{
	return b->t->kind[event] == TP_TORCH_OPERATOR &&
		!b->spans->mark_of_op[tp_torch_op(b->t, event)] && b->spans->key(b->spans, event) == 0;
}

/* The node around an event, and that around the innermost operator that holds it. */
static void
place(struct building *b, uint32_t event, uint32_t *node, uint32_t *operator_node)
{
	const struct tp_torch_trace *t = b->t;
	uint32_t range = b->links->parent[event];
	uint32_t around = range;

	*node = *operator_node = TP_NONE;
	if (b->spans->python)
		around =
			t->kind[event] == TP_TORCH_PYTHON ? python_caller(b, event) : b->links->python[event];
	if (around != TP_NONE)
		*node = b->room->node[around];
	if (range == TP_NONE)
		return;
	*operator_node = is_operator(b, range) ? b->room->node[range] : b->room->operator_node[range];
}

static void
subtract(struct building *b, uint32_t node, uint32_t operator_node, int64_t ps)
{
	/* What is in an operator of the node is a part of that operator's time. */
	if (node != TP_NONE && node != operator_node)
		node_at(b, node)->host_self_ps -= ps;
}

static void
add_event(struct building *b, uint32_t event)
{
	const struct tp_torch_trace *t = b->t;
	int64_t ps = tp_torch_duration_ps(t, event);
	uint32_t key = b->spans->key(b->spans, event), around, operator_node;

	place(b, event, &around, &operator_node);
	b->room->node[event] = around;
	b->room->operator_node[event] = operator_node;
	if (key == 0) {
		if (is_operator(b, event) && around != TP_NONE && around != operator_node) {
			node_at(b, around)->operators++;
			subtract(b, around, operator_node, ps);
		}
		return;
	}
	uint32_t node = node_in(b, around, key);

	b->room->node[event] = node;
	if (node == around) {
		b->folded++;
		return;
	}
	struct tp_torch_node *n = node_at(b, node);

	n->calls++;
	n->host_ps = tp_add_ps(n->host_ps, ps);
	n->host_self_ps = tp_add_ps(n->host_self_ps, ps);
	subtract(b, around, operator_node, ps);
	if (around != TP_NONE)
		node_at(b, around)->nested_ps = tp_add_ps(node_at(b, around)->nested_ps, ps);
}

static void
add_lane(struct building *b, const struct tp_torch_lane *lane)
{
	if (lane->kind != TP_TORCH_LANE_THREAD)
		return;
	for (uint32_t e = lane->first; e < lane->first + lane->count; e++)
		add_event(b, e);
}

static void
add_work(struct building *b)
{
	const struct tp_torch_trace *t = b->t;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]) || b->links->call[e] == TP_NONE)
			continue;
		uint32_t owner = b->links->owner[e];
		uint32_t node = b->room->node[owner != TP_NONE ? owner : b->links->call[e]];

		if (node != TP_NONE)
			node_at(b, node)->device_self_ps =
				tp_add_ps(node_at(b, node)->device_self_ps, tp_torch_duration_ps(t, e));
	}
}

/* Puts the children of each node in order, from the nodes' parents alone. */
static void
put_in_order(struct tp_torch_tree *tree, struct tp_arena *keep)
{
	struct tp_torch_node *n = tree->nodes;
	uint32_t at;

	tree->order = tp_new_array(keep, uint32_t, tree->count);
	tree->root_count = 0;
	for (uint32_t i = 0; i < tree->count; i++) {
		n[i].count = 0;
		++*(n[i].parent == TP_NONE ? &tree->root_count : &n[n[i].parent].count);
	}
	at = tree->root_count;
	for (uint32_t i = 0; i < tree->count; i++) {
		n[i].first = at;
		at += n[i].count;
		n[i].count = 0;
	}
	at = 0;
	for (uint32_t i = 0; i < tree->count; i++) {
		struct tp_torch_node *in = n[i].parent == TP_NONE ? NULL : &n[n[i].parent];

		tree->order[in == NULL ? at++ : in->first + in->count++] = i;
	}
}

/* Sums up to the outermost, and puts the children of each node in order. */
static struct tp_torch_tree
finish(struct building *b, struct tp_arena *keep)
{
	struct tp_torch_tree tree = {.count = (uint32_t)b->list.count, .folded = b->folded};
	struct tp_torch_node *n = tree.nodes = tp_buf_settle(&b->list, sizeof *n, keep);

	for (uint32_t i = tree.count; i-- > 0;) {
		n[i].device_ps = tp_add_ps(n[i].device_ps, n[i].device_self_ps);
		if (n[i].parent == TP_NONE) {
			tree.host_ps = tp_add_ps(tree.host_ps, n[i].host_ps);
			tree.device_ps = tp_add_ps(tree.device_ps, n[i].device_ps);
			continue;
		}
		n[n[i].parent].device_ps = tp_add_ps(n[n[i].parent].device_ps, n[i].device_ps);
	}
	put_in_order(&tree, keep);
	return tree;
}

struct tp_torch_tree
tp_torch_tree(const struct tp_torch_spans *spans, struct tp_torch_tree_room *room,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	struct building b = {
		.spans = spans, .t = spans->t, .links = spans->links, .room = room, .scratch = scratch};
	const struct tp_torch_trace *t = b.t;

	tp_map_init(&b.nodes, scratch);
	for (uint32_t e = 0; e < t->count; e++)
		room->node[e] = room->operator_node[e] = NOT_SEEN;
	if (spans->lane != TP_NONE)
		add_lane(&b, &t->lanes[spans->lane]);
	for (uint32_t i = 0; i < t->lane_count && !spans->lane_only; i++) {
		if (i != spans->lane)
			add_lane(&b, &t->lanes[i]);
	}
	for (uint32_t e = 0; e < t->count; e++)
		room->node[e] = room->node[e] == NOT_SEEN ? TP_NONE : room->node[e];
	add_work(&b);
	return finish(&b, keep);
}

struct inserting {
	const struct tp_torch_tree *tree;
	struct tp_buf nodes;      /* of struct tp_torch_node: containers, and nodes of the tree */
	struct tp_map containers; /* by the node around and the dotted name */
	uint32_t deepest;         /* of the tree */
};

static struct tp_torch_node *
inserted(struct inserting *in, uint32_t node)
{
	return (struct tp_torch_node *)in->nodes.data + node;
}

static uint32_t
add(struct inserting *in, const struct tp_torch_node *node, uint32_t parent)
{
	struct tp_torch_node *n = tp_buf_add(&in->nodes, sizeof *n);

	*n = *node;
	n->parent = parent;
	n->depth = parent == TP_NONE ? 0 : inserted(in, parent)->depth + 1;
	return (uint32_t)in->nodes.count - 1;
}

/* "enc.0" of "enc.0: Linear". */
static struct tp_slice
dotted(struct tp_slice name)
{
	const char *colon = memchr(name.ptr, ':', name.len);

	return (struct tp_slice){name.ptr, colon == NULL ? name.len : (size_t)(colon - name.ptr)};
}

/* The node that a node goes into: `parent`, or the innermost container between them. */
static uint32_t
container_of(
	struct inserting *in, const struct tp_torch_node *node, uint32_t parent, struct tp_slice around)
{
	struct tp_slice name = dotted(node->name);
	size_t from = around.len != 0 ? around.len + 1 : 0;

	if (around.len != 0 &&
		(name.len <= from || !tp_slice_starts(name, around) || name.ptr[around.len] != '.'))
		return parent;
	for (size_t i = from; i < name.len; i++) {
		if (name.ptr[i] != '.' || i == from)
			continue;
		uint32_t depth = parent == TP_NONE ? 0 : inserted(in, parent)->depth + 1;
		struct tp_torch_node container = {.name = {name.ptr, i}};
		uint64_t key = tp_hash_pair(parent, tp_hash_bytes(container.name));
		uint32_t known = tp_map_get(&in->containers, key);

		if (known == TP_MAP_NONE) {
			/* Room must be left for all that may be below. */
			if (depth + 1 + in->deepest - node->depth >= TP_TORCH_TREE_DEEPEST)
				return parent;
			known = add(in, &container, parent);
			tp_map_put(&in->containers, key, known);
		}
		parent = known;
	}
	return parent;
}

/* A container took what its parts took. */
static void
sum_up(struct tp_torch_tree *tree)
{
	for (uint32_t i = tree->count; i-- > 0;) {
		const struct tp_torch_node *n = &tree->nodes[i];
		struct tp_torch_node *in = n->parent == TP_NONE ? NULL : &tree->nodes[n->parent];

		if (in == NULL || in->calls != 0)
			continue;
		in->host_ps = in->nested_ps = tp_add_ps(in->host_ps, n->host_ps);
		in->device_ps = tp_add_ps(in->device_ps, n->device_ps);
		in->backward_ps = tp_add_ps(in->backward_ps, n->backward_ps);
		in->backward_device_ps = tp_add_ps(in->backward_device_ps, n->backward_device_ps);
	}
}

void
tp_torch_containers(struct tp_torch_tree *tree, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct inserting in = {.tree = tree};
	uint32_t *now = tp_new_array(scratch, uint32_t, tree->count);

	tp_map_init(&in.containers, scratch);
	for (uint32_t i = 0; i < tree->count; i++)
		in.deepest = tree->nodes[i].depth > in.deepest ? tree->nodes[i].depth : in.deepest;
	for (uint32_t i = 0; i < tree->count; i++) {
		const struct tp_torch_node *n = &tree->nodes[i];
		uint32_t parent = n->parent == TP_NONE ? TP_NONE : now[n->parent];
		struct tp_slice around =
			n->parent == TP_NONE ? TP_S("") : dotted(tree->nodes[n->parent].name);

		now[i] = add(&in, n, container_of(&in, n, parent, around));
	}
	if (in.nodes.count != tree->count) {
		tree->count = (uint32_t)in.nodes.count;
		tree->nodes = tp_buf_settle(&in.nodes, sizeof *tree->nodes, keep);
		sum_up(tree);
		put_in_order(tree, keep);
	}
	tp_buf_free(&in.nodes);
}

int64_t
tp_torch_tree_ps(const struct tp_torch_tree *tree)
{
	return tree->device_ps != 0 ? tree->device_ps : tree->host_ps;
}

int64_t
tp_torch_node_ps(const struct tp_torch_tree *tree, const struct tp_torch_node *node)
{
	return tree->device_ps != 0 ? node->device_ps : node->host_ps;
}

int64_t
tp_torch_node_own_ps(const struct tp_torch_tree *tree, const struct tp_torch_node *node)
{
	int64_t host_ps = node->host_ps > node->nested_ps ? node->host_ps - node->nested_ps : 0;

	return tree->device_ps != 0 ? node->device_self_ps : host_ps;
}
