/* Finding the convolutions and dots behind the operations that were measured, and what these lose to padding. What an event names is
 * an instruction of the program's HLO: a product itself, or a fusion that holds one. An op profile has of each operation the text of
 * its HLO and of the instructions that it was fused from, or, in older files, the dimensions of its main input. */
#include "analyze/ops/padding.h"
#include "analyze/core/pass.h"

#include "analyze/facts/op_times.h"
#include "analyze/ops/ops.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "base/saturate.h"
#include "base/texts.h"
#include "model/hlo_line.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

struct judging {
	const struct tp_pass_ctx *ctx;
	const struct tp_ops *ops;
	struct tp_slice device_type;    /* of operations of no device */
	struct tp_map first_of_program; /* program id → first operation */
	uint32_t *next;                 /* by operation: the next of the same program, or TP_NONE */
	struct tp_buf fits, buffers, damaged;
	bool any_module, any_tile;
};

static uint64_t
padding_bytes(const struct tp_shape *s)
{
	return tp_shape_padded_bytes(s) - tp_shape_bytes(s);
}

/* The array with the most padding in a shape, and Σ padding in HBM of all its arrays; tuples are as deep as readers allow. */
static void
find_padding(const struct tp_shape *s, const struct tp_shape **worst, uint64_t *padding)
{
	for (uint32_t i = 0; i < s->member_count; i++)
		find_padding(&s->members[i], worst, padding);
	if (s->kind != TP_SHAPE_ARRAY || s->layout == NULL || s->layout->memory_space != 0)
		return;
	*padding = tp_plus(*padding, padding_bytes(s));
	if (*worst == NULL || padding_bytes(s) > padding_bytes(*worst))
		*worst = s;
}

static uint64_t
padding_moved(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	const struct tp_shape *worst = NULL;
	uint64_t padding = 0;

	find_padding(&i->shape, &worst, &padding);
	for (uint32_t k = 0; k < i->operands.count; k++)
		find_padding(&m->instructions[i->operands.at[k]].shape, &worst, &padding);
	return padding;
}

/* That operation number `op`, instruction i of m, holds so many convolutions and dots, of which this one fits worst. */
static void
add_fit(struct judging *j, const struct tp_hlo_module *m, const struct tp_hlo_instruction *i,
	const struct tp_hlo_module *product_in, const struct tp_hlo_instruction *product, uint32_t op,
	uint32_t products)
{
	const struct tp_op_total *t = &j->ops->ops[op];
	struct tp_padding_fit *f = tp_buf_add(&j->fits, sizeof *f);
	struct tp_slice type =
		t->device != TP_NONE ? j->ctx->profile->devices[t->device].type : j->device_type;
	uint64_t bytes = padding_moved(m, i);

	*f = (struct tp_padding_fit){
		.op = op, .self_ps = t->self_ps, .products = products, .moved_known = true};
	tp_product_judge(product_in, product, j->ctx->keep, &f->product);
	f->matrix_share = tp_matrix_unit_share(&f->product, tp_matrix_unit_side(type));
	f->lost_ps = isfinite(f->product.fit) ? (double)t->self_ps * (1 - f->product.fit) : 0;
	if (__builtin_mul_overflow(bytes, t->occurrences, &f->lost_bytes))
		f->lost_bytes = UINT64_MAX;
}

/* Pieces of others, or nothing but a name for them. */
static bool
holds_no_buffer(const struct tp_hlo_instruction *i)
{
	return tp_slice_ends(i->opcode, TP_S("-start")) ||
		tp_texts_any(i->opcode, tp_slice_eq, TP_TEXTS("tuple", "bitcast", "get-tuple-element"));
}

/* Padding of less is not worth a row. */
#define LARGE_BYTES 1048576

/* That it is none of those; its result counts when it is padded by much. */
static void
add_buffer(struct judging *j, const struct tp_hlo_instruction *i, uint32_t op)
{
	const struct tp_shape *worst = NULL;
	uint64_t padding = 0;

	if (holds_no_buffer(i) || tp_op_is_container(j->ops->ops[op].category))
		return;
	find_padding(&i->shape, &worst, &padding);
	if (worst == NULL || padding_bytes(worst) < LARGE_BYTES)
		return;
	TP_PUSH(&j->buffers, struct tp_padded_buffer, .op = op,
		.shape = tp_shape_text(worst, j->ctx->keep), .bytes = tp_shape_bytes(worst),
		.padded_bytes = tp_shape_padded_bytes(worst));
}

/* Of equals the longer first, then by program and name. */
TP_ORDER(by_loss, struct tp_padding_fit, TP_DOWN(lost_ps), TP_DOWN(self_ps), TP_UP(op));

