/* What stands where in a graph that is judged for TPUs, as tables. */
#include "analyze/graph/tpu_compat.h"

#include "analyze/core/say.h"
#include "analyze/graph/graph.h"
#include "analyze/graph/tpu_columns.h"
#include "analyze/graph/tpu_words.h"
#include "base/path.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/draft.h"

enum {
	KINDS_OPEN = 10,
	NODES_OPEN = 10,
	MOST_KINDS = 1000,
	MOST_NODES = 2000,
	SCOPES_OPEN = 12,
	MOST_SCOPES = 2000,
	OPEN_DEPTH = 2,
};

static void
classes(const struct tp_tpu_compat *c, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/tpu/classes", class_columns);

	for (int i = 0; i < TP_TPU_CLASS_COUNT; i++) {
		if (c->nodes[i] == 0)
			continue;
		struct tp_slice text = tp_slice_of(class_texts[i]);
		struct class_cells *cells = tp_draft_row_of(&draft, text, TP_ROW_NORMAL, 0, NULL);

		cells->judged.value = tp_text_value(text);
		cells->nodes.value = tp_count(c->nodes[i]);
		cells->share.value = tp_share(c->nodes[i], c->graph->node_count, TP_S(why_no_node));
	}
	tp_draft_finish(&draft, TP_TPU_CLASS_COUNT)->caption = TP_S(caption_verdicts);
}

/* Then the last column, which tells kinds of the host apart, is left out. */
static bool
all_incompatible(const struct tp_tpu_compat *c)
{
	return c->marked_count == c->nodes[TP_TPU_INCOMPATIBLE];
}

static void
kind_row(const struct tp_tpu_kind *k, struct tp_draft *draft)
{
	struct kind_cells *cells = tp_draft_row_of(draft, k->op, TP_ROW_NORMAL, 0, k);
	struct tp_value host = tp_missing(TP_S(why_not_tpu_work));
	bool bad = k->class == TP_TPU_INCOMPATIBLE;

	cells->reason.value = bad ? tp_text_value(k->reason.why) : host;
	cells->instead.value = !bad ? host : tp_say_text(k->reason.instead, "unknown");
	cells->judged.value = tp_text_value(tp_slice_of(class_texts[k->class]));
}

static void
kinds(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/tpu/operations", kind_columns);

	for (size_t i = 0; i < c->kind_count && i < MOST_KINDS; i++)
		kind_row(&c->kinds[i], &draft);
	struct tp_table *table = tp_draft_finish(&draft, KINDS_OPEN);

	table->caption = TP_S(caption_kinds);
	if (all_incompatible(c))
		table->column_count--;
	else
		table->caption = TP_S(caption_kinds_counted);
	tp_say_left_out(ctx, doc, section, "graph/tpu/more-operations", c->kind_count, MOST_KINDS,
		"more kind of operation", "more kinds of operations");
	if (c->nodes[TP_TPU_INCOMPATIBLE] != 0)
		tp_doc_paragraph(
			doc, section, TP_PARAGRAPH_SMALL, "graph/tpu/instead", TP_SAY0(doc, text_instead));
}

static void
scope_row(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, uint32_t i,
	struct tp_draft *draft)
{
	const struct tp_graph_scope *s = &c->scopes->scopes[i];
	const struct tp_tpu_sums *sums = &c->sums[i];
	uint32_t judged = sums->compatible + sums->incompatible;
	struct tp_slice path = tp_graph_scope_path(c->scopes, i, ctx->keep);
	struct scope_cells *cells = tp_draft_row_of(draft, path, TP_ROW_NORMAL, (int)s->depth, s);

	cells->scope.value = tp_text_value(tp_graph_scope_label(ctx, c->view, i));
	cells->scope.full = path;
	cells->judged.value = tp_count(judged);
	cells->incompatible.value = tp_count(sums->incompatible);
	cells->share.value = tp_share(sums->compatible, judged, TP_S(why_nothing_to_judge));
}

/* The first of siblings from this one on that holds an incompatible node, or that holds none. */
static uint32_t
sibling(const struct tp_tpu_compat *c, uint32_t scope, bool clean)
{
	while (scope != TP_NONE && (c->sums[scope].incompatible == 0) != clean)
		scope = c->scopes->scopes[scope].next;
	return scope;
}

