/* Scopes are made as the nodes name them; a map from parent and name finds one again. */
#include "analyze/graph/graph_scopes.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/graph.h"
#include "model/profile.h"

struct making {
	struct tp_buf scopes; /* of struct tp_graph_scope */
	struct tp_buf last;   /* of uint32_t: by scope its last child */
	struct tp_map known;  /* parent and name → scope */
	uint32_t last_root;
};

static struct tp_graph_scope *
scope_at(const struct making *m, uint32_t i)
{
	return (struct tp_graph_scope *)m->scopes.data + i;
}

static uint32_t
add_scope(struct making *m, struct tp_slice name, uint32_t parent)
{
	uint32_t new = (uint32_t)m->scopes.count;

	TP_PUSH(&m->scopes, struct tp_graph_scope, .name = name, .parent = parent, .first = TP_NONE,
		.next = TP_NONE);
	TP_PUSH(&m->last, uint32_t, TP_NONE);
	uint32_t *last = parent == TP_NONE ? &m->last_root : (uint32_t *)m->last.data + parent;

	if (*last != TP_NONE)
		scope_at(m, *last)->next = new;
	else if (parent != TP_NONE)
		scope_at(m, parent)->first = new;
	*last = new;
	if (parent != TP_NONE)
		scope_at(m, new)->depth = scope_at(m, parent)->depth + 1;
	return new;
}

static uint32_t
scope_within(struct making *m, uint32_t parent, struct tp_slice name)
{
	uint64_t key = tp_hash_pair(parent, tp_hash_bytes(name));
	uint32_t scope = tp_map_get(&m->known, key);

	if (scope == TP_MAP_NONE) {
		scope = add_scope(m, name, parent);
		tp_map_put(&m->known, key, scope);
	}
	return scope;
}

static uint32_t
scope_of(struct making *m, uint32_t root, struct tp_slice node)
{
	uint32_t scope = root;

	for (int depth = 0; depth < TP_GRAPH_DEEPEST_SCOPE; depth++) {
		const char *slash = node.len == 0 ? NULL : memchr(node.ptr, '/', node.len);

		if (slash == NULL)
			break;
		scope = scope_within(m, scope, (struct tp_slice){node.ptr, (size_t)(slash - node.ptr)});
		node = tp_slice_from(node, (size_t)(slash - node.ptr) + 1);
	}
	return scope;
}

/* A node may be the scope of others: "global_step" beside "global_step/read". Then it stands in that scope. */
static uint32_t
scope_of_same_name(const struct making *m, uint32_t scope, struct tp_slice node)
{
	const char *slash = node.len == 0 ? NULL : memrchr(node.ptr, '/', node.len);
	struct tp_slice name =
		slash == NULL ? node : tp_slice_from(node, (size_t)(slash - node.ptr) + 1);
	uint32_t same = tp_map_get(&m->known, tp_hash_pair(scope, tp_hash_bytes(name)));

	if (same == TP_MAP_NONE || scope_at(m, scope)->depth == TP_GRAPH_DEEPEST_SCOPE)
		return scope;
	return same;
}

static void
place(struct making *m, const struct tp_profile *p, const struct tp_graph *g, uint32_t root,
	uint32_t first, uint32_t count, uint32_t *scope)
{
	for (uint32_t i = first; i < first + count; i++)
		scope[i] = scope_of(m, root, tp_string(&p->strings, g->node[i]));
	for (uint32_t i = first; i < first + count; i++) {
		scope[i] = scope_of_same_name(m, scope[i], tp_string(&p->strings, g->node[i]));
		scope_at(m, scope[i])->own++;
	}
}

struct tp_graph_scopes
tp_graph_scopes(const struct tp_profile *p, const struct tp_graph *g, struct tp_arena *keep)
{
	struct tp_graph_scopes out = {.scope = tp_new_array(keep, uint32_t, g->node_count)};
	struct making m = {.last_root = TP_NONE};

	tp_map_init(&m.known, keep);
	place(&m, p, g, add_scope(&m, TP_S(""), TP_NONE), 0, g->main_count, out.scope);
	for (uint32_t f = 0; f < g->function_count; f++) {
		const struct tp_graph_function *function = &g->functions[f];

		place(&m, p, g, add_scope(&m, tp_string(&p->strings, function->name), TP_NONE),
			function->first, function->count, out.scope);
	}
	out.count = (uint32_t)m.scopes.count;
	out.scopes = tp_buf_settle(&m.scopes, sizeof *out.scopes, keep);
	tp_buf_free(&m.last);
	for (uint32_t i = out.count; i-- > 0;) {
		struct tp_graph_scope *s = &out.scopes[i];

		s->nodes += s->own;
		if (s->parent != TP_NONE)
			out.scopes[s->parent].nodes += s->nodes;
	}
	return out;
}

struct tp_slice
tp_graph_scope_path(const struct tp_graph_scopes *s, uint32_t scope, struct tp_arena *a)
{
	const struct tp_graph_scope *at = &s->scopes[scope];
	struct tp_slice path = scope == 0 ? TP_S("the graph") : at->name;

	while (at->parent != TP_NONE && at->parent != 0) {
		at = &s->scopes[at->parent];
		path = tp_arena_printf(a, "%.*s/%.*s", TP_ARG(at->name), TP_ARG(path));
	}
	return path;
}
