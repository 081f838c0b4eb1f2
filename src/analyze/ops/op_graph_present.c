/* The neighbourhood of an operation: a drawing, what it reads above it and what reads it below, and a table of all that it shows, and
 * more. */
#include "analyze/ops/op_graph.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_cards.h"
#include "analyze/ops/op_graph_columns.h"
#include "analyze/ops/op_graph_words.h"
#include "base/arena.h"
#include "report/draft.h"

/* What of the busy time a node took; missing when no time of its own was recorded. */
static struct tp_value
busy_share(const struct tp_op_page *page, const struct tp_op_graph_node *node)
{
	if (node->total == NULL || page->ops == NULL)
		return tp_missing(TP_S(why_no_self_time));
	return tp_op_busy_share(page->ops, node->total->self_ps);
}

/* Boxes and arrows while they are gathered. */
struct drawing {
	const struct tp_op_page *page;
	const struct tp_op_graph *graph;
	struct tp_box *boxes;
	struct tp_arrow *arrows;
	size_t box_count, arrow_count;
};

_Static_assert(1 + 2 * TP_HLO_NEAR_MOST + 2 <= TP_DIAGRAM_MOST_BOXES, "all nodes have boxes");

/* "1.5 % · bf16[16,224,224,3]" */
static struct tp_slice
note_of(const struct tp_op_page *page, const struct tp_op_graph_node *node)
{
	struct tp_value busy = busy_share(page, node);
	char buf[TP_VALUE_BUF];

	if (!tp_known(busy))
		return node->brief;
	return tp_arena_printf(page->ctx->keep, "%.*s\u202f%% · %.*s",
		TP_ARG(tp_value_fixed(busy, TP_UNIT_SHARE, 1, buf)), TP_ARG(node->brief));
}

/* What it is, and how many there are that are not drawn. */
static struct tp_slice
more_of(const struct tp_op_page *page, const struct tp_op_graph_node *node)
{
	struct tp_slice text =
		tp_arena_printf(page->ctx->keep, "%.*s: %.*s", TP_ARG(node->what), TP_ARG(node->shape));

	if (node->operands_left_out != 0)
		text = tp_arena_printf(
			page->ctx->keep, "%.*s; reads %u more", TP_ARG(text), node->operands_left_out);
	if (node->users_left_out != 0)
		text = tp_arena_printf(page->ctx->keep, "%.*s; %u more %s it", TP_ARG(text),
			node->users_left_out, tp_plural(node->users_left_out, "reads", "read"));
	return text;
}

static void
add_arrow(struct drawing *d, size_t from, size_t to, uint64_t bytes)
{
	if (d->arrow_count == TP_DIAGRAM_MOST_ARROWS)
		return;
	struct tp_arrow *arrow = &d->arrows[d->arrow_count++];

	*arrow = (struct tp_arrow){.from = from, .to = to, .weight = bytes != 0 ? (double)bytes : 1};
	if (bytes != 0 && bytes <= INT64_MAX)
		arrow->label = tp_say_value(d->page->ctx, tp_bytes(bytes));
}

/* One box for what had no room at the operation itself: "17 more, read it". */
static void
add_rest(struct drawing *d, uint32_t count, bool users)
{
	size_t middle = d->graph->middle, rest = d->box_count;

	if (count == 0)
		return;
	d->box_count++;
	d->boxes[rest].label = tp_arena_printf(d->page->ctx->keep, "%u more", count);
	d->boxes[rest].note = users ? TP_S("users") : TP_S("inputs");
	add_arrow(d, users ? middle : rest, users ? rest : middle, 0);
}

static struct tp_slice
alt_of(const struct tp_op_graph *g, struct tp_arena *keep)
{
	const struct tp_op_graph_node *middle = &g->nodes[g->middle];
	size_t reads = middle->operands_left_out, read_by = middle->users_left_out;

	for (size_t e = 0; e < g->edge_count; e++) {
		reads += g->edges[e].to == g->middle;
		read_by += g->edges[e].from == g->middle;
	}
	return tp_arena_printf(keep, text_drawing_alt, TP_ARG(middle->name), reads,
		tp_plural(reads, "instruction", "instructions"), read_by, g->node_count);
}

