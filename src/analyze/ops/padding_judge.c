/* What operations lose to padding, one by one and in order; and the same by what a profiler kept of each: the text of its HLO and
 * of the instructions that it was fused from, or, in older files, the dimensions of its main input. */
#include "analyze/ops/padding_judge.h"

#include "analyze/facts/op_times.h"
#include "analyze/ops/ops.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/hlo_line.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

/* The array with the most padding in a shape, and Σ padding in HBM of all its arrays; tuples are as deep as readers allow. */
static void
find_padding(const struct tp_shape *s, const struct tp_shape **worst, uint64_t *padding)
{
	for (uint32_t i = 0; i < s->member_count; i++)
		find_padding(&s->members[i], worst, padding);
	if (s->kind != TP_SHAPE_ARRAY || s->layout == NULL || s->layout->memory_space != 0)
		return;
	uint64_t more = tp_shape_padded_bytes(s) - tp_shape_bytes(s);
	uint64_t most = *worst ? tp_shape_padded_bytes(*worst) - tp_shape_bytes(*worst) : 0;

	*padding = tp_add_cost(*padding, more);
	if (*worst == NULL || more > most)
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

void
tp_padding_add_fit(struct tp_padding_judging *j, const struct tp_hlo_module *m,
	const struct tp_hlo_instruction *i, const struct tp_hlo_module *product_in,
	const struct tp_hlo_instruction *product, uint32_t op, uint32_t products)
{
	const struct tp_op_total *t = &j->ops->ops[op];
	struct tp_padding_fit *f = tp_buf_add(&j->fits, sizeof *f);
	struct tp_slice type =
		t->device != TP_NONE ? j->ctx->profile->devices[t->device].type : j->device_type;
	uint64_t bytes = padding_moved(m, i);

	*f = (struct tp_padding_fit){.op = op, .products = products, .moved_known = true};
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

void
tp_padding_add_buffer(struct tp_padding_judging *j, const struct tp_hlo_instruction *i, uint32_t op)
{
	const struct tp_shape *worst = NULL;
	uint64_t padding = 0;

	if (holds_no_buffer(i) || tp_op_is_container(j->ops->ops[op].category))
		return;
	find_padding(&i->shape, &worst, &padding);
	if (worst == NULL ||
		tp_shape_padded_bytes(worst) - tp_shape_bytes(worst) < TP_PADDING_LARGE_BYTES)
		return;
	TP_PUSH(&j->buffers, struct tp_padded_buffer, .op = op,
		.shape = tp_shape_text(worst, j->ctx->keep), .bytes = tp_shape_bytes(worst),
		.padded_bytes = tp_shape_padded_bytes(worst));
}

/* By time lost; of equals the longer first, then by program and name. */
static int
by_loss(const void *left, const void *right, void *ops)
{
	const struct tp_padding_fit *a = left, *b = right;
	const struct tp_op_total *s = &((const struct tp_ops *)ops)->ops[a->op];
	const struct tp_op_total *t = &((const struct tp_ops *)ops)->ops[b->op];

	if (a->lost_ps != b->lost_ps)
		return a->lost_ps > b->lost_ps ? -1 : 1;
	if (s->self_ps != t->self_ps)
		return s->self_ps > t->self_ps ? -1 : 1;
	return a->op < b->op ? -1 : a->op > b->op;
}

static int
by_padding(const void *left, const void *right)
{
	const struct tp_padded_buffer *a = left, *b = right;
	uint64_t more_a = a->padded_bytes - a->bytes, more_b = b->padded_bytes - b->bytes;

	if (more_a != more_b)
		return more_a > more_b ? -1 : 1;
	return a->op < b->op ? -1 : a->op > b->op;
}

static bool
on_tpu(const struct tp_padding_judging *j)
{
	const struct tp_profile *p = j->ctx->profile;

	for (size_t i = 0; i < j->ops->count; i++) {
		uint32_t device = j->ops->ops[i].device;

		if (device != TP_NONE && p->devices[device].kind == TP_DEVICE_TPU)
			return true;
	}
	return false;
}

void
tp_padding_settle(struct tp_padding_judging *j, struct tp_padding *p)
{
	uint32_t *fit_of_op = tp_new_array(j->ctx->keep, uint32_t, j->ops->count);

	p->ops = j->ops;
	p->count = j->fits.count;
	p->fits = tp_buf_settle(&j->fits, sizeof *p->fits, j->ctx->keep);
	p->buffer_count = j->buffers.count;
	p->buffers = tp_buf_settle(&j->buffers, sizeof *p->buffers, j->ctx->keep);
	p->damaged_count = j->damaged.count;
	p->damaged = tp_buf_settle(&j->damaged, sizeof *p->damaged, j->ctx->keep);
	qsort_r(p->fits, p->count, sizeof *p->fits, by_loss, (void *)j->ops);
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

static enum tp_dim_meaning
meaning_of(struct tp_slice text)
{
	for (enum tp_dim_meaning m = TP_DIM_BATCH; m < TP_DIM_NONE; m++) {
		if (tp_slice_eq(text, tp_slice_of(tp_dim_meaning_name(m))))
			return m;
	}
	return TP_DIM_SPATIAL;
}

/* The dimensions come minor to major; the first two that are padded at all lie along lanes and sublanes. */
static void
add_layout(struct tp_padding_judging *j, const struct tp_precomputed_op *precomputed, uint32_t op)
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

	*f = (struct tp_padding_fit){.op = op, .products = 1, .matrix_share = NAN};
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
add_line(struct tp_padding_judging *j, const struct tp_precomputed_op *precomputed, uint32_t op,
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
		tp_padding_add_buffer(j, i, op);
		return;
	}
	tp_padding_add_fit(j, own, i, worst.line, tp_hlo_line_instruction(worst.line), op, worst.count);
}

void
tp_padding_precomputed(const struct tp_pass_ctx *ctx, const struct tp_ops *o,
	const struct tp_precomputed_op *const *precomputed, struct tp_padding *out)
{
	struct tp_padding_judging j = {
		.ctx = ctx, .ops = o, .device_type = ctx->profile->precomputed->device_type};

	for (uint32_t i = 0; i < o->count; i++) {
		struct tp_arena *arena = tp_arena_new();

		if (precomputed[i]->dim_count != 0)
			add_layout(&j, precomputed[i], i);
		else
			add_line(&j, precomputed[i], i, arena);
		tp_arena_free(arena);
	}
	tp_padding_settle(&j, out);
	out->state = !j.any_tile ? (j.any_module ? TP_PADDING_UNTILED : TP_PADDING_NO_HLO)
		: out->count == 0    ? TP_PADDING_NO_PRODUCT
							 : TP_PADDING_JUDGED;
}
