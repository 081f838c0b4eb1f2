/* What the matrix products of an HLO module compute. */
#include "base/arena.h"
#include "fixture.h"
#include "ingest/hlo_flops.h"
#include "unit.h"

enum { BF16 = 16, F32 = 11, S8 = 2 };

static struct tp_shape
array(struct tp_arena *a, uint32_t type, uint32_t rank, const uint64_t *sizes)
{
	uint64_t *kept = tp_new_array(a, uint64_t, rank);

	memcpy(kept, sizes, rank * sizeof *kept);
	return (struct tp_shape){.kind = TP_SHAPE_ARRAY, .type = type, .rank = rank, .sizes = kept};
}
#define ARRAY(a, type, ...)                                                                        \
	array(a, type, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})

static const struct tp_hlo_details nothing;
static const uint32_t first_two[] = {0, 1}, zero[] = {0}, one[] = {1};

/* Two parameters and an instruction of them; in a fusion of a second computation where `fused`. */
static struct tp_hlo_module *
module_of(struct tp_arena *a, struct tp_shape x, struct tp_shape y, const char *opcode,
	struct tp_shape out, const struct tp_hlo_details *details, bool fused)
{
	struct tp_hlo_module *m = tp_new(a, struct tp_hlo_module);

	m->instruction_count = fused ? 4 : 3;
	m->computation_count = fused ? 2 : 1;
	m->instructions = tp_new_array(a, struct tp_hlo_instruction, 4);
	m->computations = tp_new_array(a, struct tp_hlo_computation, 2);
	m->computations[0].count = 3;
	m->computations[1] = (struct tp_hlo_computation){.first = 3, .count = 1};
	m->instructions[0] =
		(struct tp_hlo_instruction){.opcode = TP_S("parameter"), .shape = x, .details = &nothing};
	m->instructions[1] =
		(struct tp_hlo_instruction){.opcode = TP_S("parameter"), .shape = y, .details = &nothing};
	m->instructions[2] = (struct tp_hlo_instruction){.opcode = tp_slice_of(opcode),
		.shape = out,
		.operands = {first_two, 2},
		.details = details};
	m->instructions[3] = (struct tp_hlo_instruction){.opcode = TP_S("fusion"),
		.shape = out,
		.called = {zero, 1},
		.computation = 1,
		.details = &nothing};
	return m;
}

static const struct tp_hlo_dot columns_by_rows = {
	.lhs_contracting = {one, 1}, .rhs_contracting = {zero, 1}};

static void
a_dot_is_two_for_each_pair(void **state)
{
	struct tp_arena *a = *state;
	const struct tp_hlo_details details = {.dot = &columns_by_rows};
	const struct tp_hlo_module *m = module_of(a, ARRAY(a, BF16, 4, 10), ARRAY(a, BF16, 10, 7200),
		"dot", ARRAY(a, F32, 4, 7200), &details, true);
	const struct tp_hlo_products *p = tp_hlo_products_of(m, a);

	assert_int_equal(p[2].flops, 2 * 4 * 10 * 7200);
	assert_false(p[2].library);
	assert_true(tp_slice_eq(tp_hlo_products_type(&p[2]), TP_S("bf16")));
	/* a fusion computes what is fused */
	assert_int_equal(p[3].flops, p[2].flops);
	assert_true(tp_slice_eq(tp_hlo_products_type(&p[3]), TP_S("bf16")));
	assert_int_equal(p[0].flops, 0);
}

static void
batches_count_in_the_result(void **state)
{
	struct tp_arena *a = *state;
	static const uint32_t two[] = {2};
	const struct tp_hlo_dot dot = {.lhs_contracting = {two, 1},
		.rhs_contracting = {one, 1},
		.lhs_batch = {zero, 1},
		.rhs_batch = {zero, 1}};
	const struct tp_hlo_details details = {.dot = &dot};
	const struct tp_hlo_module *m = module_of(a, ARRAY(a, F32, 3, 4, 5), ARRAY(a, F32, 3, 5, 6),
		"dot", ARRAY(a, F32, 3, 4, 6), &details, false);

	assert_int_equal(tp_hlo_products_of(m, a)[2].flops, 2 * 3 * 4 * 5 * 6);
}

