/* Finding the convolutions and dots behind the operations that were measured. What an event names is an instruction of the
 * program's HLO: a product itself, or a fusion that holds one. */
#include "analyze/core/pass.h"
#include "analyze/ops/padding_judge.h"

#include "analyze/ops/ops.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static void
group_by_program(struct tp_padding_judging *j)
{
	tp_map_init(&j->first_of_program, j->ctx->scratch);
	j->next = tp_new_array(j->ctx->scratch, uint32_t, j->ops->count);
	for (size_t i = j->ops->count; i-- > 0;) {
		const struct tp_op_total *t = &j->ops->ops[i];

		j->next[i] = TP_NONE;
		if (!t->has_program)
			continue;
		j->next[i] = tp_map_get(&j->first_of_program, t->program_id);
		tp_map_put(&j->first_of_program, t->program_id, (uint32_t)i);
	}
}

/* What a computation holds of products, with those of fusions within it. */
struct products {
	uint32_t worst; /* index of an instruction; TP_NONE: it holds none */
	uint32_t count;
	double fit;
};

static void
add_products(struct products *to, const struct products *more)
{
	uint32_t sum;

	if (more->worst == TP_NONE)
		return;
	if (to->worst == TP_NONE || more->fit < to->fit || (isnan(to->fit) && !isnan(more->fit))) {
		to->worst = more->worst;
		to->fit = more->fit;
	}
	to->count = __builtin_add_overflow(to->count, more->count, &sum) ? UINT32_MAX : sum;
}

/* Loops and calls are left out: what is in them has events of its own. */
static struct products
products_of(const struct tp_hlo_module *m, uint32_t at, const struct products *of_computation)
{
	const struct tp_hlo_instruction *i = &m->instructions[at];
	struct products p = {.worst = TP_NONE, .fit = NAN};

	if (tp_is_product(i))
		return (struct products){at, 1, tp_product_fit(m, i)};
	for (uint32_t k = 0; tp_slice_eq(i->opcode, TP_S("fusion")) && k < i->called.count; k++)
		add_products(&p, &of_computation[i->called.at[k]]);
	return p;
}

/* Callees stand before their callers, so one round is enough. */
static struct products *
products_of_computations(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	struct products *all = tp_new_array(arena, struct products, m->computation_count);

	for (uint32_t c = 0; c < m->computation_count; c++) {
		const struct tp_hlo_computation *in = &m->computations[c];

		all[c] = (struct products){.worst = TP_NONE, .fit = NAN};
		for (uint32_t k = in->first; k < in->first + in->count; k++) {
			struct products p = products_of(m, k, all);

			add_products(&all[c], &p);
		}
	}
	return all;
}

static void
judge_program(struct tp_padding_judging *j, const struct tp_program *program, uint32_t op)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_module *m;
	struct tp_err err;

	if (tp_hlo_read(program->hlo, arena, &m, &err) != TP_OK) {
		TP_PUSH(&j->damaged, struct tp_padding_damage, program->name,
			tp_arena_printf(j->ctx->keep, "%s", err.text));
		tp_arena_free(arena);
		return;
	}
	const struct products *of_computation = products_of_computations(m, arena);

	j->any_module = true;
	for (; op != TP_NONE; op = j->next[op]) {
		const struct tp_hlo_instruction *i = tp_hlo_find(m, j->ops->ops[op].op->label);

		if (i == NULL)
			continue;
		struct products p = products_of(m, (uint32_t)(i - m->instructions), of_computation);

		j->any_tile |= tp_shape_tiled(&i->shape);
		if (p.worst != TP_NONE)
			tp_padding_add_fit(j, m, i, m, &m->instructions[p.worst], op, p.count);
		else
			tp_padding_add_buffer(j, i, op);
	}
	tp_arena_free(arena);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_padding_judging j = {.ctx = ctx, .ops = tp_result(ctx, &tp_pass_ops)};
	struct tp_padding *p = tp_new(ctx->keep, struct tp_padding);
	struct tp_map seen;

	if (j.ops == NULL)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(tp_skipped(ctx, &tp_pass_ops)));
	group_by_program(&j);
	tp_map_init(&seen, ctx->scratch);
	for (uint32_t i = 0; i < ctx->profile->program_count; i++) {
		const struct tp_program *program = &ctx->profile->programs[i];
		uint32_t op = tp_map_get(&j.first_of_program, program->id);

		/* Each host has its own copy of the same program. */
		if (op == TP_NONE || tp_map_get(&seen, program->id) != TP_MAP_NONE)
			continue;
		tp_map_put(&seen, program->id, i);
		judge_program(&j, program, op);
	}
	tp_padding_settle(&j, p);
	*result = p;
	return TP_OK;
}

/* The share of busy time that goes to padding, of the time that a mean step is busy. */
double
tp_padding_saving_ps(const struct tp_pass_ctx *ctx, const struct tp_padding *p)
{
	return tp_steps_part_of_busy_ps(
		tp_result(ctx, &tp_pass_steps), p->lost_ps, (double)p->ops->busy_ps);
}

static const struct tp_pass *const after[] = {&tp_pass_ops, &tp_pass_steps, NULL};

static struct tp_slice
without_hlo(const struct tp_pass_ctx *ctx)
{
	const struct tp_padding *p = tp_result(ctx, &tp_pass_padding);

	return p != NULL && p->state == TP_PADDING_NO_HLO
		? TP_S("the profile holds no HLO of the programs that ran")
		: TP_S("");
}

static const struct tp_lack lacks[] = {
	{"padding", "How well products fill the tiles of the matrix unit", TP_LACK_ON_TPU,
		.why = without_hlo, .any = "It takes the HLO that memory plans take."},
	{0},
};

const struct tp_pass tp_pass_padding = {
	.name = "padding",
	.title = "Padding fit",
	.summary = "how well convolutions and dots fill the tiles of the layout, and what would fit",
	.needs_any = TP_HAS_DEVICE_OPS | TP_HAS_HOST_XLA_OPS,
	.after = after,
	.place = TP_PLACE_PADDING,
	.analyze = analyze,
	.metrics = tp_padding_metrics,
	.present = tp_padding_present,
	.lacks = lacks,
};
