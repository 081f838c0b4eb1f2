/* Each operation is put at the end of a path of groups, then sums go up. The layers are those of xprof's
 * op_profile_builder.cc, whose figures these are but for three things: an operation with others nested in it (while) is
 * part of every group, with the self time that is its own; nothing is left out, not even operations named region*; and
 * equal names in different programs are different operations in the tree by category, too. */
#include "analyze/ops/op_tree.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

struct planting {
	struct tp_arena *keep;
	struct tp_map index; /* (parent, kind, name) → node */
	struct tp_buf nodes;
	bool has_programs; /* of any operation */
};

static uint32_t
child(struct planting *p, uint32_t parent, enum tp_op_node_kind kind, struct tp_slice name,
	uint64_t key)
{
	uint64_t full = tp_hash_pair(tp_hash_pair(parent, (uint64_t)kind), key);
	uint32_t at;

	if (!tp_map_number(&p->index, full, &at))
		return at;
	struct tp_op_node *node = tp_buf_add(&p->nodes, sizeof *node);
	const struct tp_op_node *above = (struct tp_op_node *)p->nodes.data + parent;

	*node = (struct tp_op_node){
		.kind = kind, .name = name, .parent = parent, .depth = at == 0 ? 0 : above->depth + 1};
	return at;
}

static uint32_t
named_child(struct planting *p, uint32_t parent, enum tp_op_node_kind kind, struct tp_slice name)
{
	return child(p, parent, kind, name, tp_hash_bytes(name));
}

static uint32_t
program(struct planting *p, uint32_t parent, const struct tp_op_total *t)
{
	struct tp_slice name = t->program;

	if (!t->has_program)
		return named_child(p, parent, TP_OP_NODE_PROGRAM, TP_S("no program"));
	if (name.len == 0)
		name = tp_arena_printf(p->keep, "program %llu", (unsigned long long)t->program_id);
	return child(p, parent, TP_OP_NODE_PROGRAM, name, t->program_id);
}

/* The parts of "jit(f)/jit(main)/add:Add", the type left out. What is too deep is one part. */
static uint32_t
scopes(struct planting *p, uint32_t parent, struct tp_slice framework)
{
	/* Below the scopes there are a category, duplicates and the operation. */
	enum { MOST = TP_OP_TREE_DEEPEST - 5 };

	for (unsigned n = 1; framework.len != 0; n++) {
		const char *slash = n < MOST ? memchr(framework.ptr, '/', framework.len) : NULL;
		size_t length = slash != NULL ? (size_t)(slash - framework.ptr) : framework.len;
		struct tp_slice part = {framework.ptr, length};
		const char *colon =
			slash == NULL || length + 1 == framework.len ? memchr(part.ptr, ':', length) : NULL;

		if (colon != NULL)
			part.len = (size_t)(colon - part.ptr);
		if (part.len != 0)
			parent = named_child(p, parent, TP_OP_NODE_SCOPE, part);
		framework = tp_slice_from(framework, slash != NULL ? length + 1 : length);
	}
	return parent;
}

static void
plant(struct planting *p, const struct tp_op_total *t, enum tp_op_grouping grouping)
{
	struct tp_slice original = t->op->duplicates.len != 0 ? t->op->duplicates : t->op->label;
	struct tp_op_node *all = p->nodes.data;
	uint32_t at = 0;

	if (all->hue == TP_HUE_NONE)
		all->hue = t->hue;
	if (grouping != TP_OPS_BY_CATEGORY && p->has_programs)
		at = program(p, at, t);
	if (grouping == TP_OPS_BY_SCOPE)
		at = scopes(p, at, t->op->framework);
	at = named_child(p, at, TP_OP_NODE_CATEGORY, t->category);
	((struct tp_op_node *)p->nodes.data)[at].hue = t->hue;
	at = child(p, at, TP_OP_NODE_DUPLICATES, original,
		tp_hash_pair(tp_hash_bytes(original), t->program_id));
	((struct tp_op_node *)p->nodes.data)[at].hue = t->hue;
	at = child(p, at, TP_OP_NODE_OP, t->op->label,
		tp_hash_pair(tp_hash_bytes(t->op->label), t->program_id));
	struct tp_op_node *node = (struct tp_op_node *)p->nodes.data + at;

	node->op = t;
	node->sums = t;
	node->hue = t->hue;
}