static void
cublas_says_what_it_contracts_in_its_configuration(void **state)
{
	struct tp_arena *a = *state;
	static const char *const configs[] = {
		"{\"gemm_backend_config\":{\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[\"1\"]}}}",
		"{\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[1]}}",
	};

	for (size_t i = 0; i < 2; i++) {
		const struct tp_hlo_details details = {.custom_call_target = TP_S("__cublas$lt$matmul"),
			.backend_config = tp_slice_of(configs[i])};
		/* with the workspace beside the result */
		struct tp_shape members[] = {ARRAY(a, BF16, 8, 32), ARRAY(a, S8, 4096)};
		struct tp_shape out = {.kind = TP_SHAPE_TUPLE, .members = members, .member_count = 2};
		const struct tp_hlo_products *p =
			tp_hlo_products_of(module_of(a, ARRAY(a, BF16, 8, 16), ARRAY(a, BF16, 16, 32),
								   "custom-call", out, &details, false),
				a);

		assert_int_equal(p[2].flops, 2 * 8 * 16 * 32);
		assert_true(p[2].library);
		assert_false(p[2].unknown);
	}
}

static void
what_is_not_to_be_read_is_not_known(void **state)
{
	struct tp_arena *a = *state;
	static const char *const configs[] = {"", "{", "[]", "{\"gemm_backend_config\":7}",
		"{\"gemm_backend_config\":{\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[\"9\"]}}}",
		"{\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[]}}"};
	static const char *const targets[] = {"__cudnn$fmhaSoftmax", "te_gemm_ffi", "__cublas$other"};
	const struct tp_hlo_details no_dot = {0};
	struct tp_shape x = ARRAY(a, BF16, 8, 16), y = ARRAY(a, BF16, 16, 32),
					out = ARRAY(a, BF16, 8, 32);

	for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
		const struct tp_hlo_details details = {
			.custom_call_target = TP_S("__cublas$gemm"), .backend_config = tp_slice_of(configs[i])};

		assert_true(
			tp_hlo_products_of(module_of(a, x, y, "custom-call", out, &details, false), a)[2]
				.unknown);
	}
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		const struct tp_hlo_details details = {.custom_call_target = tp_slice_of(targets[i])};

		assert_true(
			tp_hlo_products_of(module_of(a, x, y, "custom-call", out, &details, false), a)[2]
				.unknown);
	}
	assert_true(tp_hlo_products_of(module_of(a, x, y, "dot", out, &no_dot, true), a)[3].unknown);
}

/* Images of 8 × 8, two of them, 3 features in and 4 out, a window of 3 × 3. */
static void
a_convolution_and_its_gradients_compute_the_same(void **state)
{
	struct tp_arena *a = *state;
	static const uint32_t spatial[] = {1, 2}, of_kernel[] = {0, 1};
	const struct tp_hlo_convolution c = {.input_feature = 3,
		.kernel_input_feature = 2,
		.kernel_output_feature = 3,
		.output_feature = 3,
		.input_spatial = {spatial, 2},
		.kernel_spatial = {of_kernel, 2},
		.output_spatial = {spatial, 2},
		.feature_groups = 1,
		.batch_groups = 1};
	struct tp_shape input = ARRAY(a, F32, 2, 8, 8, 3), kernel = ARRAY(a, F32, 3, 3, 3, 4),
					output = ARRAY(a, F32, 2, 8, 8, 4);
	const struct {
		const char *opcode, *target;
		struct tp_shape x, y, out;
	} cases[] = {
		{"convolution", "", input, kernel, output},
		{"custom-call", "__cudnn$convForward", input, kernel, output},
		{"custom-call", "__cudnn$convBackwardInput", output, kernel, input},
		{"custom-call", "__cudnn$convBackwardFilter", input, output, kernel},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct tp_hlo_details details = {
			.convolution = &c, .custom_call_target = tp_slice_of(cases[i].target)};
		const struct tp_hlo_module *m =
			module_of(a, cases[i].x, cases[i].y, cases[i].opcode, cases[i].out, &details, false);

		assert_int_equal(tp_hlo_products_of(m, a)[2].flops, 2 * (2 * 8 * 8 * 4) * (3 * 3 * 3));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(a_dot_is_two_for_each_pair),
		ARENA_TEST(batches_count_in_the_result),
		ARENA_TEST(cublas_says_what_it_contracts_in_its_configuration),
		ARENA_TEST(what_is_not_to_be_read_is_not_known),
		ARENA_TEST(a_convolution_and_its_gradients_compute_the_same),
	};

	return RUN(tests);
}
