/* What matrix products work on: asked of the names of kernels, which know TF32 from fp32; where these tell too little, of the types of
 * operators' inputs or of the program's HLO. */
#include "analyze/facts/matrix_dtype.h"

#include "analyze/core/pass.h"
#include "analyze/facts/kernel_family.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/torch_flops.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

/* Names that tell of less than this share of the products' time tell too little. */
#define ENOUGH 0.5

const char *
tp_dtype_name(enum tp_dtype dtype)
{
	static const char *const names[TP_DTYPE_COUNT] = {[TP_DTYPE_NOT_TOLD] = "",
		[TP_DTYPE_16] = "bf16/fp16",
		[TP_DTYPE_FP8] = "fp8",
		[TP_DTYPE_INT8] = "int8",
		[TP_DTYPE_TF32] = "tf32",
		[TP_DTYPE_FP32] = "fp32"};

	return names[dtype];
}

enum tp_peak_kind
tp_dtype_peak(enum tp_dtype dtype)
{
	static const enum tp_peak_kind kinds[TP_DTYPE_COUNT] = {[TP_DTYPE_NOT_TOLD] = TP_PEAK_FLOP,
		[TP_DTYPE_16] = TP_PEAK_FLOP,
		[TP_DTYPE_FP8] = TP_PEAK_FP8,
		[TP_DTYPE_INT8] = TP_PEAK_INT8,
		[TP_DTYPE_TF32] = TP_PEAK_TF32,
		[TP_DTYPE_FP32] = TP_PEAK_FP32};

	return kinds[dtype];
}

enum tp_dtype
tp_dtype_of_torch(struct tp_slice type)
{
	if (tp_texts_any(type, tp_slice_eq, TP_TEXTS("c10::BFloat16", "c10::Half")))
		return TP_DTYPE_16;
	if (tp_slice_has(type, TP_S("Float8")))
		return TP_DTYPE_FP8;
	if (tp_texts_any(type, tp_slice_eq, TP_TEXTS("signed char", "unsigned char", "c10::qint8")))
		return TP_DTYPE_INT8;
	return tp_slice_eq(type, TP_S("float")) ? TP_DTYPE_FP32 : TP_DTYPE_NOT_TOLD;
}

enum tp_dtype
tp_dtype_of_hlo(struct tp_slice type, bool on_tpu)
{
	if (tp_texts_any(type, tp_slice_eq, TP_TEXTS("bf16", "f16")))
		return TP_DTYPE_16;
	if (tp_slice_starts(type, TP_S("f8")))
		return TP_DTYPE_FP8;
	if (tp_texts_any(type, tp_slice_eq, TP_TEXTS("s8", "u8", "s4", "u4")))
		return TP_DTYPE_INT8;
	if (tp_slice_eq(type, TP_S("f32")))
		return on_tpu ? TP_DTYPE_16 : TP_DTYPE_TF32;
	return TP_DTYPE_NOT_TOLD;
}

static bool
computes_products(struct tp_slice kernel, struct tp_arena *scratch)
{
	return tp_texts_any(tp_kernel_family_in(tp_kernel_short_name(kernel, scratch), kernel),
		tp_slice_eq, TP_TEXTS("GEMM", "Attention", "Convolution", "MoE experts"));
}

/* What the names of an operation say, looked at once. */
struct known {
	bool looked_at, product;
	enum tp_dtype dtype;
};

static void
add_kernel(const struct tp_profile *p, uint32_t op, int64_t duration_ps, struct known *known,
	struct tp_matrix_dtype *d, struct tp_arena *scratch)
{
	struct known *k = &known[op];

	if (!k->looked_at)
		*k = (struct known){
			true, computes_products(p->ops[op].name, scratch), tp_kernel_dtype(p->ops[op].name)};
	if (k->product)
		d->amount[k->dtype] += (double)duration_ps;
}

/* Time of kernels of products, by what their names say. */
static void
by_kernels(const struct tp_pass_ctx *ctx, struct tp_matrix_dtype *d)
{
	const struct tp_profile *p = ctx->profile;
	struct known *known = tp_new_array(ctx->scratch, struct known, p->op_count);

	for (uint32_t i = 0; p->torch != NULL && i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		for (uint32_t e = 0; e < t->count; e++) {
			if (t->kind[e] == TP_TORCH_KERNEL)
				add_kernel(
					p, tp_torch_op(t, e), tp_torch_duration_ps(t, e), known, d, ctx->scratch);
		}
	}
	for (uint32_t l = 0; p->torch == NULL && l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		for (uint32_t e = 0; line->kind == TP_LINE_STREAM && e < line->count; e++)
			add_kernel(
				p, tp_line_op(line, e), tp_line_duration_ps(line, e), known, d, ctx->scratch);
	}
}

