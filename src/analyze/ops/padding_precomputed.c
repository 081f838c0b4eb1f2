/* The padding fit by what a profiler kept of each operation: the text of its HLO and of the instructions that it was fused from,
 * or, in older files, the dimensions of its main input. */
#include "analyze/facts/op_times.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/padding_judge.h"
#include "base/arena.h"
#include "model/hlo_line.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>

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
	j->known_ps = tp_add_ps(j->known_ps, j->ops->ops[op].self_ps);
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
