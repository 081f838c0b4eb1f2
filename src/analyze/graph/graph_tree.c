/* Scopes as a tree, the largest first: how many nodes, of which operations, how many parameters, and what they took. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "analyze/graph/graph_columns.h"
#include "analyze/graph/graph_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/draft.h"

#include <ctype.h>
#include <stdlib.h>

enum { SCOPES_OPEN = 14, MOST_SCOPES = 1500, OPEN_DEPTH = 1, TOLD = 3 };

struct kind {
	uint32_t row, name, count;
};

TP_ORDER(by_row, struct kind, TP_UP(row), TP_DOWN(count), TP_UP(name));

static void
count_one(struct tp_buf *kinds, struct tp_map *at, uint32_t row, uint32_t name)
{
	uint32_t index;

	if (tp_map_number(at, tp_hash_pair(row, name), &index))
		TP_PUSH(kinds, struct kind, row, name, 0);
	((struct kind *)kinds->data)[index].count++;
}

/* A device without the only task that there is in a local session; other names as they are. */
static struct tp_slice
device_name(struct tp_slice name)
{
	static const struct tp_slice local = {"/job:localhost/replica:0/task:0/", 32};

	return tp_slice_starts(name, local) ? tp_slice_from(name, local.len - 1) : name;
}

/* "MatMul 4, Add 3" of a column of strings, "" not counted, for the nodes in a scope is made for the rows that are shown only.
 * `shown`: the row of each scope, or TP_NONE. Texts in keep. */
static struct tp_slice *
kinds_of(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, const uint32_t *column,
	const uint32_t *shown, uint32_t rows)
{
	struct tp_slice *out = tp_new_array(ctx->keep, struct tp_slice, rows);
	struct tp_buf kinds = {0};
	struct tp_map at;

	tp_map_init(&at, ctx->scratch);
	for (uint32_t i = 0; i < v->graph->node_count; i++) {
		for (uint32_t s = v->scopes.scope[i]; s != TP_NONE; s = v->scopes.scopes[s].parent) {
			if (shown[s] != TP_NONE && column[i] != 0)
				count_one(&kinds, &at, shown[s], column[i]);
		}
	}
	struct kind *all = kinds.data;

	if (kinds.count != 0)
		qsort(all, kinds.count, sizeof *all, by_row);
	for (size_t i = 0, nth = 0; i < kinds.count; i++) {
		struct tp_slice *text = &out[all[i].row],
						name = device_name(tp_string(&ctx->profile->strings, all[i].name));

		nth = i > 0 && all[i - 1].row == all[i].row ? nth + 1 : 0;
		if (nth < TOLD)
			*text = tp_arena_printf(ctx->keep, "%.*s%s%.*s %u", TP_ARG(*text), nth > 0 ? ", " : "",
				TP_ARG(name), all[i].count);
		else if (nth == TOLD)
			*text = tp_arena_printf(ctx->keep, "%.*s …", TP_ARG(*text));
	}
	tp_buf_free(&kinds);
	return out;
}

/* What is shown of the tree: rows of the scopes, and their children in order. */
struct tree {
	const struct tp_pass_ctx *ctx;
	const struct tp_graph_view *v;
	uint32_t *order; /* scopes, the largest first; a scope comes after its parent */
	uint32_t *row;   /* by scope; TP_NONE: there is no room for it */
	uint32_t rows;
	struct tp_slice *kinds, *devices; /* by row */
};

static uint32_t
nodes_of(const struct tree *t, uint32_t scope)
{
	return t->v->scopes.scopes[scope].nodes;
}

struct sized {
	uint32_t nodes, scope;
};

TP_ORDER(by_nodes, struct sized, TP_DOWN(nodes), TP_UP(scope));

/* The largest scopes get a row; a scope is never larger than its parent, and stands behind it. The graph itself, which all of
 * it is, and functions are roots. */
static void
choose_rows(struct tree *t)
{
	uint32_t count = t->v->scopes.count;
	struct sized *all = tp_new_array(t->ctx->scratch, struct sized, count);

	t->order = tp_new_array(t->ctx->scratch, uint32_t, count);
	t->row = tp_new_array(t->ctx->scratch, uint32_t, count);
	for (uint32_t i = 0; i < count; i++)
		all[i] = (struct sized){i == 0 ? UINT32_MAX : nodes_of(t, i), i};
	qsort(all, count, sizeof *all, by_nodes);
	for (uint32_t i = 0; i < count; i++) {
		t->order[i] = all[i].scope;
		t->row[all[i].scope] = i < MOST_SCOPES ? i : TP_NONE;
	}
	t->rows = count < MOST_SCOPES ? count : MOST_SCOPES;
}

/* By device the first string for it, and by string its device. "/job:localhost/replica:0/task:0/device:CPU:0" is
 * "/device:CPU:0", and tfprof writes all small. */
struct devices {
	struct tp_map first, known;
};

