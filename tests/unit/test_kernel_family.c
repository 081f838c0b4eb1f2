/* What kernels do by their names: every name of the traces at hand, two kinds of hardware alike, and names that tell nothing. */
#include "analyze/facts/kernel_family.h"
#include "unit.h"

#include <stdio.h>

static void
test_every_name_met(void **state)
{
	static const struct {
		const char *family, *name;
	} known[] = {
#include "kernel_families.inc"
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct tp_slice family = tp_kernel_family(tp_slice_of(known[i].name));

		if (!tp_slice_eq(family, tp_slice_of(known[i].family)))
			fail_msg("%s: %.*s instead of %s", known[i].name, TP_ARG(family), known[i].family);
	}
}

/* Names that hold what they do in template arguments alone. */
static void
test_whole_names(void **state)
{
	(void)state;
	assert_text(
		tp_kernel_family_in(TP_S("kentry"), TP_S("_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_")),
		"Normalization");
	assert_text(
		tp_kernel_family_in(TP_S("kentry"), TP_S("_ZN7ck_tile6kentryILi2ENS_38FmhaBatchPrefill")),
		"Attention");
	assert_text(tp_kernel_family_in(TP_S("rmsnorm"), TP_S("fmha")), "Normalization");
	assert_text(tp_kernel_family_in(TP_S("k"), TP_S("k")), "Other");
}

/* The same layer on an H100 and an MI300X. */
static void
test_hardware_alike(void **state)
{
	static const char *const pairs[][2] = {
		{"flash_fwd_kernel", "attn_fwd"},
		{"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", "Cijk_Alik_Bljk_BBS_BH"},
		{"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32", "igemm_fwd_gtcx3_nhwc_bf16_bx0"},
		{"ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "rcclGenericKernel"},
		{"nchwToNhwcKernel", "batched_transpose_32x32_half"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct tp_slice one = tp_kernel_family(tp_slice_of(pairs[i][0]));
		struct tp_slice other = tp_kernel_family(tp_slice_of(pairs[i][1]));

		assert_true(tp_slice_eq(one, other));
		assert_false(tp_slice_eq(one, TP_S("Other")));
	}
}

static void
test_nothing_told(void **state)
{
	(void)state;
	assert_true(tp_slice_eq(tp_kernel_family(TP_S("")), TP_S("Other")));
	assert_true(tp_slice_eq(tp_kernel_family(TP_S("kernel1")), TP_S("Other")));
	/* ^ is the start: a name that only holds it is another. */
	assert_true(tp_slice_eq(tp_kernel_family(TP_S("my_Cijk_")), TP_S("Other")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_name_met),
		cmocka_unit_test(test_whole_names),
		cmocka_unit_test(test_hardware_alike),
		cmocka_unit_test(test_nothing_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
