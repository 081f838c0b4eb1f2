/* The sweep: each instant of a step counts once, for the highest-ranking event that runs. */
#include "analyze/core/sweep.h"
#include "fixture.h"

#include "unit.h"

static void
the_higher_type_wins_where_events_overlap(void **state)
{
	const struct tp_class_interval events[] = {
		{0, 100, TP_EVENT_HOST_COMPUTE},
		{20, 60, TP_EVENT_WAIT_INPUT},
		{40, 50, TP_EVENT_COMPUTE_16},
	};
	int64_t ps[TP_EVENT_TYPE_COUNT];

	tp_sweep(events, 3, 0, 100, ps, *state);
	assert_int_equal(ps[TP_EVENT_COMPUTE_16], 10);
	assert_int_equal(ps[TP_EVENT_WAIT_INPUT], 30);
	assert_int_equal(ps[TP_EVENT_HOST_COMPUTE], 60);
	assert_int_equal(ps[TP_EVENT_UNKNOWN], 0);
}

static void
what_no_event_covers_is_unknown(void **state)
{
	const struct tp_class_interval events[] = {
		{10, 20, TP_EVENT_COMPUTE_32}, {70, 80, TP_EVENT_COMPUTE_32}};
	int64_t ps[TP_EVENT_TYPE_COUNT];

	tp_sweep(events, 2, 0, 100, ps, *state);
	assert_int_equal(ps[TP_EVENT_COMPUTE_32], 20);
	assert_int_equal(ps[TP_EVENT_UNKNOWN], 80);
}

static void
time_outside_the_step_does_not_count(void **state)
{
	const struct tp_class_interval events[] = {
		{-50, 10, TP_EVENT_PREPARE}, {90, 500, TP_EVENT_PREPARE}, {200, 300, TP_EVENT_COMPUTE_32}};
	int64_t ps[TP_EVENT_TYPE_COUNT];

	tp_sweep(events, 3, 0, 100, ps, *state);
	assert_int_equal(ps[TP_EVENT_PREPARE], 20);
	assert_int_equal(ps[TP_EVENT_COMPUTE_32], 0);
}

static void
parts_sum_to_the_step(void **state)
{
	struct tp_class_interval events[200];
	int64_t ps[TP_EVENT_TYPE_COUNT], sum = 0;
	uint32_t random = 1;

	for (size_t i = 0; i < 200; i++) {
		random = random * 1664525u + 1013904223u;
		events[i] = (struct tp_class_interval){random % 1000, random % 1000 + random / 65536 % 90,
			(enum tp_event_type)(1 + random / 7 % (TP_EVENT_TYPE_COUNT - 1))};
	}
	tp_sweep(events, 200, 0, 1000, ps, *state);
	for (int t = 0; t < TP_EVENT_TYPE_COUNT; t++)
		sum += ps[t];
	assert_int_equal(sum, 1000);
}

static void
copies_are_known_by_the_names_of_cuda_and_rocm(void **state)
{
	(void)state;
	assert_int_equal(tp_type_of_gpu_event(TP_S("MemcpyD2D"), TP_S("")), TP_EVENT_DEVICE_TO_DEVICE);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("CopyDeviceToDevice"), TP_S("")), TP_EVENT_DEVICE_TO_DEVICE);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("CopyHostToDevice"), TP_S("")), TP_EVENT_HOST_TO_DEVICE);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("CopyDeviceToHost"), TP_S("")), TP_EVENT_DEVICE_TO_HOST);
}