/* The siblings of one level: those with an incompatible node, then the others. */
struct level {
	uint32_t first, next;
	bool clean;
};

static struct level
enter(const struct tp_tpu_compat *c, uint32_t first)
{
	return (struct level){.first = first, .next = sibling(c, first, false)};
}

/* TP_NONE: there is none left. */
static uint32_t
take(const struct tp_tpu_compat *c, struct level *l)
{
	uint32_t scope = l->next;

	if (scope == TP_NONE && !l->clean) {
		l->clean = true;
		scope = sibling(c, l->first, true);
	}
	if (scope != TP_NONE)
		l->next = sibling(c, c->scopes->scopes[scope].next, l->clean);
	return scope;
}

/* Scopes in which all is alike are not opened: their parts say the same. Returns how many there was no room for. */
static size_t
scope_rows(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_draft *draft)
{
	struct level levels[TP_GRAPH_DEEPEST_SCOPE + 1], *l = levels;
	size_t left_out = 0;

	*l = enter(c, 0);
	while (l >= levels) {
		uint32_t scope = take(c, l);

		if (scope == TP_NONE) {
			l--;
			continue;
		}
		if (draft->rows.count < MOST_SCOPES)
			scope_row(ctx, c, scope, draft);
		else
			left_out++;
		if (c->scopes->scopes[scope].first != TP_NONE &&
			(scope == 0 || c->sums[scope].incompatible != 0 || ctx->options->top == SIZE_MAX))
			*++l = enter(c, c->scopes->scopes[scope].first);
	}
	return left_out;
}

static void
scopes(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/tpu/scopes", scope_columns);
	size_t left_out = scope_rows(ctx, c, &draft);
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->tree = true;
	tp_table_open_levels(t, OPEN_DEPTH, SCOPES_OPEN);
	t->caption = TP_S(caption_tpu_scopes);
	tp_say_left_out(
		ctx, doc, section, "graph/tpu/more-scopes", left_out, 0, "more scope", "more scopes");
}

static void
node_row(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, uint32_t marked,
	struct tp_draft *draft)
{
	const struct tp_strings *strings = &ctx->profile->strings;
	uint32_t node = c->marked[marked];
	struct tp_slice name = tp_string(strings, c->graph->node[node]);
	struct tp_slice device = tp_string(strings, c->graph->device[node]);
	struct tp_slice source = tp_string(strings, c->source[marked]);
	struct node_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, NULL);
	uint32_t root = c->scopes->scope[node];

	while (c->scopes->scopes[root].parent != TP_NONE)
		root = c->scopes->scopes[root].parent;
	cells->node.value = tp_say_text(name, why_no_name);
	cells->operation.value = tp_text_value(tp_string(strings, c->graph->op[node]));
	cells->function.value =
		root != 0 ? tp_text_value(c->scopes->scopes[root].name) : tp_missing(TP_S(why_no_scope));
	cells->device.value = tp_say_text(device, why_no_device);
	cells->source.value = tp_say_text(tp_path_name(source), why_not_said);
	cells->source.full = source;
	cells->judged.value = tp_text_value(tp_slice_of(class_texts[c->class[node]]));
}

static void
nodes(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/tpu/nodes", node_columns);

	for (uint32_t i = 0; i < c->marked_count && i < MOST_NODES; i++)
		node_row(ctx, c, i, &draft);
	struct tp_table *table = tp_draft_finish(&draft, NODES_OPEN);

	table->caption = TP_S(caption_nodes_counted);
	if (all_incompatible(c)) {
		table->column_count--;
		table->caption = TP_S(caption_nodes);
	}
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct node_cells, function));
	tp_say_left_out(ctx, doc, section, "graph/tpu/more-nodes", c->marked_count, MOST_NODES,
		"more node", "more nodes");
}

void
tp_tpu_tables(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	if (c->kind_count != 0)
		kinds(ctx, c, doc, section);
	scopes(ctx, c, doc, section);
	if (c->marked_count != 0)
		nodes(ctx, c, doc, section);
	classes(c, doc, section);
}
