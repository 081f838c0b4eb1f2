/* The neighbourhood of an operation as a table: all that the drawing above it shows, and more. */
#include "analyze/ops/op_graph.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_cards.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"
#include "report/draft.h"

enum { DISTANCE, NAME, WHAT, SHAPE, BUSY, READS, READ_BY, FRAMEWORK, SOURCE, COLUMNS };

static const struct tp_column columns[COLUMNS] = {
	[DISTANCE] = TP_COUNT_COLUMN("distance", "Steps away"),
	[NAME] = TP_COLUMN("name", "Instruction", .code = true),
	[WHAT] = TP_COLUMN("what", "What it is"),
	[SHAPE] = TP_COLUMN("shape", "Result", .code = true),
	[BUSY] = TP_SHARE_COLUMN("busy_share", "Of busy time"),
	[READS] = TP_COLUMN("reads", "Reads", .code = true),
	[READ_BY] = TP_COLUMN("read_by", "Read by", .code = true),
	[FRAMEWORK] = TP_COLUMN("framework_op", "Framework operation", .code = true),
	[SOURCE] = TP_COLUMN("source", "Source", .code = true),
};

/* "fusion.1, p0, 17 more": the nodes at one end of the edges whose other end is node n. */
static struct tp_slice
names(const struct tp_op_graph *g, size_t n, bool users, uint32_t left_out, struct tp_arena *keep)
{
	struct tp_slice text = TP_S("");

	for (size_t e = 0; e < g->edge_count; e++) {
		const struct tp_hlo_near_edge *edge = &g->edges[e];

		if ((users ? edge->from : edge->to) == n)
			text = tp_arena_printf(keep, "%.*s%s%.*s", TP_ARG(text), text.len != 0 ? ", " : "",
				TP_ARG(g->nodes[users ? edge->to : edge->from].name));
	}
	if (left_out != 0)
		text = tp_arena_printf(
			keep, "%.*s%s%u more", TP_ARG(text), text.len != 0 ? ", " : "", left_out);
	return text;
}

struct tp_value
tp_op_graph_busy(const struct tp_op_page *page, const struct tp_op_graph_node *node)
{
	if (node->total == NULL || page->ops == NULL)
		return tp_missing(TP_S("no time of its own was recorded"));
	return tp_share((double)node->total->self_ps, (double)page->ops->busy_ps, TP_S("no time"));
}

static void
add_row(
	const struct tp_op_page *page, const struct tp_op_graph *g, size_t n, struct tp_draft *draft)
{
	const struct tp_op_graph_node *node = &g->nodes[n];
	struct tp_arena *keep = page->ctx->keep;
	struct tp_cell *cell = tp_draft_row(draft, node->name, TP_ROW_NORMAL, 0);
	const struct tp_op_card *card =
		node->total != NULL && n != g->middle ? tp_op_card_of(page->cards, node->total->op) : NULL;

	cell[DISTANCE].value = tp_integer(node->distance, TP_UNIT_COUNT);
	cell[NAME].value = tp_text_value(node->name);
	if (card != NULL && card->id.len != 0)
		cell[NAME].href = tp_arena_printf(keep, "#%.*s", TP_ARG(card->id));
	cell[WHAT].value = tp_text_value(node->what);
	cell[WHAT].swatch = node->total != NULL ? node->total->hue : TP_HUE_NONE;
	cell[SHAPE].value = tp_text_value(node->shape);
	cell[BUSY].value = tp_op_graph_busy(page, node);
	cell[READS].value = tp_text_value(names(g, n, false, node->operands_left_out, keep));
	cell[READ_BY].value = tp_text_value(names(g, n, true, node->users_left_out, keep));
	cell[FRAMEWORK].value = tp_text_value(node->framework);
	cell[SOURCE].value = tp_text_value(node->source);
}

/* "of computation `body`, which `while.3` calls" */
static struct tp_slice
place_of(const struct tp_op_graph *g, struct tp_arena *keep)
{
	if (g->caller.len == 0)
		return tp_arena_printf(keep, "in computation %.*s", TP_ARG(g->computation));
	return tp_arena_printf(
		keep, "in computation %.*s, which %.*s calls", TP_ARG(g->computation), TP_ARG(g->caller));
}

void
tp_op_graph_present(const struct tp_op_page *page, struct tp_block *parent, struct tp_slice id,
	const struct tp_op_graph *g)
{
	struct tp_arena *keep = page->ctx->keep;

	tp_op_graph_chart(page, parent, id, g);
	struct tp_slice table = tp_arena_printf(keep, "%.*s/near", TP_ARG(id));
	struct tp_draft draft = tp_draft_table(page->doc, parent, table.ptr, columns, COLUMNS);

	for (size_t n = 0; n < g->node_count; n++)
		add_row(page, g, n, &draft);
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(keep,
		"The instructions around %.*s, %.*s: below 0 it reads them, above 0 they read it, directly "
		"(1) or through others%s",
		TP_ARG(g->nodes[g->middle].name), TP_ARG(place_of(g, keep)),
		g->node_count > 1 ? "; drawn: the thicker an arrow, the more bytes" : "");
}
