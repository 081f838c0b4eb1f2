/* What stands where in a graph that is judged for TPUs, as tables. */
#include "analyze/graph/tpu_compat.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/path.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/draft.h"

enum {
	KINDS_OPEN = 10,
	NODES_OPEN = 10,
	MOST_KINDS = 1000,
	MOST_NODES = 2000,
};

void
tp_tpu_say_left_out(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, size_t count, const char *one, const char *many)
{
	if (count != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, id,
			TP_SAY(doc, "{} left out.", tp_say_number(ctx, count, one, many)));
}

static const struct tp_column class_columns[] = {
	TP_COLUMN("judged", "Judged"),
	TP_COUNT_COLUMN("nodes", "Nodes"),
	TP_SHARE_COLUMN("share", "Of all nodes", .bar = true),
};

static void
classes(const struct tp_tpu_compat *c, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_draft draft = tp_draft_table(doc, section, "graph/tpu/classes", class_columns,
		sizeof class_columns / sizeof *class_columns);

	draft.block->table.caption =
		TP_S("Every node of the graph and of its functions, by how it is judged");
	for (int i = 0; i < TP_TPU_CLASS_COUNT; i++) {
		if (c->nodes[i] == 0)
			continue;
		struct tp_slice text = tp_slice_of(tp_tpu_class_text((enum tp_tpu_class)i));
		struct tp_cell *cell = tp_draft_row(&draft, text, TP_ROW_NORMAL, 0);

		cell[0].value = tp_text_value(text);
		cell[1].value = tp_count(c->nodes[i]);
		cell[2].value = tp_share(c->nodes[i], c->graph->node_count, TP_S("no node"));
	}
	tp_draft_finish(&draft, TP_TPU_CLASS_COUNT);
}

/* The column that tells kinds of the host apart is last, and left out where there are none. */
static size_t
columns_of(const struct tp_tpu_compat *c, size_t count)
{
	return c->marked_count == c->nodes[TP_TPU_INCOMPATIBLE] ? count - 1 : count;
}

static const struct tp_column kind_columns[] = {
	TP_COLUMN("operation", "Operation", .code = true),
	TP_COUNT_COLUMN("nodes", "Nodes"),
	TP_COLUMN("reason", "Why"),
	TP_COLUMN("instead", "Instead"),
	TP_COLUMN("judged", "Judged"),
};
enum { KIND_COLUMNS = sizeof kind_columns / sizeof *kind_columns };

static void
kind_row(const struct tp_tpu_kind *k, size_t columns, struct tp_draft *draft)
{
	struct tp_cell *cell = tp_draft_row(draft, k->op, TP_ROW_NORMAL, 0);
	struct tp_slice host = TP_S("it is no work of a TPU");
	bool bad = k->class == TP_TPU_INCOMPATIBLE;

	cell[0].value = tp_text_value(k->op);
	cell[1].value = tp_count(k->nodes);
	cell[2].value = bad ? tp_text_value(k->reason.why) : tp_missing(host);
	cell[3].value = !bad             ? tp_missing(host)
		: k->reason.instead.len != 0 ? tp_text_value(k->reason.instead)
									 : tp_missing(TP_S("nothing is known for certain"));
	if (columns == KIND_COLUMNS)
		cell[4].value = tp_text_value(tp_slice_of(tp_tpu_class_text(k->class)));
}

static void
kinds(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t columns = columns_of(c, KIND_COLUMNS);
	struct tp_draft draft =
		tp_draft_table(doc, section, "graph/tpu/operations", kind_columns, columns);

	draft.block->table.caption = columns == KIND_COLUMNS
		? TP_S("Operations that are not in the list: those that count against the graph, then "
			   "those that do not")
		: TP_S("Operations that are not in the list");
	for (size_t i = 0; i < c->kind_count && i < MOST_KINDS; i++)
		kind_row(&c->kinds[i], columns, &draft);
	tp_draft_finish(&draft, KINDS_OPEN);
	tp_tpu_say_left_out(ctx, doc, section, "graph/tpu/more-operations",
		c->kind_count > MOST_KINDS ? c->kind_count - MOST_KINDS : 0, "more kind of operation is",
		"more kinds of operations are");
	if (c->nodes[TP_TPU_INCOMPATIBLE] != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/tpu/instead",
			TP_SAY0(doc,
				"`tf.compat.v1.enable_resource_variables()`, before the graph is built, makes all "
				"variables resource variables; `tf.compat.v1.tpu.outside_compilation` leaves to "
				"the host what a program for a TPU calls."));
}

static const struct tp_column node_columns[] = {
	TP_COLUMN("node", "Node", .code = true),
	TP_COLUMN("operation", "Operation", .code = true),
	TP_COLUMN("function", "In function", .code = true),
	TP_COLUMN("device", "Device", .code = true),
	TP_COLUMN("source", "Made at", .code = true),
	TP_COLUMN("judged", "Judged"),
};
enum { NODE_COLUMNS = sizeof node_columns / sizeof *node_columns };

static void
node_row(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, uint32_t marked,
	size_t columns, struct tp_draft *draft)
{
	const struct tp_strings *strings = &ctx->profile->strings;
	uint32_t node = c->marked[marked];
	struct tp_slice name = tp_string(strings, c->graph->node[node]);
	struct tp_slice device = tp_string(strings, c->graph->device[node]);
	struct tp_slice source = tp_string(strings, c->source[marked]);
	struct tp_cell *cell = tp_draft_row(draft, name, TP_ROW_NORMAL, 0);
	uint32_t root = c->scopes->scope[node];

	while (c->scopes->scopes[root].parent != TP_NONE)
		root = c->scopes->scopes[root].parent;
	cell[0].value = name.len != 0 ? tp_text_value(name) : tp_missing(TP_S("the node has no name"));
	cell[1].value = tp_text_value(tp_string(strings, c->graph->op[node]));
	cell[2].value =
		root != 0 ? tp_text_value(c->scopes->scopes[root].name) : tp_missing(TP_S("it is in none"));
	cell[3].value = device.len != 0 ? tp_text_value(device) : tp_missing(TP_S("none is said"));
	cell[4].value = source.len != 0 ? tp_text_value(tp_path_name(source))
									: tp_missing(TP_S("the file does not say"));
	if (source.len != 0)
		cell[4].full = source;
	if (columns == NODE_COLUMNS)
		cell[5].value =
			tp_text_value(tp_slice_of(tp_tpu_class_text((enum tp_tpu_class)c->class[node])));
}

static void
nodes(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t columns = columns_of(c, NODE_COLUMNS);
	struct tp_draft draft = tp_draft_table(doc, section, "graph/tpu/nodes", node_columns, columns);

	draft.block->table.caption = columns == NODE_COLUMNS
		? TP_S("Where these operations stand: incompatible ones first, in the order of the graph")
		: TP_S("Where these operations stand, in the order of the graph");
	for (uint32_t i = 0; i < c->marked_count && i < MOST_NODES; i++)
		node_row(ctx, c, i, columns, &draft);
	tp_table_drop_missing(doc, tp_draft_finish(&draft, NODES_OPEN), 2);
	tp_tpu_say_left_out(ctx, doc, section, "graph/tpu/more-nodes",
		c->marked_count > MOST_NODES ? c->marked_count - MOST_NODES : 0, "more node is",
		"more nodes are");
}

void
tp_tpu_tables(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	if (c->kind_count != 0)
		kinds(ctx, c, doc, section);
	tp_tpu_scope_table(ctx, c, doc, section);
	if (c->marked_count != 0)
		nodes(ctx, c, doc, section);
	classes(c, doc, section);
}
