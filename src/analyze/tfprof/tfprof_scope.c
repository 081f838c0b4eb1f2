/* The scope view: nodes by the slashes in their names. */
#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_tree.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"

#include <stdlib.h>

/* "a/b" of "a/b/c"; false: there is no slash in it. */
static bool
scope_of(struct tp_slice name, struct tp_slice *scope)
{
	const char *slash = memrchr(name.ptr, '/', name.len);

	*scope = (struct tp_slice){name.ptr, slash != NULL ? (size_t)(slash - name.ptr) : 0};
	return slash != NULL;
}

static uint32_t
find(const struct tp_tfprof_row *rows, uint32_t count, struct tp_slice name)
{
	size_t i = TP_FIRST_WHERE(at, count, tp_slice_cmp(rows[at].name, name) >= 0);

	return i < count && tp_slice_eq(rows[i].name, name) ? (uint32_t)i : TP_MAP_NONE;
}

/* Scopes that are no nodes, by name. */
static void
find_scopes(const struct tp_tfprof *t, const struct tp_tfprof_row *nodes, struct tp_strings *scopes)
{
	for (uint32_t i = 0; i < t->node_count; i++) {
		struct tp_slice name = nodes[i].name;

		while (scope_of(name, &name) && find(nodes, t->node_count, name) == TP_MAP_NONE) {
			uint32_t known = scopes->count;

			tp_intern(scopes, name);
			if (scopes->count == known)
				break;
		}
	}
}

TP_ORDER(by_row_name, struct tp_tfprof_row, tp_slice_cmp(a->name, b->name));

static void
account_nodes(const struct tp_tfprof *t, struct tp_tfprof_options *o, struct tp_tfprof_row *rows)
{
	for (uint32_t i = 0; i < t->node_count; i++) {
		rows[i] = (struct tp_tfprof_row){.name = t->nodes[i].name, .node = i};
		tp_tfprof_figures(&t->nodes[i], o->step, &rows[i].own);
		rows[i].accounted = tp_tfprof_accounts(o, &t->nodes[i]) != 0;
	}
}

void
tp_tfprof_scope_tree(const struct tp_tfprof *t, struct tp_tfprof_options *o,
	struct tp_arena *scratch, struct tp_tfprof_tree *tree)
{
	struct tp_tfprof_row *nodes = tp_new_array(scratch, struct tp_tfprof_row, t->node_count);
	struct tp_strings scopes;
	struct tp_slice scope;

	account_nodes(t, o, nodes);
	tp_strings_init(&scopes, scratch);
	find_scopes(t, nodes, &scopes);
	/* The empty string has a number anyway: as a scope it only counts where a name begins with a slash. */
	struct tp_tfprof_row *rows =
		tp_new_array(scratch, struct tp_tfprof_row, (size_t)t->node_count + scopes.count + 1);
	uint32_t count = t->node_count;

	memcpy(rows, nodes, count * sizeof *rows);
	bool accounted = tp_patterns_match(&o->account_types, TP_S(TP_TFPROF_SCOPE_TYPE));

	for (uint32_t i = 1; i < scopes.count; i++)
		rows[count++] = (struct tp_tfprof_row){
			.name = scopes.text[i], .node = TP_MAP_NONE, .accounted = accounted};
	qsort(rows, count, sizeof *rows, by_row_name);
	uint32_t *parent = tp_new_array(scratch, uint32_t, (size_t)count + 1);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t above = scope_of(rows[i].name, &scope) ? find(rows, count, scope) : TP_MAP_NONE;

		parent[i] = above != TP_MAP_NONE ? above : count;
	}
	parent[count] = TP_MAP_NONE;
	rows[count++] = (struct tp_tfprof_row){.name = TP_S(TP_TFPROF_ROOT), .node = TP_MAP_NONE};
	*tree = (struct tp_tfprof_tree){.rows = rows, .count = count, .redoes = true};
	tp_tfprof_children(tree, parent, scratch);
}