/* Adds a child's sums to a node's; most nodes of a large tree have one child, whose sums are theirs. */
static void
add_sums(struct tp_op_node *node, const struct tp_op_total *more, struct tp_arena *arena)
{
	if (node->count++ == 0) {
		node->sums = more;
		return;
	}
	if (node->own_sums == NULL) {
		node->own_sums = tp_new(arena, struct tp_op_total);
		*node->own_sums = *node->sums;
		node->sums = node->own_sums;
	}
	tp_op_add(node->own_sums, more);
}

/* Sums go from the last node to the first, for parents stand before their children. */
static void
sum_up(struct tp_op_tree *tree, struct tp_arena *arena)
{
	static const struct tp_op_total none;

	tree->nodes[0].sums = &none;
	for (uint32_t i = tree->count; i-- > 1;)
		add_sums(&tree->nodes[tree->nodes[i].parent], tree->nodes[i].sums, arena);
}

/* How children are compared; unknown waste is the least. */
struct place {
	uint32_t parent, node;
	double waste;
	int64_t self_ps;
	struct tp_slice name;
};

TP_ORDER(by_place, struct place, TP_UP(parent), TP_DOWN(waste), TP_DOWN(self_ps),
	tp_slice_cmp(a->name, b->name), TP_UP(node));

static void
put_in_order(struct tp_op_tree *tree, struct tp_arena *arena)
{
	struct place *places = tp_new_array(arena, struct place, tree->count);

	tree->by_waste = isfinite(tree->nodes[0].sums->wasted_ps);
	for (uint32_t i = 1; i < tree->count; i++) {
		const struct tp_op_node *node = &tree->nodes[i];
		double waste =
			tree->by_waste && isfinite(node->sums->wasted_ps) ? node->sums->wasted_ps : -1;

		places[i - 1] = (struct place){node->parent, i, waste, node->sums->self_ps, node->name};
	}
	qsort(places, tree->count - 1, sizeof *places, by_place);
	tree->order = tp_new_array(arena, uint32_t, tree->count);
	for (uint32_t i = 0; i + 1 < tree->count; i++) {
		struct tp_op_node *parent = &tree->nodes[places[i].parent];

		tree->order[i] = places[i].node;
		if (i == 0 || places[i - 1].parent != places[i].parent)
			parent->first = i;
	}
}

struct tp_op_tree *
tp_op_tree(const struct tp_ops *o, enum tp_op_grouping grouping, struct tp_arena *keep,
	struct tp_arena *scratch)
{
	struct planting p = {.keep = keep};
	struct tp_op_tree *tree = tp_new(scratch, struct tp_op_tree);

	tp_map_init(&p.index, scratch);
	child(&p, 0, TP_OP_NODE_ALL, TP_S("all operations"), 0);
	const struct tp_op_total *ops = grouping == TP_OPS_BY_SCOPE ? o->scoped : o->ops;
	size_t count = grouping == TP_OPS_BY_SCOPE ? o->scoped_count : o->count;

	for (size_t i = 0; i < count; i++)
		p.has_programs |= ops[i].has_program;
	for (size_t i = 0; i < count; i++)
		plant(&p, &ops[i], grouping);
	tree->count = (uint32_t)p.nodes.count;
	tree->nodes = tp_buf_give(&p.nodes, p.nodes.count, sizeof *tree->nodes, scratch);
	tp_buf_free(&p.nodes);
	sum_up(tree, scratch);
	put_in_order(tree, scratch);
	return tree;
}
