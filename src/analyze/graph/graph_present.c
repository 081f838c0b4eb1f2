/* What the report says about the graph, and how it is drawn. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "analyze/graph/graph_words.h"
#include "base/arena.h"
#include "model/graph.h"
#include "report/doc.h"

static struct tp_slice
words(const struct tp_pass_ctx *ctx, uint64_t count, const char *one, const char *many)
{
	return tp_say_number(ctx, (size_t)count, one, many).text;
}

/* "12 nodes"; of a model of Keras "12 layers". */
static struct tp_slice
node_words(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, uint32_t count)
{
	return v->of_layers ? words(ctx, count, "layer", "layers") : words(ctx, count, "node", "nodes");
}

static struct tp_slice
label_of(
	const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, const struct tp_graph_part *p)
{
	if (p->rest)
		return words(ctx, v->folded, "other scope or node", "other scopes and nodes");
	return p->name.len != 0 ? p->name : TP_S(text_no_name);
}

static struct tp_box
box_of(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, const struct tp_graph_part *p)
{
	const struct tp_graph_sums *s = &p->sums;
	struct tp_slice more = TP_S("");

	if (s->variables != 0)
		more = tp_arena_printf(ctx->keep, "%.*s%s%.*s",
			TP_ARG(words(ctx, s->variables, "variable", "variables")),
			tp_graph_no_elements(v, s).len == 0 ? " of " : "",
			TP_ARG(tp_graph_no_elements(v, s).len == 0
					? words(ctx, s->elements, "element", "elements")
					: TP_S("")));
	if (v->run != NULL && s->us != 0)
		more = tp_arena_printf(ctx->keep, "%.*s%s%.*s per step", TP_ARG(more), more.len ? "; " : "",
			TP_ARG(tp_say_value(ctx, tp_integer((int64_t)s->us, TP_UNIT_US))));
	return (struct tp_box){
		.label = label_of(ctx, v, p),
		.note = node_words(ctx, v, s->nodes),
		.more = more,
		.hue = s->variables != 0 ? TP_HUE_COMPUTE : TP_HUE_NONE,
	};
}

/* "12 tensors of 4,096 elements", "3 control inputs" */
static struct tp_slice
flow_text(const struct tp_pass_ctx *ctx, const struct tp_graph_flow *f)
{
	struct tp_slice text = TP_S("");

	if (f->tensors != 0)
		text = words(ctx, f->tensors, "tensor", "tensors");
	if (f->tensors != 0 && f->sized == f->tensors)
		text = tp_arena_printf(ctx->keep, "%.*s of %.*s", TP_ARG(text),
			TP_ARG(words(ctx, f->elements, "element", "elements")));
	else if (f->sized != 0)
		text = tp_arena_printf(ctx->keep, "%.*s, %u of them of %.*s", TP_ARG(text), f->sized,
			TP_ARG(words(ctx, f->elements, "element", "elements")));
	if (f->control != 0)
		text = tp_arena_printf(ctx->keep, "%.*s%s%.*s", TP_ARG(text), text.len ? ", " : "",
			TP_ARG(words(ctx, f->control, "control input", "control inputs")));
	return text;
}

/* "gradients, 120 nodes" */
static struct tp_slice
largest(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v)
{
	const struct tp_graph_part *best = v->parts;

	for (uint32_t i = 1; i < v->part_count; i++) {
		if (v->parts[i].sums.nodes > best->sums.nodes)
			best = &v->parts[i];
	}
	return tp_arena_printf(ctx->keep, "%.*s, %.*s", TP_ARG(label_of(ctx, v, best)),
		TP_ARG(node_words(ctx, v, best->sums.nodes)));
}

/* The topmost scopes as boxes, and what flows between them as arrows. */
static void
chart(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_box *boxes = tp_new_array(ctx->keep, struct tp_box, v->part_count);
	struct tp_arrow *arrows = tp_new_array(ctx->keep, struct tp_arrow, v->flow_count);
	struct tp_diagram *diagram = tp_new(ctx->keep, struct tp_diagram);

	for (uint32_t i = 0; i < v->part_count; i++)
		boxes[i] = box_of(ctx, v, &v->parts[i]);
	for (uint32_t i = 0; i < v->flow_count; i++) {
		const struct tp_graph_flow *f = &v->flows[i];

		arrows[i] = (struct tp_arrow){
			.from = f->from,
			.to = f->to,
			/* What only runs before is as thin as can be. */
			.weight = f->tensors != 0 ? f->tensors : .01,
			.label = flow_text(ctx, f),
			.control = f->tensors == 0,
		};
	}
	*diagram = (struct tp_diagram){boxes, v->part_count, arrows, v->flow_count};
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("graph/drawing"))->chart = (struct tp_chart){
		.kind = TP_CHART_DIAGRAM,
		.alt = tp_arena_printf(ctx->keep, text_drawing_alt,
			TP_ARG(words(ctx, v->part_count, "box", "boxes")),
			TP_ARG(words(ctx, v->flow_count, "flow", "flows")), TP_ARG(largest(ctx, v))),
		.unit = TP_UNIT_COUNT,
		.diagram = diagram,
	};
}

