/* Operations by what they take: a row for each type and the shapes of its inputs. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_columns.h"
#include "analyze/tfprof/tfprof_rates.h"
#include "analyze/tfprof/tfprof_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/tfprof_fields.h"
#include "model/tfprof_outputs.h"
#include "report/draft.h"

#include <stdlib.h>

enum { MOST_ROWS = 300, ROWS_OPEN = 10, MOST_DIMS = 16, MOST_INPUTS = 16 };

struct tp_slice
tp_tfprof_dims_text(const struct tp_buf *dims, struct tp_arena *arena)
{
	struct tp_slice text = TP_S("");

	for (size_t i = 0; i < dims->count && i < MOST_DIMS; i++)
		text = tp_arena_printf(arena, "%.*s%s%lld", TP_ARG(text), i != 0 ? " × " : "",
			(long long)((int64_t *)dims->data)[i]);
	return dims->count <= MOST_DIMS ? text : tp_arena_printf(arena, "%.*s × …", TP_ARG(text));
}

/* "16 × 24 × 24 × 3, 3 × 3 × 3 × 16"; empty: it takes nothing. */
static struct tp_slice
shapes_of(
	struct tp_tfprof_outputs *outputs, const struct tp_tfprof_node *node, struct tp_arena *arena)
{
	struct tp_buf inputs = {0}, dims = {0};
	struct tp_slice text = TP_S("");

	tp_tfprof_inputs(outputs->tfprof, node, &inputs);
	const struct tp_tfprof_input *input = inputs.data;

	for (size_t i = 0; i < inputs.count && i < MOST_INPUTS; i++) {
		tp_tfprof_input_shape(outputs, &input[i], &dims);
		struct tp_slice one = tp_tfprof_dims_text(&dims, arena);

		text = tp_arena_printf(arena, "%.*s%s%.*s", TP_ARG(text), i != 0 ? ", " : "",
			TP_ARG(one.len != 0 ? one : TP_S("unknown")));
	}
	if (inputs.count > MOST_INPUTS)
		text =
			tp_arena_printf(arena, "%.*s and %zu more", TP_ARG(text), inputs.count - MOST_INPUTS);
	tp_buf_free(&inputs);
	tp_buf_free(&dims);
	return text;
}

struct grouping {
	const struct tp_pass_ctx *ctx;
	const struct tp_tfprof *t;
	int64_t steps;         /* as of tp_tfprof_figures */
	struct tp_map numbers; /* of type and shapes → index in groups */
	struct tp_buf groups;
	struct tp_tfprof_outputs outputs;
};

static void
add_node(struct grouping *g, struct tp_slice type, uint32_t index)
{
	const struct tp_tfprof_node *node = &g->t->nodes[index];
	struct tp_tfprof_figures f;
	uint32_t number;

	tp_tfprof_figures(node, g->steps, &f);
	if (f.of[TP_TFPROF_US] <= 0)
		return;
	struct tp_slice shapes = shapes_of(&g->outputs, node, g->ctx->scratch);

	if (tp_map_number(&g->numbers, tp_hash_pair(tp_hash_here(type), tp_hash_here(shapes)), &number))
		*tp_buf_new(&g->groups, struct group) = (struct group){
			.type = type, .shapes = tp_arena_copy(g->ctx->keep, shapes), .node = index};
	struct group *group = &((struct group *)g->groups.data)[number];

	group->defined++;
	tp_tfprof_add(&group->sum, &f);
	if (f.of[TP_TFPROF_FLOAT_OPS] <= 0 || tp_tfprof_rated_us(g->t, &f) <= 0)
		return;
	group->rated_us = tp_tfprof_plus(group->rated_us, tp_tfprof_rated_us(g->t, &f));
	group->rated_ops = tp_tfprof_plus(group->rated_ops, f.of[TP_TFPROF_FLOAT_OPS]);
}

TP_ORDER(by_time, struct group,
	(a->sum.of[TP_TFPROF_US] < b->sum.of[TP_TFPROF_US]) -
		(a->sum.of[TP_TFPROF_US] > b->sum.of[TP_TFPROF_US]),
	tp_slice_cmp(a->type, b->type), tp_slice_cmp(a->shapes, b->shapes));

struct tp_value
tp_tfprof_rate_value(const struct tp_tfprof_section *s, int64_t float_ops, int64_t us)
{
	return us > 0 && float_ops > 0
		? tp_number((double)float_ops / ((double)us / 1e6), TP_UNIT_FLOP_PER_S)
		: tp_missing(s->tfprof->misses_stream ? TP_S(TP_TFPROF_NO_STREAM)
											  : TP_S(why_nothing_timed_and_counted));
}

struct tp_value
tp_tfprof_count_value(const struct tp_tfprof_section *s, int64_t float_ops)
{
	return float_ops == 0 && s->tfprof->lacks_counts ? tp_missing(TP_S(TP_TFPROF_NO_COUNTS))
													 : tp_integer(float_ops, TP_UNIT_FLOP);
}

static void
put(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_buf *groups,
	struct tp_doc *doc, struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "tfprof/shapes", shape_columns);
	double all_us = (double)s->ops.rows[0].total.of[TP_TFPROF_US];
	struct group *g = groups->data;

	qsort(g, groups->count, sizeof *g, by_time);
	for (size_t i = 0; i < groups->count && i < MOST_ROWS; i++) {
		struct tp_slice name =
			tp_arena_printf(ctx->keep, "%.*s of %.*s", TP_ARG(g[i].type), TP_ARG(g[i].shapes));
		struct shape_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, 0, &g[i]);

		if (g[i].defined == 1)
			cells->operation.full = tp_utf8_clean(ctx->keep, s->tfprof->nodes[g[i].node].name);
		if (g[i].shapes.len == 0)
			cells->shapes.value = tp_missing(TP_S(why_no_inputs));
		cells->share.value =
			tp_share((double)g[i].sum.of[TP_TFPROF_US], all_us, TP_S(why_no_operation_time));
		cells->float_ops.value = tp_tfprof_count_value(s, g[i].sum.of[TP_TFPROF_FLOAT_OPS]);
		cells->rate.value = tp_tfprof_rate_value(s, g[i].rated_ops, g[i].rated_us);
	}
	tp_draft_finish(&draft, ROWS_OPEN)->caption = TP_S(caption_shapes);
	tp_say_left_out(
		ctx, doc, section, "tfprof/more-shapes", groups->count, MOST_ROWS, "more row", "more rows");
}

void
tp_tfprof_shapes(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section)
{
	struct grouping g = {.ctx = ctx, .t = s->tfprof, .steps = s->dumps[s->chosen].steps};

	/* Without shapes the table of operations says the same. */
	if (s->tfprof->lacks_graph)
		return;
	tp_tfprof_outputs_open(s->tfprof, &g.outputs);
	tp_map_init(&g.numbers, ctx->scratch);
	for (uint32_t i = 1; i < s->ops.count; i++) {
		const struct tp_tfprof_row *row = &s->ops.rows[i];

		for (uint32_t k = 0; k < row->member_count; k++)
			add_node(&g, row->name, s->ops.members[row->first_member + k]);
	}
	if (g.groups.count != 0)
		put(ctx, s, &g.groups, doc, section);
	tp_buf_free(&g.groups);
	tp_tfprof_outputs_close(&g.outputs);
}
