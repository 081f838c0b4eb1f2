/* Short names of kernels, on names that real profiles hold. */
#include "analyze/facts/kernel_name.h"
#include "fixture.h"

#include "unit.h"

static void
scopes_types_and_parameters_go(void **state)
{
	assert_text(
		tp_kernel_short_name(
			TP_S("void tensorflow::functor::FillPhiloxRandomKernelLaunch<tensorflow::random::"
				 "UniformDistribution<tensorflow::random::PhiloxRandom, Eigen::half> >(unsigned "
				 "long long const*, tensorflow::random::PhiloxRandom)"),
			*state),
		"FillPhiloxRandomKernelLaunch");
	assert_text(
		tp_kernel_short_name(
			TP_S("void fbgemm_gpu::(anonymous namespace)::_FP8rowwise_to_float_cuda_kernel<float>("
				 "unsigned char const*, int, int, float*, bool)"),
			*state),
		"_FP8rowwise_to_float_cuda_kernel");
	assert_text(tp_kernel_short_name(TP_S("void gemmSN_TN_kernel_64addr"), *state),
		"gemmSN_TN_kernel_64addr");
	assert_text(tp_kernel_short_name(
					TP_S("std::enable_if<!(false), void>::type internal::gemvx::kernel<int, "
						 "int, float>(cublasGemvParams<float>)"),
					*state),
		"gemvx::kernel");
}

static void
what_is_computed_is_told(void **state)
{
	assert_text(
		tp_kernel_short_name(
			TP_S("void "
				 "Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<"
				 "Eigen::TensorMap<Eigen::Tensor<Eigen::half, 1, 1, int>, 16, Eigen::MakePointer>, "
				 "Eigen::TensorCwiseBinaryOp<Eigen::internal::scalar_product_op<Eigen::half, "
				 "Eigen::half>, Eigen::TensorMap<Eigen::half> const> const> const, "
				 "Eigen::GpuDevice>, int>(Eigen::GpuDevice, int)"),
			*state),
		"EigenMetaKernel<scalar_product_op>");
	assert_text(
		tp_kernel_short_name(
			TP_S("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<"
				 "float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>)"),
			*state),
		"vectorized_elementwise_kernel<CUDAFunctor_add>");
	assert_text(
		tp_kernel_short_name(
			TP_S("void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<"
				 "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::"
				 "operator()() "
				 "const::{lambda()#7}>(at::TensorIteratorBase&)::{lambda(int)#1}>(int)"),
			*state),
		"elementwise_kernel<direct_copy_kernel_cuda>");
}

static void
holders_give_way_to_what_they_hold(void **state)
{
	assert_text(
		tp_kernel_short_name(
			TP_S(
				"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_"
				"align2>(cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2::Params)"),
			*state),
		"cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2");
	assert_text(tp_kernel_short_name(
					TP_S("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<"
						 "cute::tuple<int, int> > >(cutlass::Params)"),
					*state),
		"GemmUniversal");
}