static void
chart(const struct tp_op_page *page, struct tp_block *parent, struct tp_slice id,
	const struct tp_op_graph *g)
{
	if (g->node_count == 1) /* nothing to draw; the table says so */
		return;
	struct tp_arena *keep = page->ctx->keep;
	struct tp_diagram *diagram = tp_new(keep, struct tp_diagram);
	struct tp_slice drawing = tp_arena_printf(keep, "%.*s/drawing", TP_ARG(id));
	struct drawing d = {
		.page = page,
		.graph = g,
		.boxes = tp_new_array(keep, struct tp_box, TP_DIAGRAM_MOST_BOXES),
		.arrows = tp_new_array(keep, struct tp_arrow, TP_DIAGRAM_MOST_ARROWS),
		.box_count = g->node_count,
	};

	for (size_t n = 0; n < g->node_count; n++) {
		const struct tp_op_graph_node *node = &g->nodes[n];

		d.boxes[n] = (struct tp_box){
			.label = node->name.len != 0 ? node->name : node->what,
			.note = note_of(page, node),
			.more = more_of(page, node),
			.hue = node->total != NULL ? node->total->hue : TP_HUE_NONE,
			.strong = n == g->middle,
		};
	}
	for (size_t e = 0; e < g->edge_count; e++)
		add_arrow(&d, g->edges[e].from, g->edges[e].to, g->nodes[g->edges[e].from].bytes);
	add_rest(&d, g->nodes[g->middle].operands_left_out, false);
	add_rest(&d, g->nodes[g->middle].users_left_out, true);
	*diagram = (struct tp_diagram){d.boxes, d.box_count, d.arrows, d.arrow_count};
	tp_doc_add(page->doc, parent, TP_BLOCK_CHART, drawing)->chart = (struct tp_chart){
		.kind = TP_CHART_DIAGRAM,
		.alt = alt_of(g, keep),
		.unit = TP_UNIT_BYTES,
		.diagram = diagram,
	};
}

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

static void
add_row(
	const struct tp_op_page *page, const struct tp_op_graph *g, size_t n, struct tp_draft *draft)
{
	const struct tp_op_graph_node *node = &g->nodes[n];
	struct tp_arena *keep = page->ctx->keep;
	struct graph_cells *cells = tp_draft_row_of(draft, node->name, TP_ROW_NORMAL, 0, node);

	cells->distance.value = tp_integer(node->distance, TP_UNIT_COUNT);
	if (node->total != NULL && n != g->middle)
		cells->name.href = tp_op_card_href(page, node->total);
	cells->what.swatch = node->total != NULL ? node->total->hue : TP_HUE_NONE;
	cells->busy.value = busy_share(page, node);
	cells->reads.value = tp_text_value(names(g, n, false, node->operands_left_out, keep));
	cells->read_by.value = tp_text_value(names(g, n, true, node->users_left_out, keep));
}

/* "of computation `body`, which `while.3` calls" */
static struct tp_slice
place_of(const struct tp_op_graph *g, struct tp_arena *keep)
{
	if (g->caller.len == 0)
		return tp_arena_printf(keep, text_in_computation, TP_ARG(g->computation));
	return tp_arena_printf(keep, text_in_called, TP_ARG(g->computation), TP_ARG(g->caller));
}

void
tp_op_graph_present(const struct tp_op_page *page, struct tp_block *parent, struct tp_slice id,
	const struct tp_op_graph *g)
{
	struct tp_arena *keep = page->ctx->keep;

	chart(page, parent, id, g);
	struct tp_draft draft = TP_DRAFT_TABLE(
		page->doc, parent, tp_arena_printf(keep, "%.*s/near", TP_ARG(id)).ptr, graph_columns);

	for (size_t n = 0; n < g->node_count; n++)
		add_row(page, g, n, &draft);
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		tp_arena_printf(keep, caption_around, TP_ARG(g->nodes[g->middle].name),
			TP_ARG(place_of(g, keep)), g->node_count > 1 ? text_thicker : "");
}
