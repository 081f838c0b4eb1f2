/* JSON into a tree: one node a value, in the order of the text. */
#include "stored/tree.h"

#include "base/arena.h"

enum { DEEPEST = 64 };

struct growing {
	struct tp_slice json;
	struct tp_arena *arena;
	struct tp_node *open[DEEPEST];   /* the values around the one in hand */
	struct tp_node **tails[DEEPEST]; /* where the next child of each goes */
	unsigned depth;
};

/* What is written without escapes stays where it is. */
static struct tp_slice
kept(const struct growing *g, struct tp_slice text)
{
	uintptr_t at = (uintptr_t)text.ptr, start = (uintptr_t)g->json.ptr;

	return at >= start && at - start <= g->json.len ? text : tp_arena_copy(g->arena, text);
}

static struct tp_node *
grow(struct growing *g, const struct tp_pull *j)
{
	struct tp_node *node = tp_new(g->arena, struct tp_node);
	bool nests = j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY;

	*node = (struct tp_node){
		.type = j->type,
		.key = kept(g, j->key),
		.text = nests ? TP_S("") : kept(g, j->text),
	};
	if (g->depth != 0) {
		g->open[g->depth - 1]->count++;
		*g->tails[g->depth - 1] = node;
		g->tails[g->depth - 1] = &node->next;
	}
	if (nests && g->depth < DEEPEST) {
		g->open[g->depth] = node;
		g->tails[g->depth++] = &node->first;
	}
	return node;
}

/* Kind and id of a block stand before its rows; charts have rows, too. */
static bool
is_unwanted(const struct growing *g, const struct tp_pull *j, bool (*wanted)(struct tp_slice id))
{
	if (wanted == NULL || j->type != TP_PULL_ARRAY || g->depth == 0 ||
		!tp_slice_eq(j->key, TP_S("rows")))
		return false;
	struct tp_node *block = g->open[g->depth - 1];

	return tp_slice_eq(tp_tree_text(block, "kind"), TP_S("table")) &&
		!wanted(tp_tree_text(block, "id"));
}

struct tp_node *
tp_tree_read(struct tp_slice json, const char *name, bool (*wanted)(struct tp_slice id),
	struct tp_arena *arena, struct tp_err *err)
{
	struct growing g = {.json = json, .arena = arena};
	struct tp_pull j;
	struct tp_node *root = NULL;
	bool deep = false;

	tp_pull_open(&j, json, NULL, NULL);
	while (!deep && tp_pull_next(&j)) {
		if (j.type == TP_PULL_OBJECT_END || j.type == TP_PULL_ARRAY_END) {
			g.depth--;
			continue;
		}
		if (is_unwanted(&g, &j, wanted)) {
			tp_pull_skip(&j);
			continue;
		}
		deep = g.depth == DEEPEST;
		struct tp_node *node = deep ? NULL : grow(&g, &j);

		root = root != NULL ? root : node;
	}
	uint64_t offset = j.offset;
	enum tp_pull_state state = j.state;
	const char *wrong = j.wrong;

	tp_pull_close(&j);
	if (deep)
		tp_fail_at(err, TP_ERR_FORMAT, name, offset, "nested deeper than any report");
	else if (state == TP_PULL_TRUNCATED)
		tp_fail_at(err, TP_ERR_FORMAT, name, offset, "the report is cut off");
	else if (state == TP_PULL_BROKEN)
		tp_fail_at(err, TP_ERR_FORMAT, name, offset, "not JSON: %s", wrong);
	else if (root == NULL)
		tp_fail_at(err, TP_ERR_FORMAT, name, 0, "the report is empty");
	else
		return root;
	return NULL;
}

static bool
has_key(const struct tp_node *node, struct tp_slice key)
{
	return tp_slice_eq(node->key, key);
}

struct tp_node *
tp_tree_member_of(struct tp_node *object, struct tp_slice key)
{
	if (object == NULL || object->type != TP_PULL_OBJECT)
		return NULL;
	struct tp_node *start = object->hint != NULL ? object->hint->next : object->first;
	struct tp_node *at = start;

	while (at != NULL && !has_key(at, key))
		at = at->next;
	if (at == NULL) {
		at = object->first;
		while (at != start && !has_key(at, key))
			at = at->next;
		at = at != start ? at : NULL;
	}
	object->hint = at != NULL ? at : object->hint;
	return at;
}

struct tp_node *
tp_tree_member(struct tp_node *object, const char *key)
{
	return tp_tree_member_of(object, tp_slice_of(key));
}

struct tp_slice
tp_tree_text(struct tp_node *object, const char *key)
{
	struct tp_node *node = tp_tree_member(object, key);

	return node != NULL && node->type == TP_PULL_STRING ? node->text : TP_S("");
}
