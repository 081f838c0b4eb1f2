/* The tree of names that two runs have in common, with the time of each. */
#include "compare/scope_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/order.h"

static struct tp_scope_node *
at(const struct tp_scope_tree *t, uint32_t scope)
{
	return (struct tp_scope_node *)t->scopes.data + scope;
}

const struct tp_scope_node *
tp_scope_at(const struct tp_scope_tree *t, uint32_t scope)
{
	return at(t, scope);
}

const struct tp_scope_node *
tp_scope_child(const struct tp_scope_tree *t, const struct tp_scope_node *parent, uint32_t number)
{
	return at(t, t->order[parent->first + number]);
}

void
tp_scope_tree_init(struct tp_scope_tree *t, struct tp_arena *arena)
{
	*t = (struct tp_scope_tree){.arena = arena};
	tp_map_init(&t->index, arena);
	tp_buf_new(&t->scopes, struct tp_scope_node);
}

void
tp_scope_tree_free(struct tp_scope_tree *t)
{
	tp_buf_free(&t->scopes);
}

uint32_t
tp_scope_below(struct tp_scope_tree *t, uint32_t parent, struct tp_slice name)
{
	uint64_t key = tp_hash_pair(parent, tp_hash_bytes(name));
	uint32_t scope = tp_map_get(&t->index, key), depth = at(t, parent)->depth;

	if (depth == TP_SCOPES_DEEPEST)
		return parent;
	if (scope != TP_MAP_NONE)
		return scope;
	scope = (uint32_t)t->scopes.count;
	TP_PUSH(&t->scopes, struct tp_scope_node, .name = name, .parent = parent, .depth = depth + 1);
	tp_map_put(&t->index, key, scope);
	return scope;
}

/* The length of the part before the next slash that stands in no parentheses. */
static size_t
part_length(struct tp_slice path)
{
	size_t depth = 0, i = 0;

	for (; i < path.len && (path.ptr[i] != '/' || depth != 0); i++) {
		depth += path.ptr[i] == '(';
		depth -= path.ptr[i] == ')' && depth != 0;
	}
	return i;
}

uint32_t
tp_scope_of_path(struct tp_scope_tree *t, uint32_t parent, struct tp_slice path)
{
	for (size_t length; (length = part_length(path)) < path.len;) {
		if (length != 0)
			parent = tp_scope_below(t, parent, (struct tp_slice){path.ptr, length});
		path = tp_slice_from(path, length + 1);
	}
	return parent;
}

void
tp_scope_add(struct tp_scope_tree *t, uint32_t scope, size_t side, double ms)
{
	at(t, scope)->own[side] += ms;
}

static double
change_of(const struct tp_scope_node *s)
{
	return fabs(s->total[1] - s->total[0]);
}

TP_ORDER_POINTERS(largest_change_first, struct tp_scope_node, TP_UP(parent),
	(change_of(a) < change_of(b)) - (change_of(a) > change_of(b)),
	(a->total[0] + a->total[1] < b->total[0] + b->total[1]) -
		(a->total[0] + a->total[1] > b->total[0] + b->total[1]),
	tp_slice_cmp(a->name, b->name));

void
tp_scope_tree_settle(struct tp_scope_tree *t)
{
	size_t count = t->scopes.count;
	const struct tp_scope_node **sorted =
		tp_new_array(t->arena, const struct tp_scope_node *, count);

	for (size_t i = count; i-- > 0;) {
		struct tp_scope_node *s = at(t, (uint32_t)i), *parent = at(t, s->parent);

		for (size_t side = 0; side < 2; side++) {
			/* What subtraction leaves of 0. */
			if (fabs(s->own[side]) < 1e-12)
				s->own[side] = 0;
			s->total[side] += s->own[side];
			if (i != 0)
				parent->total[side] += s->total[side];
		}
		s->moved += fabs(s->own[1] - s->own[0]);
		if (i != 0)
			parent->moved += s->moved;
		sorted[i] = s;
	}
	/* The root is nobody's child. */
	qsort(sorted + 1, count - 1, sizeof *sorted, largest_change_first);
	t->order = tp_new_array(t->arena, uint32_t, count);
	for (size_t i = 1; i < count; i++) {
		struct tp_scope_node *parent = at(t, sorted[i]->parent);

		t->order[i] = (uint32_t)(sorted[i] - at(t, 0));
		if (parent->child_count++ == 0)
			parent->first = (uint32_t)i;
	}
}
