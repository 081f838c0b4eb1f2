/* Tensor cores by name: kernels of V100, A100, H100, B200, MI250 and MI300 as profiles hold them. */
#include "analyze/facts/tensor_core.h"

#include "unit.h"

static void
kernels_on_matrix_units_are_known(void **state)
{
	static const char *const names[] = {
		"volta_fp16_s884cudnn_fp16_128x128_ldg8_splitK_relu_f2f_exp_small_nhwc_tn_v1",
		"volta_h884gemm_128x64_ldg8_nn",
		"turing_fp16_s1688cudnn_fp16_128x128_ldg8_relu_f2f_exp_interior_nhwc_tn_v1",
		"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4>(Params)",
		"void "
		"cutlass::Kernel<cutlass_70_wmma_tensorop_f16_s161616gemm_f16_32x32_64x2_tn_align8>(P)",
		"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_"
		"tilesize128x128x16_"
		"stage4_warpsize2x2x1_g1_tensor16x8x8_alignc4_execute_kernel_cudnn",
		"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_"
		"segment_k_off_kernel__5x_cublas",
		"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT",
		"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int>, "
		"cutlass::"
		"gemm::collective::CollectiveMma<cutlass::gemm::MainloopSm90TmaGmmaWarpSpecialized<4>>>>("
		"P)",
		"cutlass3x_sm100_tensorop_s256x128x16gemm_f16_f16_f32_void_f16_256x128x64_2x1x1",
		"void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128>>(P)",
		"Cijk_Ailk_Bjlk_BBS_BH_Bias_HAS_SAV_UserArgs_MT64x32x64_MI16x16x1_SN_LDSB0_AFC1_ISA942",
		"Cijk_Ailk_Bjlk_BBS_BH_MT32x32x64_MI16x16x16x1_SN_1LDSB0_APM1",
		"igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1_wr2x2",
		"void ck::kernel_grouped_conv_fwd_xdl_cshuffle_v3<ck::GridwiseGemm>(P)",
		"void paged_attention_ll4mi_QKV_mfma16_kernel<0, __hip_bfloat16>(P)",
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(tp_kernel_tensor_core(tp_slice_of(names[i])), TP_TENSOR_CORE_USED);
}

static void
plain_arithmetic_is_told_apart(void **state)
{
	static const char *const names[] = {
		"volta_sgemm_128x64_nn",
		"ampere_sgemm_32x128_tn",
		"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(P)",
		/* The peer takes this one for a use of tensor cores, because of "xmma_gemm". */
		"sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize32x32x8_stage3_warpsize1x2x1_ffma_aligna4_"
		"alignc4_execute_kernel__5x_cublas",
		"cudnn_infer_volta_scudnn_128x64_relu_xregs_large_nn_v1",
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(P)",
		"void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, __hip_bfloat16>(P)",
		"Cijk_Ailk_Bljk_SB_MT64x64x8_SN_K1_MIA",
		"SubTensorOpWithScalar1d",
		"",
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(tp_kernel_tensor_core(tp_slice_of(names[i])), TP_TENSOR_CORE_NOT_USED);
}

static void
what_a_compiler_wrote_does_not_tell(void **state)
{
	(void)state;
	assert_int_equal(tp_kernel_tensor_core(TP_S("gemm_fusion_dot_5_0")), TP_TENSOR_CORE_NOT_TOLD);
	assert_int_equal(
		tp_kernel_tensor_core(TP_S("triton_tem_fused_addmm_0")), TP_TENSOR_CORE_NOT_TOLD);
	assert_int_equal(tp_kernel_tensor_core(TP_S("loop_add_fusion_3")), TP_TENSOR_CORE_NOT_USED);
}

static void
products_and_convolutions_are_eligible(void **state)
{
	static const char *const yes[] = {"model/conv1/Conv2D", "fused_Conv2D",
		"gradients/Conv2DBackpropInput", "layer/MatMul", "attention/BatchMatMulV2",
		"fused/_FusedMatMul", "rnn/CudnnRNNV3", "XlaDotV2", "jit(step)/jit(main)/dot_general",
		"jit(f)/conv_general_dilated", "gemm_fusion_dot.5", "cublas-gemm.1.0"};
	static const char *const no[] = {"", "MatMul", "layer/MatMul_1", "dropout/Mul", "SparseMatMul",
		"jit(f)/reduce_sum", "loop_fusion.3", "Conv2D/bias"};

	(void)state;
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		assert_true(tp_op_tensor_core_eligible(tp_slice_of(yes[i]), TP_S("")));
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		assert_false(tp_op_tensor_core_eligible(tp_slice_of(no[i]), TP_S("")));
	assert_true(tp_op_tensor_core_eligible(TP_S("layer/MatMul_1"), TP_S("MatMul")));
	assert_false(tp_op_tensor_core_eligible(TP_S("layer/Mul_1"), TP_S("Mul")));
}

static void
an_einsum_of_two_operands_is_eligible(void **state)
{
	(void)state;
	assert_true(tp_einsum_tensor_core_eligible(TP_S("ab,bc->ac")));
	assert_false(tp_einsum_tensor_core_eligible(TP_S("ab->ba")));
	assert_false(tp_einsum_tensor_core_eligible(TP_S("a,b,c->abc")));
	assert_false(tp_einsum_tensor_core_eligible(TP_S("ab,bc")));
	assert_false(tp_einsum_tensor_core_eligible(TP_S("ab,bc->ac->ca")));
	assert_false(tp_einsum_tensor_core_eligible(TP_S("")));
	assert_false(tp_einsum_tensor_core_eligible(TP_S("->a,b")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_on_matrix_units_are_known),
		cmocka_unit_test(plain_arithmetic_is_told_apart),
		cmocka_unit_test(what_a_compiler_wrote_does_not_tell),
		cmocka_unit_test(products_and_convolutions_are_eligible),
		cmocka_unit_test(an_einsum_of_two_operands_is_eligible),
	};

	return RUN(tests);
}
