/* What matrix products work on, by the names of kernels and of types. */
#include "analyze/facts/matrix_dtype.h"
#include "unit.h"

static void
names_of_kernels_tell(void **state)
{
	static const struct {
		const char *name;
		enum tp_dtype dtype;
	} cases[] = {
		{"nvjet_tst_128x64_64x10_2x1_v_bz_TNT", TP_DTYPE_16},
		{"nvjet_sm90_hss_320x128_64x3_1x2_h_bz_coopB_TNN", TP_DTYPE_16},
		{"nvjet_sm100_qqtst_128x256_128x6_2x1_2cta_v_bz_TNT", TP_DTYPE_FP8},
		{"nvjet_sss_128x64_32x5_1x1_h_bz_NNN", TP_DTYPE_TF32},
		{"nvjet_sm90_", TP_DTYPE_NOT_TOLD},
		{"nvjet_sm90", TP_DTYPE_NOT_TOLD},
		/* operands before results: e4m3 gives bf16 */
		{"sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize128x128x128", TP_DTYPE_FP8},
		{"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", TP_DTYPE_16},
		{"sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16", TP_DTYPE_TF32},
		{"sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_ffma_32x32_cublas", TP_DTYPE_FP32},
		{"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_nt_align4>(Params)",
			TP_DTYPE_TF32},
		{"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x64_64x4>",
			TP_DTYPE_16},
		{"turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn", TP_DTYPE_16},
		{"volta_sgemm_128x64_nt", TP_DTYPE_FP32},
		{"volta_scudnn_128x64_relu_interior_nn_v1", TP_DTYPE_FP32},
		{"Cijk_Alik_Bljk_BBS_BH_MT256x256x64_MI16x16x1", TP_DTYPE_16},
		{"void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t>>",
			TP_DTYPE_16},
		{"turing_int8_i8816gemm_int8_256x128_ldg16_stages_64x3_tn", TP_DTYPE_INT8},
		{"gemm_fusion_dot_4", TP_DTYPE_NOT_TOLD},
		{"triton_mm", TP_DTYPE_NOT_TOLD},
		{"", TP_DTYPE_NOT_TOLD},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (tp_kernel_dtype(tp_slice_of(cases[i].name)) != cases[i].dtype)
			fail_msg("%s: %s, not %s", cases[i].name,
				tp_dtype_name(tp_kernel_dtype(tp_slice_of(cases[i].name))),
				tp_dtype_name(cases[i].dtype));
	}
}

static void
types_are_those_that_matrix_units_use(void **state)
{
	(void)state;
	assert_int_equal(tp_dtype_of_torch(TP_S("c10::Half")), TP_DTYPE_16);
	assert_int_equal(tp_dtype_of_torch(TP_S("c10::Float8_e5m2")), TP_DTYPE_FP8);
	assert_int_equal(tp_dtype_of_torch(TP_S("float")), TP_DTYPE_FP32);
	assert_int_equal(tp_dtype_of_torch(TP_S("double")), TP_DTYPE_NOT_TOLD);
	assert_int_equal(tp_dtype_of_hlo(TP_S("f32"), false), TP_DTYPE_TF32);
	assert_int_equal(tp_dtype_of_hlo(TP_S("f32"), true), TP_DTYPE_16);
	assert_int_equal(tp_dtype_of_hlo(TP_S("f8e4m3fn"), false), TP_DTYPE_FP8);
	assert_int_equal(tp_dtype_of_hlo(TP_S("s8"), true), TP_DTYPE_INT8);
	assert_int_equal(tp_dtype_of_hlo(TP_S("f64"), false), TP_DTYPE_NOT_TOLD);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_kernels_tell),
		cmocka_unit_test(types_are_those_that_matrix_units_use),
	};

	return RUN(tests);
}
