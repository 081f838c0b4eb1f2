/* FLOP of a GPU's kernels, from the programs that they belong to. */
#include "ingest/hlo_products.h"

#include "base/arena.h"
#include "base/texts.h"
#include "ingest/hlo_flops.h"
#include "model/build.h"

const uint64_t *
tp_kernel_runs(struct tp_builder *b, uint32_t first_op, struct tp_arena *arena)
{
	uint64_t *runs = tp_new_array(arena, uint64_t, tp_built_op_count(b) - first_op);

	for (uint32_t l = 0; l < tp_built_line_count(b); l++) {
		const struct tp_line *line = tp_built_line(b, l);

		for (uint32_t e = 0; line->kind == TP_LINE_STREAM && e < line->count; e++) {
			if (tp_line_op(line, e) >= first_op)
				runs[tp_line_op(line, e) - first_op]++;
		}
	}
	return runs;
}

/* Kernels of cuBLAS, cuDNN and their likes on AMD that compute products; not those that only gather their parts or turn layouts, and
 * none that XLA or Triton made, which are of an instruction. */
static bool
is_of_library(struct tp_slice kernel)
{
	return !tp_slice_has(kernel, TP_S("fusion")) &&
		tp_texts_any(kernel, tp_slice_has,
			TP_TEXTS("nvjet", "gemm", "gemv", "Gemm", "cutlass", "xmma", "Cijk_", "fprop", "dgrad",
				"wgrad", "winograd", "scudnn", "conv2d", "convolve", "Conv", "igemm")) &&
		!tp_texts_any(kernel, tp_slice_has,
			TP_TEXTS("splitK", "SplitK", "reduce", "Reduce", "nchwTo", "nhwcTo", "Transpose",
				"transpose", "Offsets", "filter_flip"));
}

/* Of attention no program's HLO says what it computes. */
static bool
is_attention(struct tp_slice kernel)
{
	return tp_texts_any(
		kernel, tp_slice_has, TP_TEXTS("fmha", "Fmha", "flash", "attn", "attention"));
}

static void
take(struct tp_op *op, uint64_t flops, struct tp_slice type)
{
	op->matrix_flops = flops;
	op->matrix_type = type;
	op->matrix_known = true;
}

/* What the program's library calls compute together. */
struct calls {
	uint64_t count, flops;
	struct tp_slice type;
	bool unknown;
};

static struct calls
calls_of(const struct tp_hlo_module *m, const struct tp_hlo_products *products)
{
	struct calls all = {0};

	for (uint32_t i = 0; i < m->instruction_count; i++) {
		if (!products[i].library)
			continue;
		all.count++;
		all.unknown |=
			products[i].unknown || __builtin_add_overflow(all.flops, products[i].flops, &all.flops);
		all.type = tp_hlo_products_type(&products[i]);
	}
	return all;
}

static bool
is_call(const struct tp_op *op, uint64_t program_id, uint32_t instruction)
{
	return op->kernel && op->program_id == program_id && instruction == TP_NONE &&
		is_of_library(op->label) && !is_attention(op->label);
}

void
tp_kernel_products(struct tp_builder *b, const struct tp_hlo_module *m, uint64_t program_id,
	uint32_t first_op, const uint32_t *of_instruction, const uint64_t *runs, struct tp_arena *arena)
{
	const struct tp_hlo_products *products = tp_hlo_products_of(m, arena);
	struct calls calls = calls_of(m, products);
	uint64_t seen = 0;

	for (uint32_t i = first_op; i < tp_built_op_count(b); i++) {
		struct tp_op *op = tp_built_op(b, i);
		uint32_t instruction = of_instruction[i - first_op];

		if (!op->kernel || op->program_id != program_id)
			continue;
		seen += is_call(op, program_id, instruction) ? runs[i - first_op] : 0;
		if (instruction != TP_NONE && !products[instruction].unknown)
			take(op, products[instruction].flops, tp_hlo_products_type(&products[instruction]));
	}
	if (calls.count == 0 || calls.unknown || seen % calls.count != 0)
		return;
	for (uint32_t i = first_op; i < tp_built_op_count(b); i++) {
		if (is_call(tp_built_op(b, i), program_id, of_instruction[i - first_op]))
			take(tp_built_op(b, i), calls.flops / calls.count, calls.type);
	}
}

void
tp_kernel_products_settle(struct tp_builder *b, uint32_t first_op, const uint64_t *runs)
{
	bool lacks = false;

	for (uint32_t i = first_op; i < tp_built_op_count(b); i++) {
		const struct tp_op *op = tp_built_op(b, i);

		lacks |= runs[i - first_op] != 0 && !op->matrix_known &&
			(op->half_known || is_of_library(op->label) || is_attention(op->label));
	}
	for (uint32_t i = first_op; lacks && i < tp_built_op_count(b); i++) {
		struct tp_op *op = tp_built_op(b, i);

		op->matrix_flops = 0;
		op->matrix_known = false;
	}
}