TP_ORDER(by_padding, struct tp_padded_buffer,
	(a->padded_bytes - a->bytes < b->padded_bytes - b->bytes) -
		(a->padded_bytes - a->bytes > b->padded_bytes - b->bytes),
	TP_UP(op));

static bool
on_tpu(const struct judging *j)
{
	const struct tp_profile *p = j->ctx->profile;

	for (size_t i = 0; i < j->ops->count; i++) {
		uint32_t device = j->ops->ops[i].device;

		if (device != TP_NONE && p->devices[device].kind == TP_DEVICE_TPU)
			return true;
	}
	return false;
}

/* Sorts and sums up what was added. */
static void
settle(struct judging *j, struct tp_padding *p)
{
	uint32_t *fit_of_op = tp_new_array(j->ctx->keep, uint32_t, j->ops->count);

	p->ops = j->ops;
	p->count = j->fits.count;
	p->fits = tp_buf_settle(&j->fits, sizeof *p->fits, j->ctx->keep);
	p->buffer_count = j->buffers.count;
	p->buffers = tp_buf_settle(&j->buffers, sizeof *p->buffers, j->ctx->keep);
	p->damaged_count = j->damaged.count;
	p->damaged = tp_buf_settle(&j->damaged, sizeof *p->damaged, j->ctx->keep);
	qsort(p->fits, p->count, sizeof *p->fits, by_loss);
	qsort(p->buffers, p->buffer_count, sizeof *p->buffers, by_padding);
	memset(fit_of_op, 0xff, j->ops->count * sizeof *fit_of_op);
	for (size_t i = 0; i < p->count; i++) {
		fit_of_op[p->fits[i].op] = (uint32_t)i;
		p->lost_ps += p->fits[i].lost_ps;
		p->unknown += !isfinite(p->fits[i].product.fit);
	}
	p->fit_of_op = fit_of_op;
	/* HLO of a GPU or CPU has layouts, but no tiles. */
	p->state = !j->any_tile && (j->any_module || !on_tpu(j)) ? TP_PADDING_UNTILED
		: !j->any_module                                     ? TP_PADDING_NO_HLO
		: p->count == 0                                      ? TP_PADDING_NO_PRODUCT
															 : TP_PADDING_JUDGED;
}

const struct tp_padding_fit *
tp_padding_of(const struct tp_padding *p, size_t op)
{
	return p->fit_of_op[op] == TP_NONE ? NULL : &p->fits[p->fit_of_op[op]];
}

static void
group_by_program(struct judging *j)
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
judge_program(struct judging *j, const struct tp_program *program, uint32_t op)
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
			add_fit(j, m, i, m, &m->instructions[p.worst], op, p.count);
		else
			add_buffer(j, i, op);
	}
	tp_arena_free(arena);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct judging j = {.ctx = ctx, .ops = tp_result(ctx, &tp_pass_ops)};
	struct tp_padding *p = tp_new(ctx->keep, struct tp_padding);
	struct tp_map seen;
	uint32_t number;

	if (j.ops == NULL)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(tp_skipped(ctx, &tp_pass_ops)));
	group_by_program(&j);
	tp_map_init(&seen, ctx->scratch);
	for (uint32_t i = 0; i < ctx->profile->program_count; i++) {
		const struct tp_program *program = &ctx->profile->programs[i];
		uint32_t op = tp_map_get(&j.first_of_program, program->id);

		/* Each host has its own copy of the same program. */
		if (op != TP_NONE && tp_map_number(&seen, program->id, &number))
			judge_program(&j, program, op);
	}
	settle(&j, p);
	*result = p;
	return TP_OK;
}

static enum tp_dim_meaning
meaning_of(struct tp_slice text)
{
	for (enum tp_dim_meaning m = TP_DIM_BATCH; m < TP_DIM_NONE; m++) {
		if (tp_slice_eq(text, tp_slice_of(tp_dim_meaning_names[m])))
			return m;
	}
	return TP_DIM_SPATIAL;
}