static uint32_t
device_of(const struct tp_pass_ctx *ctx, struct devices *d, uint32_t id)
{
	uint32_t device = tp_map_get(&d->known, id);

	if (device != TP_MAP_NONE)
		return device;
	struct tp_slice name = device_name(tp_string(&ctx->profile->strings, id));
	char *small = tp_new_array(ctx->scratch, char, name.len);

	for (size_t i = 0; i < name.len; i++)
		small[i] = (char)tolower((unsigned char)name.ptr[i]);
	uint64_t key = tp_hash_bytes((struct tp_slice){small, name.len});

	device = tp_map_get(&d->first, key);
	if (device == TP_MAP_NONE)
		tp_map_put(&d->first, key, device = id);
	tp_map_put(&d->known, id, device);
	return device;
}

/* Of each node that on which a step had it, else the one that it asks for; ids of strings. */
static const uint32_t *
devices_of(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v)
{
	const struct tp_graph *g = v->graph;
	uint32_t *devices = tp_new_array(ctx->scratch, uint32_t, g->node_count);
	struct devices d;

	tp_map_init(&d.first, ctx->scratch);
	tp_map_init(&d.known, ctx->scratch);
	for (uint32_t i = 0; i < g->node_count; i++) {
		uint32_t id = v->placed != NULL && v->placed[i] != 0 ? v->placed[i] : g->device[i];

		devices[i] = id != 0 ? device_of(ctx, &d, id) : 0;
	}
	return devices;
}

struct tp_slice
tp_graph_scope_label(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, uint32_t scope)
{
	const struct tp_graph_scope *s = &v->scopes.scopes[scope];

	if (scope == 0)
		return TP_S("the graph");
	if (s->parent == TP_NONE)
		return tp_arena_printf(ctx->keep, "function %.*s%s", TP_ARG(s->name),
			v->uncalled[scope] ? " (never called)" : "");
	return s->name.len != 0 ? s->name : TP_S(text_no_name);
}

static void
put_row(const struct tree *t, uint32_t scope, struct tp_draft *draft)
{
	const struct tp_graph_view *v = t->v;
	const struct tp_graph_scope *s = &v->scopes.scopes[scope];
	const struct tp_graph_sums *sums = &v->sums[scope];
	bool in_library = sums->nodes == 0;
	struct tp_slice path = tp_graph_scope_path(&v->scopes, scope, t->ctx->keep);
	struct tp_slice no_time = v->run == NULL ? TP_S(why_nothing_ran)
		: in_library                         ? TP_S(why_in_functions)
											 : TP_S("");
	struct tp_slice library = in_library ? TP_S(why_in_function) : TP_S("");
	struct scope_cells *cells = tp_draft_row_of(draft, path, TP_ROW_NORMAL, (int)s->depth, s);

	cells->scope.value = tp_text_value(tp_graph_scope_label(t->ctx, v, scope));
	cells->scope.full = path;
	cells->share.value = tp_share(s->nodes, v->graph->node_count, TP_S(why_no_node));
	cells->kinds.value = tp_text_value(t->kinds[t->row[scope]]);
	cells->devices.value = tp_say_text(t->devices[t->row[scope]], why_no_device);
	cells->variables.value =
		tp_say_count(sums->variables, v->of_layers ? tp_graph_no_elements(v, sums) : library);
	cells->elements.value =
		tp_say_count(sums->elements, in_library ? library : tp_graph_no_elements(v, sums));
	cells->trained.value =
		tp_say_count(sums->trained, v->trained == NULL ? TP_S(why_not_told_trained) : library);
	cells->time.value =
		no_time.len != 0 ? tp_missing(no_time) : tp_integer((int64_t)sums->us, TP_UNIT_US);
	cells->bytes.value = no_time.len != 0 ? tp_missing(no_time) : tp_bytes(sums->requested_bytes);
}

/* Parents before children, siblings by size: each scope is linked behind the siblings that are larger. */
static void
put_rows(const struct tree *t, struct tp_draft *draft)
{
	uint32_t count = t->v->scopes.count;
	uint32_t *first = tp_new_array(t->ctx->scratch, uint32_t, 2 * (size_t)count + 1),
			 *next = first + count + 1;

	memset(first, 0xff, (2 * (size_t)count + 1) * sizeof *first);
	for (uint32_t i = t->rows; i-- > 0;) {
		uint32_t scope = t->order[i], parent = t->v->scopes.scopes[scope].parent;
		uint32_t *head = &first[parent == TP_NONE ? count : parent];

		next[scope] = *head;
		*head = scope;
	}
	for (uint32_t scope = first[count]; scope != TP_NONE;) {
		put_row(t, scope, draft);
		uint32_t up = scope;

		scope = first[scope];
		while (scope == TP_NONE && up != TP_NONE) {
			scope = next[up];
			up = t->v->scopes.scopes[up].parent;
		}
	}
}

void
tp_graph_tree(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tree t = {.ctx = ctx, .v = v};
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/scopes", scope_columns);

	choose_rows(&t);
	t.kinds = kinds_of(ctx, v, v->graph->op, t.row, t.rows);
	t.devices = kinds_of(ctx, v, devices_of(ctx, v), t.row, t.rows);
	put_rows(&t, &draft);
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->caption = TP_S(caption_scopes);
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct scope_cells, trained));
	tp_table_open_levels(table, OPEN_DEPTH, SCOPES_OPEN);
	if (v->scopes.count > t.rows)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/more-scopes",
			TP_SAY(doc, text_scopes_left_out,
				tp_say_number(
					ctx, v->scopes.count - t.rows, "smaller scope is", "smaller scopes are")));
}
