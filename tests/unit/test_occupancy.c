/* Theoretical occupancy, against what CUDA's own calculator gave: traces of PyTorch carry registers, shared memory, threads
 * and its answer for each kernel. */
#include "analyze/facts/occupancy.h"

#include "analyze/facts/kernel_launch.h"
#include "model/profile.h"
#include "unit.h"

#include <math.h>

static struct tp_kernel_launch
launch(uint32_t registers, uint32_t shared, uint32_t threads)
{
	return (struct tp_kernel_launch){
		.has_registers = true,
		.has_shared = true,
		.has_block = true,
		.registers = registers,
		.static_bytes = shared,
		.block = {threads, 1, 1},
	};
}

static void
cuda_works_out_the_same(void **state)
{
	static const struct {
		uint32_t major, minor, registers, shared, threads;
		double percent; /* rounded as there */
	} cases[] = {
		{7, 0, 122, 12288, 128, 25},
		{7, 0, 126, 8192, 64, 25},
		{7, 0, 160, 16384, 128, 19},
		{7, 0, 36, 0, 128, 75},
		{7, 0, 57, 16384, 256, 50},
		{7, 0, 80, 2304, 64, 38},
		{7, 0, 85, 2304, 64, 31},
		{8, 0, 38, 0, 256, 75},
		{8, 0, 40, 0, 128, 75},
		{9, 0, 32, 16, 128, 100},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct tp_device device = {
			.compute_major = cases[i].major, .compute_minor = cases[i].minor};
		const struct tp_kernel_launch l =
			launch(cases[i].registers, cases[i].shared, cases[i].threads);

		assert_int_equal(lround(100 * tp_occupancy_of(&device, &l).share), (long)cases[i].percent);
	}
}

static void
each_resource_can_be_the_limit(void **state)
{
	const struct tp_device a100 = {.compute_major = 8};
	const struct tp_kernel_launch small = launch(16, 0, 32), wide = launch(32, 0, 1024),
								  registers = launch(64, 0, 256), shared = launch(32, 49152, 256);

	(void)state;
	assert_text(tp_occupancy_of(&a100, &small).limit, "blocks");
	assert_int_equal(tp_occupancy_of(&a100, &small).blocks, 32);
	assert_text(tp_occupancy_of(&a100, &wide).limit, "threads");
	assert_text(tp_occupancy_of(&a100, &registers).limit, "registers");
	assert_true(tp_occupancy_of(&a100, &registers).share == 0.5);
	/* 49,152 bytes and the 1,024 that the system takes: three blocks in 164 KiB. */
	assert_text(tp_occupancy_of(&a100, &shared).limit, "shared memory");
	assert_int_equal(tp_occupancy_of(&a100, &shared).blocks, 3);
}

static void
a_wave_of_amd_has_64_lanes(void **state)
{
	const struct tp_device mi300 = {.vendor = TP_S("AMD"), .compute_major = 9, .compute_minor = 4};
	const struct tp_device named = {.type = TP_S("gfx90a:sramecc+:xnack-")};
	const struct tp_kernel_launch half = launch(128, 0, 256), full = launch(64, 0, 256),
								  shared = launch(32, 32768, 256);

	(void)state;
	assert_text(tp_amd_target(&mi300), "gfx942");
	assert_text(tp_amd_target(&named), "gfx90a");
	assert_true(tp_occupancy_of(&mi300, &full).share == 1);
	assert_true(
		tp_occupancy_of(&named, &half).share == 0.5); /* 512 registers a lane / 128: 4 of 8 */
	assert_true(tp_occupancy_of(&mi300, &shared).share == 0.25); /* 2 blocks of 4 waves, of 32 */
}

static void
what_cannot_be_known_is_not_given(void **state)
{
	const struct tp_device unstated = {0}, newer = {.compute_major = 11},
						   ambiguous = {.vendor = TP_S("AMD"), .compute_major = 9},
						   a100 = {.compute_major = 8};
	const struct tp_kernel_launch l = launch(32, 0, 256), nothing = {0},
								  huge = launch(32, 1 << 20, 256),
								  impossible = launch(255, 0, 1024);

	(void)state;
	assert_text(
		tp_occupancy_of(&unstated, &l).reason, "the profile does not state the compute capability");
	assert_text(tp_occupancy_of(&newer, &l).reason, "the limits of this type of GPU are unknown");
	assert_true(isnan(tp_occupancy_of(&ambiguous, &l).share));
	assert_text(tp_occupancy_of(&a100, &nothing).reason,
		"the profile does not state how the kernel was launched");
	assert_true(isnan(tp_occupancy_of(&a100, &huge).share));
	assert_true(isnan(tp_occupancy_of(&a100, &impossible).share));
}

static void
old_traces_name_the_gpu_alone(void **state)
{
	static const struct {
		struct tp_slice type;
		uint32_t compute_major;
		enum tp_tensor_cores cores;
	} gpus[] = {
		{TP_S("Tesla V100-SXM2-16GB"), 0, TP_TENSOR_CORES_THERE},
		{TP_S("Tesla P100-SXM2-16GB"), 0, TP_TENSOR_CORES_NONE},
		{TP_S("Tesla V100-SXM2-16GB"), 7, TP_TENSOR_CORES_THERE},
		{TP_S("GPU"), 6, TP_TENSOR_CORES_NONE},
		{TP_S("GPU"), 0, TP_TENSOR_CORES_UNRECORDED},
		{TP_S(""), 0, TP_TENSOR_CORES_UNRECORDED},
		{TP_S("ARTEMIS"), 0, TP_TENSOR_CORES_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
		const struct tp_device device = {
			.type = gpus[i].type, .compute_major = gpus[i].compute_major};

		assert_int_equal(tp_tensor_cores_of(&device), gpus[i].cores);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuda_works_out_the_same),
		cmocka_unit_test(each_resource_can_be_the_limit),
		cmocka_unit_test(a_wave_of_amd_has_64_lanes),
		cmocka_unit_test(what_cannot_be_known_is_not_given),
		cmocka_unit_test(old_traces_name_the_gpu_alone),
	};

	return RUN(tests);
}