/* Text number 1, counted from 0, of ["float","float"]: one of the factors of each product that has a formula. */
static struct tp_slice
second_type(struct tp_slice list)
{
	const char *end = list.ptr + list.len, *at = list.ptr;

	for (int quotes = 0; at < end && quotes < 3; at++)
		quotes += *at == '"';
	const char *close = at < end ? memchr(at, '"', (size_t)(end - at)) : NULL;

	return close != NULL ? (struct tp_slice){at, (size_t)(close - at)} : TP_S("");
}

/* FLOP of PyTorch's operators, by the types of their inputs. */
static void
by_operators(const struct tp_pass_ctx *ctx, struct tp_matrix_dtype *d)
{
	const struct tp_profile *p = ctx->profile;
	uint8_t *formula = tp_new_array(ctx->scratch, uint8_t, p->op_count);

	for (uint32_t i = 0; i < p->op_count; i++)
		formula[i] = (uint8_t)tp_torch_formula(p->ops[i].label);
	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];
		/* Attributes nearly always belong to one operator: + 1, so that 0 is none yet. */
		uint64_t *flops = tp_new_array(ctx->scratch, uint64_t, t->attribute_count);

		for (uint32_t e = 0; e < t->count; e++) {
			if (t->kind[e] != TP_TORCH_OPERATOR || t->detail[e] == TP_NONE ||
				formula[tp_torch_op(t, e)] == TP_TORCH_NO_FORMULA)
				continue;
			uint32_t at = t->operators[t->detail[e]].attributes;
			const struct tp_torch_attributes *a = &t->attributes[at];

			if (flops[at] == 0)
				flops[at] = 1 +
					tp_torch_flops_by(formula[tp_torch_op(t, e)], tp_string(&p->strings, a->shapes),
						tp_string(&p->strings, a->inputs));
			d->amount[tp_dtype_of_torch(second_type(tp_string(&p->strings, a->types)))] +=
				(double)(flops[at] - 1);
		}
	}
}

/* A TPU's operation is its HLO text, which shows the types of its operands: "… = bf16[8,128]{…} fusion(s8[…] %a, …)". */
static enum tp_dtype
of_text(struct tp_slice text)
{
	if (tp_texts_any(text, tp_slice_has, TP_TEXTS("(f8e", " f8e")))
		return TP_DTYPE_FP8;
	if (tp_texts_any(text, tp_slice_has, TP_TEXTS("(s8[", "(u8[", "(s4[", "(u4[")))
		return TP_DTYPE_INT8;
	return tp_texts_any(text, tp_slice_has, TP_TEXTS("bf16[", "f16[", "f32[")) ? TP_DTYPE_16
																			   : TP_DTYPE_NOT_TOLD;
}

/* FLOP of operations, by the types in their HLO. */
static void
by_hlo(const struct tp_pass_ctx *ctx, struct tp_matrix_dtype *d)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);

	for (uint32_t i = 0; times != NULL && !times->on_host && i < p->op_count; i++) {
		const struct tp_op *op = &p->ops[i];
		bool product = op->matrix_flops != 0 ||
			tp_texts_any(op->category, tp_slice_has, TP_TEXTS("convolution", "dot"));

		if (!product || times->ops[i].flops == 0)
			continue;
		d->amount[op->matrix_flops != 0 ? tp_dtype_of_hlo(op->matrix_type, false)
										: of_text(op->name)] += (double)times->ops[i].flops;
	}
}

/* Finds the type of most; false: too little is told. */
static bool
decide(struct tp_matrix_dtype *d, double enough)
{
	double told = 0;

	d->most = TP_DTYPE_NOT_TOLD;
	for (enum tp_dtype k = TP_DTYPE_16; k < TP_DTYPE_COUNT; k++) {
		told += d->amount[k];
		if (d->amount[k] > (d->most == TP_DTYPE_NOT_TOLD ? 0 : d->amount[d->most]))
			d->most = k;
	}
	if (!(told > 0) || told < enough * (told + d->amount[TP_DTYPE_NOT_TOLD])) {
		*d = (struct tp_matrix_dtype){.most = TP_DTYPE_NOT_TOLD};
		return false;
	}
	d->share = d->amount[d->most] / told;
	return true;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_matrix_dtype *d = tp_new(ctx->keep, struct tp_matrix_dtype);

	(void)err;
	*result = d;
	by_kernels(ctx, d);
	if (decide(d, ENOUGH))
		return TP_OK;
	if (ctx->profile->torch != NULL)
		by_operators(ctx, d);
	else
		by_hlo(ctx, d);
	d->by_flop = decide(d, ENOUGH);
	return TP_OK;
}

const struct tp_pass tp_pass_matrix_dtype = {
	.name = "matrix-dtype",
	.title = "Type of matmuls",
	.summary =
		"the type in which matmuls compute: bf16 or fp16, fp8, int8, tf32, fp32, by kernel names, "
		"operator inputs or HLO",
	.needs_all = TP_HAS_PROFILE,
	.after = TP_AFTER(&tp_pass_op_times),
	.analyze = analyze,
	.lacks_nothing = "MFU says which peak it takes",
};