static void
a_kernel_is_16_bit_by_its_shapes_and_without_them_by_its_name(void **state)
{
	(void)state;
	assert_int_equal(tp_type_of_gpu_event(TP_S("gemm"), TP_S("(half[2,2])")), TP_EVENT_COMPUTE_16);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("gemm_fp16"), TP_S("(float[2,2])")), TP_EVENT_COMPUTE_32);
	assert_int_equal(tp_type_of_gpu_event(TP_S("gemm_fp16"), TP_S("")), TP_EVENT_COMPUTE_16);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("gemm"), TP_S("(bfloat16[2,2])")), TP_EVENT_COMPUTE_16);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n"), TP_S("")),
		TP_EVENT_COMPUTE_16);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("Cijk_Alik_Bljk_BBS_BH_MT64x64x64_MI16x16x16x1"), TP_S("")),
		TP_EVENT_COMPUTE_16);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT"), TP_S("")),
		TP_EVENT_COMPUTE_16);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("nvjet_sm90_tst_128x64_64x8_1x2_h_bz_NNT"), TP_S("")),
		TP_EVENT_COMPUTE_16);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("nvjet_sm90_sss_128x64_64x8_1x2_h_bz_NNT"), TP_S("")),
		TP_EVENT_COMPUTE_32);
	assert_int_equal(tp_type_of_gpu_event(TP_S("nvjet_sm90"), TP_S("")), TP_EVENT_COMPUTE_32);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("volta_sgemm_128x64_nn"), TP_S("")), TP_EVENT_COMPUTE_32);
}

static void
copies_are_known_by_both_spellings(void **state)
{
	(void)state;
	assert_int_equal(tp_type_of_gpu_event(TP_S("MemcpyH2D"), TP_S("")), TP_EVENT_HOST_TO_DEVICE);
	assert_int_equal(tp_type_of_gpu_event(TP_S("MemcpyHToD"), TP_S("")), TP_EVENT_HOST_TO_DEVICE);
	assert_int_equal(tp_type_of_gpu_event(TP_S("MemcpyD2H"), TP_S("")), TP_EVENT_DEVICE_TO_HOST);
	assert_int_equal(
		tp_type_of_gpu_event(TP_S("ncclKernel_AllReduce"), TP_S("")), TP_EVENT_COLLECTIVE);
	assert_int_equal(tp_type_of_gpu_event(TP_S("NCCLKernel"), TP_S("")), TP_EVENT_COLLECTIVE);
}

static void
making_a_program_is_compiling(void **state)
{
	/* As JAX, TensorFlow and the clients of XLA call it; the first two are in a profile of a TPU v6e. */
	static const char *const names[] = {"backend_compile", "TfrtTpuCompiler::Compile",
		"backend_compile_and_load", "TfrtCpuClient::Compile", "TfrtGpuClient::CompileInternal",
		"XlaCompile:#module=jit_f,program_id=3#", "trace_to_jaxpr_dynamic",
		"lower_sharding_computation", "cluster_0/xla_compile:_XlaCompile"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_int_equal(
			tp_type_of_host_event(tp_slice_of(names[i]), false, false), TP_EVENT_COMPILE);
		assert_int_equal(
			tp_type_of_host_event(tp_slice_of(names[i]), true, false), TP_EVENT_COMPILE);
	}
	/* Loading what is compiled, and an operation of Keras. */
	assert_int_equal(tp_type_of_host_event(TP_S("TfrtTpuClient::LoadInternal"), false, false),
		TP_EVENT_HOST_COMPUTE);
	assert_int_equal(
		tp_type_of_host_event(TP_S("StatefulPartitionedCall/compile_loss/Sum:Sum"), false, false),
		TP_EVENT_HOST_COMPUTE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(the_higher_type_wins_where_events_overlap),
		ARENA_TEST(what_no_event_covers_is_unknown),
		ARENA_TEST(time_outside_the_step_does_not_count),
		ARENA_TEST(parts_sum_to_the_step),
		cmocka_unit_test(copies_are_known_by_the_names_of_cuda_and_rocm),
		cmocka_unit_test(a_kernel_is_16_bit_by_its_shapes_and_without_them_by_its_name),
		cmocka_unit_test(copies_are_known_by_both_spellings),
		cmocka_unit_test(making_a_program_is_compiling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
