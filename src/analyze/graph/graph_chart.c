/* The topmost scopes as boxes, and what flows between them as arrows. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/graph.h"
#include "model/profile.h"
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
	return tp_graph_of_layers(v) ? words(ctx, count, "layer", "layers")
								 : words(ctx, count, "node", "nodes");
}

static struct tp_slice
label_of(
	const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, const struct tp_graph_part *p)
{
	if (p->rest)
		return tp_arena_printf(ctx->keep, "%.*s",
			TP_ARG(words(ctx, v->folded, "other scope or node", "other scopes and nodes")));
	return p->name.len != 0 ? p->name : TP_S("(no name)");
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
	if (v->run != NULL && s->us != 0) {
		char buf[TP_VALUE_BUF];

		more = tp_arena_printf(ctx->keep, "%.*s%s%.*s a step", TP_ARG(more), more.len ? "; " : "",
			TP_ARG(tp_value_text(tp_integer((int64_t)s->us, TP_UNIT_US), buf)));
	}
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

void
tp_graph_chart(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_box *boxes = tp_new_array(ctx->keep, struct tp_box, v->part_count);
	struct tp_arrow *arrows = tp_new_array(ctx->keep, struct tp_arrow, v->flow_count);
	struct tp_diagram *diagram = tp_new(ctx->keep, struct tp_diagram);

	if (v->part_count < 2)
		return;
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
		.alt = tp_arena_printf(ctx->keep,
			"The graph drawn as %.*s and %.*s between them; the largest is %.*s",
			TP_ARG(words(ctx, v->part_count, "box", "boxes")),
			TP_ARG(words(ctx, v->flow_count, "flow", "flows")), TP_ARG(largest(ctx, v))),
		.unit = TP_UNIT_COUNT,
		.diagram = diagram,
	};
}
