/* Floating-point operations of an HLO module's matrix products. */
#include "ingest/hlo_flops.h"

#include "base/arena.h"
#include "base/saturate.h"
#include "base/texts.h"

#include <jansson.h>

#include <stdlib.h>

/* Operand number n; NULL: there is none that is an array. */
static const struct tp_shape *
operand(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i, uint32_t n)
{
	const struct tp_shape *shape =
		n < i->operands.count ? &m->instructions[i->operands.at[n]].shape : NULL;

	return shape != NULL && shape->kind == TP_SHAPE_ARRAY ? shape : NULL;
}

/* The array that an instruction gives: of a library's call the first of the tuple, beside which it has its workspace. */
static const struct tp_shape *
result(const struct tp_hlo_instruction *i)
{
	const struct tp_shape *shape = &i->shape;

	if (shape->kind == TP_SHAPE_TUPLE && shape->member_count != 0)
		shape = &shape->members[0];
	return shape->kind == TP_SHAPE_ARRAY ? shape : NULL;
}

static struct tp_hlo_products
not_read(void)
{
	return (struct tp_hlo_products){.unknown = true};
}

static struct tp_hlo_products
of_dot(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	const struct tp_shape *lhs = operand(m, i, 0), *out = result(i);
	const struct tp_hlo_dot *dot = i->details->dot;

	if (lhs == NULL || out == NULL || dot == NULL)
		return not_read();
	struct tp_hlo_products p = {.flops = tp_times(2, tp_shape_elements(out)), .type = lhs->type};

	for (uint32_t k = 0; k < dot->lhs_contracting.count; k++) {
		uint32_t dim = dot->lhs_contracting.at[k];

		if (dim >= lhs->rank)
			return not_read();
		p.flops = tp_times(p.flops, lhs->sizes[dim]);
	}
	return p;
}

/* Each place of the output takes part with the whole window, over the input features that the kernel has. */
static struct tp_hlo_products
of_convolution(const struct tp_hlo_instruction *i, const struct tp_shape *kernel,
	const struct tp_shape *out, uint32_t type)
{
	const struct tp_hlo_convolution *c = i->details->convolution;

	if (kernel == NULL || out == NULL || c == NULL || c->kernel_input_feature >= kernel->rank)
		return not_read();
	struct tp_hlo_products p = {.type = type,
		.flops =
			tp_times(tp_times(2, tp_shape_elements(out)), kernel->sizes[c->kernel_input_feature])};

	for (uint32_t k = 0; k < c->kernel_spatial.count; k++) {
		if (c->kernel_spatial.at[k] >= kernel->rank)
			return not_read();
		p.flops = tp_times(p.flops, kernel->sizes[c->kernel_spatial.at[k]]);
	}
	return p;
}

/* The sizes of lhs that cuBLAS's call contracts, as its configuration says them in JSON; 0: it does not. */
static uint64_t
contracted(struct tp_slice config, const struct tp_shape *lhs)
{
	json_t *all = json_loadb(config.ptr, config.len, 0, NULL);
	json_t *gemm = json_object_get(all, "gemm_backend_config");
	json_t *dims =
		json_object_get(json_object_get(gemm != NULL ? gemm : all, "dot_dimension_numbers"),
			"lhs_contracting_dimensions");
	size_t count = json_array_size(dims);
	uint64_t sizes = count != 0 ? 1 : 0;

	for (size_t k = 0; k < count; k++) {
		json_t *one = json_array_get(dims, k);
		const char *text = json_string_value(one);
		unsigned long long dim =
			text != NULL ? strtoull(text, NULL, 10) : (unsigned long long)json_integer_value(one);

		sizes = dim < lhs->rank ? tp_times(sizes, lhs->sizes[dim]) : 0;
	}
	json_decref(all);
	return sizes;
}