/* The dimensions come minor to major; the first two that are padded at all lie along lanes and sublanes. */
static void
add_layout(struct judging *j, const struct tp_precomputed_op *precomputed, uint32_t op)
{
	struct tp_fit_dim *dims = tp_new_array(j->ctx->keep, struct tp_fit_dim, precomputed->dim_count);
	const struct tp_op_total *t = &j->ops->ops[op];
	unsigned padded = 0;
	double fit = 1;

	for (size_t i = 0; i < precomputed->dim_count; i++) {
		const struct tp_precomputed_dim *d = &precomputed->dims[i];
		uint64_t multiple = d->alignment != 0 ? d->alignment : 1;

		dims[i] = (struct tp_fit_dim){
			.meaning = meaning_of(d->meaning),
			.axis = d->alignment == 0 ? TP_AXIS_NONE
				: padded == 0         ? TP_AXIS_LANE
				: padded == 1         ? TP_AXIS_SUBLANE
									  : TP_AXIS_OTHER,
			.size = d->size,
			.padded = (d->size + multiple - 1) / multiple * multiple,
			.multiple = multiple,
		};
		padded += d->alignment != 0;
		fit *= dims[i].padded != 0 ? (double)d->size / (double)dims[i].padded : NAN;
	}
	struct tp_padding_fit *f = tp_buf_add(&j->fits, sizeof *f);

	*f = (struct tp_padding_fit){
		.op = op, .self_ps = t->self_ps, .products = 1, .matrix_share = NAN};
	f->product.name = t->op->label;
	f->product.convolution = true;
	f->product.worst = TP_FIT_LHS;
	for (enum tp_fit_role role = 0; role < TP_FIT_ROLES; role++)
		f->product.shapes[role].fit = NAN;
	f->product.shapes[TP_FIT_LHS] =
		(struct tp_fit_shape){.dims = dims, .count = (uint32_t)precomputed->dim_count, .fit = fit};
	f->product.fit = fit;
	f->lost_ps = isfinite(fit) ? (double)t->self_ps * (1 - fit) : 0;
	j->any_tile |= padded != 0;
}

/* The worst of the convolutions and dots among the operation and what it was fused from. */
struct worst {
	const struct tp_hlo_module *line;
	uint32_t count;
	double fit;
};

static void
look(struct worst *w, const struct tp_hlo_module *line)
{
	if (line == NULL || !tp_is_product(tp_hlo_line_instruction(line)))
		return;
	double fit = tp_product_fit(line, tp_hlo_line_instruction(line));

	if (w->line == NULL || fit < w->fit || (isnan(w->fit) && !isnan(fit))) {
		w->line = line;
		w->fit = fit;
	}
	w->count++;
}

static void
add_line(struct judging *j, const struct tp_precomputed_op *precomputed, uint32_t op,
	struct tp_arena *arena)
{
	const struct tp_hlo_module *own =
		tp_hlo_line_read(precomputed->expression, precomputed->framework, arena);
	struct worst worst = {.fit = NAN};

	if (own == NULL)
		return;
	const struct tp_hlo_instruction *i = tp_hlo_line_instruction(own);

	look(&worst, own);
	for (size_t k = 0; k < precomputed->part_count; k++)
		look(&worst,
			tp_hlo_line_read(
				precomputed->parts[k].expression, precomputed->parts[k].framework, arena));
	j->any_module |= i->shape.kind != TP_SHAPE_ARRAY || i->shape.layout != NULL;
	j->any_tile |= tp_shape_tiled(&i->shape);
	if (worst.line == NULL) {
		add_buffer(j, i, op);
		return;
	}
	add_fit(j, own, i, worst.line, tp_hlo_line_instruction(worst.line), op, worst.count);
}

void
tp_padding_precomputed(const struct tp_pass_ctx *ctx, const struct tp_ops *o,
	const struct tp_precomputed_op *const *precomputed, struct tp_padding *out)
{
	struct judging j = {
		.ctx = ctx, .ops = o, .device_type = ctx->profile->precomputed->device_type};

	for (uint32_t i = 0; i < o->count; i++) {
		struct tp_arena *arena = tp_arena_new();

		if (precomputed[i]->dim_count != 0)
			add_layout(&j, precomputed[i], i);
		else
			add_line(&j, precomputed[i], i, arena);
		tp_arena_free(arena);
	}
	settle(&j, out);
	out->state = !j.any_tile ? (j.any_module ? TP_PADDING_UNTILED : TP_PADDING_NO_HLO)
		: out->count == 0    ? TP_PADDING_NO_PRODUCT
							 : TP_PADDING_JUDGED;
}

static struct tp_slice
without_hlo(const struct tp_pass_ctx *ctx)
{
	const struct tp_padding *p = tp_result(ctx, &tp_pass_padding);

	return p != NULL && p->state == TP_PADDING_NO_HLO
		? TP_S("the profile holds no HLO of the programs that ran")
		: TP_S("");
}

const struct tp_pass tp_pass_padding = {
	.name = "padding",
	.title = "Padding fit",
	.summary = "how well convolutions and dots fill the layout's tiles, and what would fit better",
	.needs_any = TP_HAS_DEVICE_OPS | TP_HAS_HOST_XLA_OPS,
	.after = TP_AFTER(&tp_pass_ops),
	.place = TP_PLACE_PADDING,
	.analyze = analyze,
	.metrics = tp_padding_metrics,
	.present = tp_padding_present,
	.lacks = TP_LACKS({"padding", "How well matmuls and convolutions fill the matrix unit",
		TP_LACK_ON_TPU, .why = without_hlo, .any = "It needs the same HLO as memory plans."}),
};
