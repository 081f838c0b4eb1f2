/* All arrays of a batch have its size as their first dimension. Where they do not agree, nothing is inferred. */
#include "analyze/facts/batch.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/hlo.h"
#include "model/profile.h"
#include "model/shape.h"

struct votes {
	uint64_t size; /* the first dimension of all so far */
	uint32_t count;
	bool differ;
};

static void
vote(struct votes *v, const struct tp_shape *s)
{
	if (s->kind != TP_SHAPE_ARRAY || s->rank == 0)
		return;
	v->differ |= v->count != 0 && v->size != s->sizes[0];
	v->size = s->sizes[0];
	v->count++;
}

static bool
agreed(const struct votes *v)
{
	return v->count != 0 && !v->differ && v->size > 1;
}

static void
vote_members(struct votes *v, const struct tp_shape *s)
{
	for (uint32_t i = 0; i < s->member_count; i++) {
		if (s->members[i].kind == TP_SHAPE_TUPLE)
			vote_members(v, &s->members[i]);
		else
			vote(v, &s->members[i]);
	}
	if (s->kind == TP_SHAPE_ARRAY)
		vote(v, s);
}

/* The result of an infeed operation: "((bf16[16,224,224,3]{…}, s32[16]{…}), token[])". Programs with infeeds of different
 * batches, as of training and evaluation, do not agree. */
static struct votes
of_infeed(const struct tp_pass_ctx *ctx, const struct tp_op_times *times)
{
	const struct tp_profile *p = ctx->profile;
	struct votes v = {0};

	for (uint32_t i = 0; i < p->op_count; i++) {
		const struct tp_op *op = &p->ops[i];
		struct tp_shape shape;
		struct tp_err err;

		if (times->ops[i].occurrences != 0 && tp_slice_eq(op->category, TP_S("infeed")) &&
			tp_shape_parse(op->shape, ctx->scratch, &shape, NULL, &err) == TP_OK)
			vote_members(&v, &shape);
	}
	return v;
}

/* The program with the most self time whose HLO the profile carries. */
static const struct tp_program *
longest_program(const struct tp_pass_ctx *ctx, const struct tp_op_times *times)
{
	const struct tp_profile *p = ctx->profile;
	int64_t *self_ps = tp_new_array(ctx->scratch, int64_t, p->program_count);
	const struct tp_program *longest = NULL;
	struct tp_map index;
	int64_t most = 0;

	tp_map_init(&index, ctx->scratch);
	for (uint32_t i = p->program_count; i-- > 0;)
		tp_map_put(&index, p->programs[i].id, i);
	for (uint32_t i = 0; i < p->op_count; i++) {
		uint32_t at = p->ops[i].has_program && times->ops[i].occurrences != 0
			? tp_map_get(&index, p->ops[i].program_id)
			: TP_MAP_NONE;

		if (at == TP_MAP_NONE)
			continue;
		self_ps[at] = tp_add_ps(self_ps[at], times->ops[i].self_ps);
		if (self_ps[at] > most) {
			most = self_ps[at];
			longest = &p->programs[at];
		}
	}
	return longest;
}

static bool
signed_integer(const struct tp_shape *s)
{
	struct tp_slice type = tp_element_name(s->type);

	return s->kind == TP_SHAPE_ARRAY && s->rank != 0 && type.len > 1 && type.ptr[0] == 's' &&
		type.ptr[1] >= '0' && type.ptr[1] <= '9';
}

/* Labels and tokens are signed integers; weights are not, and the keys of random numbers are unsigned. */
static struct votes
of_parameters(const struct tp_pass_ctx *ctx, const struct tp_program *program)
{
	const struct tp_hlo_module *m;
	struct votes v = {0};
	struct tp_err err;

	if (tp_hlo_read(program->hlo, ctx->scratch, &m, &err) != TP_OK)
		return v;
	const struct tp_hlo_computation *entry = &m->computations[m->entry];

	for (uint32_t i = entry->first; i < entry->first + entry->count; i++) {
		const struct tp_hlo_instruction *one = &m->instructions[i];

		if (tp_slice_eq(one->opcode, TP_S("parameter")) && signed_integer(&one->shape))
			vote(&v, &one->shape);
	}
	return v;
}

struct tp_batch
tp_infer_batch(const struct tp_pass_ctx *ctx)
{
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);

	if (times == NULL)
		return (struct tp_batch){0, TP_S("the profile does not state it and holds no operations")};
	struct votes v = of_infeed(ctx, times);

	if (agreed(&v))
		return (struct tp_batch){v.size, TP_S("the first dimension of the infeed")};
	const struct tp_program *program = v.count == 0 ? longest_program(ctx, times) : NULL;

	if (v.count != 0)
		return (struct tp_batch){
			0, TP_S("the profile does not state it, and infeeds differ in their first dimension")};
	if (program == NULL)
		return (struct tp_batch){
			0, TP_S("the profile does not state it and has no infeed or program to infer it from")};
	v = of_parameters(ctx, program);
	if (agreed(&v))
		return (struct tp_batch){v.size,
			tp_arena_printf(ctx->keep, "the first dimension of the integer parameters of %.*s",
				TP_ARG(program->name))};
	return (struct tp_batch){0,
		TP_S("the profile does not state it, and neither the infeed nor an integer parameter of "
			 "the program shows it")};
}