static struct tp_hlo_products
of_cublas(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	const struct tp_shape *lhs = operand(m, i, 0), *out = result(i);
	uint64_t sizes = lhs != NULL && out != NULL ? contracted(i->details->backend_config, lhs) : 0;

	return sizes == 0
		? not_read()
		: (struct tp_hlo_products){
			  .flops = tp_times(tp_times(2, tp_shape_elements(out)), sizes), .type = lhs->type};
}

/* Gradients compute as much as the convolution itself: of the input from the output's gradient and the kernel, of the kernel from the input
 * and the output's gradient. */
static struct tp_hlo_products
of_cudnn(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	struct tp_slice target = i->details->custom_call_target;
	const struct tp_shape *first = operand(m, i, 0), *second = operand(m, i, 1);

	if (first == NULL || second == NULL)
		return not_read();
	if (tp_slice_has(target, TP_S("BackwardInput")))
		return of_convolution(i, second, first, first->type);
	if (tp_slice_has(target, TP_S("BackwardFilter")))
		return of_convolution(i, result(i), second, first->type);
	return of_convolution(i, second, result(i), first->type);
}

static struct tp_hlo_products
of_custom_call(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	struct tp_slice target = i->details->custom_call_target;
	struct tp_hlo_products p = {0};

	if (tp_texts_any(target, tp_slice_starts, TP_TEXTS("__cublas$gemm", "__cublas$lt$matmul")))
		p = of_cublas(m, i);
	else if (tp_slice_starts(target, TP_S("__cudnn$conv")))
		p = of_cudnn(m, i);
	else if (tp_texts_any(target, tp_slice_starts, TP_TEXTS("__cublas$", "__cudnn$fmha", "te_")) ||
		tp_texts_any(target, tp_slice_has, TP_TEXTS("gemm", "matmul", "attn", "attention", "mha")))
		p = not_read();
	else
		return p;
	p.library = true;
	return p;
}

static void
add(struct tp_hlo_products *sum, const struct tp_hlo_products *p, uint64_t *largest)
{
	sum->flops = tp_plus(sum->flops, p->flops);
	sum->unknown |= p->unknown;
	if (p->flops <= *largest)
		return;
	*largest = p->flops;
	sum->type = p->type;
}

static struct tp_hlo_products
of_instruction(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i,
	const struct tp_hlo_products *computations)
{
	struct tp_hlo_products sum = {0};
	uint64_t largest = 0;

	if (tp_slice_eq(i->opcode, TP_S("dot")))
		return of_dot(m, i);
	if (tp_slice_eq(i->opcode, TP_S("convolution"))) {
		const struct tp_shape *lhs = operand(m, i, 0);

		return of_convolution(i, operand(m, i, 1), result(i), lhs != NULL ? lhs->type : 0);
	}
	if (tp_slice_eq(i->opcode, TP_S("custom-call")))
		return of_custom_call(m, i);
	/* Of all else that calls, the instructions within are operations themselves. */
	for (uint32_t k = 0; tp_slice_eq(i->opcode, TP_S("fusion")) && k < i->called.count; k++)
		add(&sum, &computations[i->called.at[k]], &largest);
	return sum;
}

const struct tp_hlo_products *
tp_hlo_products_of(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	struct tp_hlo_products *all = tp_new_array(arena, struct tp_hlo_products, m->instruction_count);
	struct tp_hlo_products *computations =
		tp_new_array(arena, struct tp_hlo_products, m->computation_count);

	/* Callees stand before their callers. */
	for (uint32_t c = 0; c < m->computation_count; c++) {
		const struct tp_hlo_computation *of = &m->computations[c];
		uint64_t largest = 0;

		for (uint32_t i = of->first; i < of->first + of->count; i++) {
			all[i] = of_instruction(m, &m->instructions[i], computations);
			add(&computations[c], &all[i], &largest);
		}
	}
	return all;
}

struct tp_slice
tp_hlo_products_type(const struct tp_hlo_products *products)
{
	return products->flops != 0 ? tp_element_name(products->type) : TP_S("");
}