static void
answer_of_layers(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_section *section)
{
	section->key_figure = tp_say_number(ctx, v->all.nodes, "layer", "layers");
	section->answer = TP_SAY(
		doc, text_layers, section->key_figure, tp_say_number(ctx, v->op_count, "kind", "kinds"));
	section->so_what = TP_SAY0(doc, text_layers_only);
}

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_section *section)
{
	struct tp_value variables = tp_say_number(ctx, v->all.variables, "variable", "variables");

	section->key_figure = tp_say_number(ctx, v->all.nodes, "node", "nodes");
	section->answer = v->graph->function_count == 0
		? TP_SAY(
			  doc, text_size, section->key_figure, tp_say_number(ctx, v->op_count, "kind", "kinds"))
		: TP_SAY(doc, text_size_with_functions, section->key_figure,
			  tp_say_number(ctx, v->all.library_nodes, "more", "more"),
			  tp_say_number(ctx, v->graph->function_count, "function", "functions"));
	if (v->all.variables == 0)
		section->so_what = TP_SAY0(
			doc, v->graph->function_count == 0 ? text_no_variables : text_variables_in_functions);
	else if (tp_graph_no_elements(v, &v->all).len != 0)
		section->so_what = TP_SAY(doc, text_unknown_size, variables);
	else
		section->so_what =
			TP_SAY(doc, v->trained != NULL ? text_trained_elements : text_elements, variables);
}

static void
drawing(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	if (v->part_count < 2)
		return;
	chart(ctx, v, doc, section);
	tp_doc_paragraph(
		doc, section, TP_PARAGRAPH_SMALL, "graph/drawing-note", TP_SAY0(doc, text_drawing));
	if (v->flows_left_out != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/drawing-left-out",
			TP_SAY(doc, text_not_drawn,
				tp_say_number(ctx, v->flows_left_out, "grey arrow is", "grey arrows are")));
}

static void
remarks(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_graph *g = v->graph, *run = v->run_from;

	if (v->other_count != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "graph/others",
			TP_SAY(doc, ctx->options->graph != 0 ? text_graph_asked : text_graph_largest,
				tp_say_number(ctx, v->other_count, "other graph", "other graphs"),
				tp_text_value(g->name)));
	if (tp_graph_of_step(g))
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/of-step",
			TP_SAY0(doc, g->from == TP_GRAPH_FROM_PARTS ? text_from_parts : text_from_statistics));
	if (v->unreached != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/uncalled",
			TP_SAY(doc, v->unreached == 1 ? text_uncalled_one : text_uncalled,
				tp_say_number(
					ctx, v->unreached, "function is never called", "functions are never called")));
	if (run != NULL && run->not_in_graph != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/only-run",
			TP_SAY(doc, text_only_run,
				tp_say_number(ctx, run->not_in_graph, "more node", "more nodes"),
				tp_integer((int64_t)run->not_in_graph_us, TP_UNIT_US)));
	if (g->missing != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/missing",
			TP_SAY(doc, text_missing_inputs,
				tp_say_number(ctx, g->missing, "input names", "inputs name")));
	if (g->duplicates != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/duplicates",
			TP_SAY(
				doc, text_duplicates, tp_say_number(ctx, g->duplicates, "node has", "nodes have")));
}

void
tp_graph_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_graph_view *v = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "graph", "Graph");

	if (v->of_layers)
		answer_of_layers(ctx, v, doc, &section->section);
	else
		answer(ctx, v, doc, &section->section);
	drawing(ctx, v, doc, section);
	tp_graph_tree(ctx, v, doc, section);
	tp_graph_tables(ctx, v, doc, section);
	remarks(ctx, v, doc, section);
	tp_say_how(ctx, doc, section, "graph/how", how_graph);
}
