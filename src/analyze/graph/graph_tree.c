/* Scopes as a tree, the largest first: how many nodes, of which operations, how many parameters, and what they took. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/draft.h"

#include <ctype.h>
#include <stdlib.h>

enum { SCOPES_OPEN = 14, MOST_SCOPES = 1500, OPEN_DEPTH = 1 };
enum { SCOPE, NODES, SHARE, KINDS, VARIABLES, ELEMENTS, TRAINED, TIME, BYTES, DEVICES, COLUMNS };

static const struct tp_column columns[COLUMNS] = {
	[SCOPE] = TP_COLUMN("scope", "Scope", .code = true),
	[NODES] = TP_COUNT_COLUMN("nodes", "Nodes", .sorted = true),
	[SHARE] = TP_SHARE_COLUMN("share", "Of all", .bar = true),
	[KINDS] = TP_COLUMN("operations", "Operations", .code = true),
	[VARIABLES] = TP_COUNT_COLUMN("variables", "Variables"),
	[ELEMENTS] = TP_COUNT_COLUMN("elements", "Elements"),
	[TRAINED] = TP_COUNT_COLUMN("trained", "Trained"),
	[TIME] =
		TP_COLUMN("time_us", "Time a step", .unit = TP_UNIT_US, .decimals = TP_DECIMALS_BY_SIZE),
	[BYTES] = TP_BYTES_COLUMN("requested_bytes", "Memory asked for"),
	[DEVICES] = TP_COLUMN("devices", "Devices", .code = true),
};

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

static int
by_nodes(const void *left, const void *right)
{
	const struct sized *a = left, *b = right;

	if (a->nodes != b->nodes)
		return a->nodes > b->nodes ? -1 : 1;
	return a->scope < b->scope ? -1 : a->scope > b->scope;
}

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

static struct tp_value
counted(uint64_t count, struct tp_slice reason)
{
	return reason.len != 0 ? tp_missing(reason) : tp_count(count);
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
	struct tp_slice name = tp_graph_device_name(tp_string(&ctx->profile->strings, id));
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

static void
put_row(const struct tree *t, uint32_t scope, struct tp_draft *draft)
{
	const struct tp_graph_view *v = t->v;
	const struct tp_graph_scope *s = &v->scopes.scopes[scope];
	const struct tp_graph_sums *sums = &v->sums[scope];
	bool in_library = sums->nodes == 0;
	struct tp_slice path =
		scope == 0 ? TP_S("the graph") : tp_graph_scope_path(&v->scopes, scope, t->ctx->keep);
	struct tp_slice no_time = v->run == NULL ? TP_S("no file says what ran")
		: in_library                         ? TP_S("what runs in functions is not told apart")
											 : TP_S("");
	struct tp_slice library = in_library ? TP_S("it stands in a function") : TP_S("");
	struct tp_cell *cell = tp_draft_row(draft, path, TP_ROW_NORMAL, (int)s->depth);

	cell[SCOPE].value = tp_text_value(tp_graph_scope_label(t->ctx, v, scope));
	cell[SCOPE].full = path;
	cell[NODES].value = tp_count(s->nodes);
	cell[SHARE].value = tp_share(s->nodes, v->graph->node_count, TP_S("no node"));
	cell[KINDS].value = tp_text_value(t->kinds[t->row[scope]]);
	cell[DEVICES].value = t->devices[t->row[scope]].len != 0
		? tp_text_value(t->devices[t->row[scope]])
		: tp_missing(TP_S("no device is said"));
	cell[VARIABLES].value =
		counted(sums->variables, tp_graph_of_layers(v) ? tp_graph_no_elements(v, sums) : library);
	cell[ELEMENTS].value =
		counted(sums->elements, in_library ? library : tp_graph_no_elements(v, sums));
	cell[TRAINED].value = counted(sums->trained,
		v->trained == NULL ? TP_S("no file says which variables are trained") : library);
	cell[TIME].value =
		no_time.len != 0 ? tp_missing(no_time) : tp_integer((int64_t)sums->us, TP_UNIT_US);
	cell[BYTES].value = no_time.len != 0 ? tp_missing(no_time) : tp_bytes(sums->requested_bytes);
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
	struct tp_draft draft = tp_draft_table(doc, section, "graph/scopes", columns, COLUMNS);

	choose_rows(&t);
	t.kinds = tp_graph_kinds(ctx, v, v->graph->op, t.row, t.rows);
	t.devices = tp_graph_kinds(ctx, v, devices_of(ctx, v), t.row, t.rows);
	put_rows(&t, &draft);
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->open_depth = OPEN_DEPTH;
	table->caption = TP_S("Name scopes, each with those within, the largest first");
	tp_table_drop_missing(doc, table, TRAINED);
	table->shown = tp_table_open_rows(table, SCOPES_OPEN);
	if (v->scopes.count > t.rows)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/more-scopes",
			TP_SAY(doc, "{} without a row.",
				tp_say_number(
					ctx, v->scopes.count - t.rows, "smaller scope is", "smaller scopes are")));
}
