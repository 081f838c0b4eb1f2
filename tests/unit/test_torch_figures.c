/* Small figures of PyTorch traces: who could use tensor cores, occupancy, tables of ids. */
#include <math.h>

#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/operators/torch_op_calls.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/torch.h"

#include "unit.h"

static void
products_of_all_versions_are_eligible(void **state)
{
	static const char *const names[] = {"aten::mm", "aten::convolution_backward",
		"aten::_scaled_mm", "aten::scaled_dot_product_attention", "AddmmBackward", "AddmmBackward0",
		"BmmBackward0", "CudnnConvolutionBackward", "ConvolutionBackward0"};
	static const char *const others[] = {"aten::add", "mm", "aten::mm_", "aten::", "", "0",
		"ReluBackward0", "aten::native_batch_norm", "my::mm"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(tp_torch_op_eligible(tp_slice_of(names[i])));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(tp_torch_op_eligible(tp_slice_of(others[i])));
}

static const struct tp_torch_gpu gpu = {
	.sm_count = 100, .warp_size = 64, .threads_per_sm = 2048, .shared_per_sm = 65536};

static struct tp_torch_launch
launch(uint32_t blocks, uint32_t threads, uint32_t shared_bytes)
{
	return (struct tp_torch_launch){.grid = {blocks, 1, 1},
		.block = {threads, 1, 1},
		.has_shared = true,
		.shared_bytes = shared_bytes,
		.blocks_per_sm = NAN,
		.warps_per_sm = NAN,
		.occupancy = NAN};
}

static void
occupancy_is_worked_out_where_the_trace_has_none(void **state)
{
	struct tp_torch_launch few = launch(50, 256, 0), many = launch(10000, 256, 0),
						   shared = launch(10000, 256, 32768), stated = launch(50, 256, 0);

	(void)state;
	stated.occupancy = 0.25F;
	assert_true(fabs(tp_torch_occupancy(&gpu, &few) - 0.5 * 256 / 2048) < 1e-12);
	assert_true(fabs(tp_torch_occupancy(&gpu, &many) - 1) < 1e-12);
	assert_true(fabs(tp_torch_occupancy(&gpu, &shared) - 2.0 * 256 / 2048) < 1e-12);
	assert_true(fabs(tp_torch_occupancy(NULL, &stated) - 0.25) < 1e-12);
	assert_true(isnan(tp_torch_occupancy(NULL, &few)));
	few.has_registers = true; /* then the profiler would have said it */
	assert_true(isnan(tp_torch_occupancy(&gpu, &few)));
}

static void
ids_are_found_dense_or_not(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	const int64_t largest[] = {20, INT64_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
		struct tp_torch_ids ids;

		tp_torch_ids_init(&ids, (uint64_t)largest[i], 3, arena);
		assert_int_equal(ids.table != NULL, i == 0);
		tp_torch_ids_put(&ids, 0, 7);
		tp_torch_ids_put(&ids, largest[i], 8);
		tp_torch_ids_put(&ids, -1, 9);
		assert_int_equal(tp_torch_ids_get(&ids, 0), 7);
		assert_int_equal(tp_torch_ids_get(&ids, largest[i]), 8);
		assert_int_equal(tp_torch_ids_get(&ids, 3), TP_MAP_NONE);
		assert_int_equal(tp_torch_ids_get(&ids, -1), TP_MAP_NONE);
		assert_int_equal(tp_torch_ids_get(&ids, INT64_MAX - 1), TP_MAP_NONE);
	}
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_of_all_versions_are_eligible),
		cmocka_unit_test(occupancy_is_worked_out_where_the_trace_has_none),
		cmocka_unit_test(ids_are_found_dense_or_not),
	};

	return RUN(tests);
}