static void
one_name_for_all_gives_way_to_the_class(void **state)
{
	static const char *const names[][2] = {
		{"void ck_tile::kentry<ck_tile::gfx950_t, 2, ck_tile::FmhaFwdKernel<ck_tile::Pipeline<int, 4>, 3>>(ck_tile::Args)",
			"FmhaFwdKernel"},
		{"void ck_tile::kentry<ck_tile::gfx950_t, 2, ck_tile::FmhaBwdOGradDotOKernel<ck_tile::A<std::bfloat16_t> > >(int) [clone .kd]",
			"FmhaBwdOGradDotOKernel"},
		{"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_4PipeEEEEEvDpT_", "Rmsnorm2dFwd"},
		{"_ZN7ck_tile6kentryINS_8gfx950_tELi2ENS_13FmhaFwdKernelINS_4PipeEEEEEvDpT_",
			"FmhaFwdKernel"},
		{"_ZN7ck_tile6kentryILi2ENS_38FmhaBatchPrefill", "kentry"},
		{"_ZN7ck_tile6kentryILi2", "kentry"},
		{"void ck_tile::kentry<256, 2>(int)", "kentry"},
		{"void ck_tile::kentry<256, (", "kentry"},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_text(tp_kernel_short_name(tp_slice_of(names[i][0]), *state), names[i][1]);
}

static void
other_names_stay(void **state)
{
	static const char *const names[] = {"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT",
		"loop_add_fusion_3", "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
		"Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SN", "", "<", ">", "(", "::", "<>", "a<",
		"(anonymous namespace)"};

	for (size_t i = 0; i < 4; i++)
		assert_text(tp_kernel_short_name(tp_slice_of(names[i]), *state), names[i]);
	for (size_t i = 4; i < sizeof names / sizeof *names; i++)
		tp_kernel_short_name(tp_slice_of(names[i]), *state);
	assert_text(tp_kernel_short_name(TP_S("igemm_fwd_gtcx3_nhwc_bf16.kd"), *state),
		"igemm_fwd_gtcx3_nhwc_bf16");
	assert_text(
		tp_kernel_short_name(TP_S("_ZN2ck15kernel_gemm_xdlIfEEvPT_"), *state), "kernel_gemm_xdl");
	assert_text(
		tp_kernel_short_name(TP_S("_Z99999999999999999999x"), *state), "_Z99999999999999999999x");
}

static void
kernels_of_one_name_are_told_apart_by_as_few_words_as_it_takes(void **state)
{
	static const struct tp_slice casts[] = {
		TP_S(
			"void EigenMetaKernel<Map<Eigen::half, 16>, TensorConversionOp<half, Map<float>>>(int)"),
		TP_S(
			"void EigenMetaKernel<Map<Eigen::half, 16>, TensorConversionOp<half, Map<bool>>>(int)"),
		TP_S("void EigenMetaKernel<Map<float, 16>, TensorConversionOp<float, Map<bool>>>(int)"),
	};
	static const struct tp_slice mangled[] = {TP_S("_ZN2ck4gemmILi64ELi256ENS_3RowEEEvPT_"),
		TP_S("_ZN2ck4gemmILi64ELi128ENS_3RowEEEvPT_")};
	static const struct tp_slice work[] = {
		TP_S("f<8, Gelu()>(int)"), TP_S("f<4, less<float>>(int)")};
	static const struct tp_slice longer[] = {TP_S("f<int>()"), TP_S("f<int>(int)")};
	struct tp_slice said[3];

	tp_kernel_differences(casts, 3, said, *state);
	assert_text(said[0], "half, float");
	assert_text(said[1], "half, bool");
	assert_text(said[2], "float, bool");
	tp_kernel_differences(casts, 2, said, *state);
	assert_text(said[0], "float");
	assert_text(said[1], "bool");
	tp_kernel_differences(mangled, 2, said, *state);
	assert_text(said[0], "256");
	assert_text(said[1], "128");
	tp_kernel_differences(work, 2, said, *state);
	assert_text(said[0], "Gelu");
	assert_text(said[1], "less");
	tp_kernel_differences(longer, 2, said, *state);
	assert_text(said[0], "–");
	assert_text(said[1], "int");
	tp_kernel_differences(casts, 1, said, *state);
	assert_text(said[0], "");
}

static void
what_differs_in_signs_only_is_not_told(void **state)
{
	static const struct tp_slice names[] = {TP_S("f<int*>()"), TP_S("f<int&>()")};
	struct tp_slice said[2];

	tp_kernel_differences(names, 2, said, *state);
	assert_text(said[0], "");
	assert_text(said[1], "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(scopes_types_and_parameters_go),
		ARENA_TEST(what_is_computed_is_told),
		ARENA_TEST(holders_give_way_to_what_they_hold),
		ARENA_TEST(one_name_for_all_gives_way_to_the_class),
		ARENA_TEST(other_names_stay),
		ARENA_TEST(kernels_of_one_name_are_told_apart_by_as_few_words_as_it_takes),
		ARENA_TEST(what_differs_in_signs_only_is_not_told),
	};

	return RUN(tests);
}
