/* Names and sizes of collectives. */
#include "unit.h"

#include "analyze/torch/comm/torch_comm_group.h"
#include "base/arena.h"

static void
shapes_times_types_are_bytes(void **state)
{
	static const struct {
		const char *shapes, *types;
		int64_t bytes;
	} cases[] = {
		{"[[267786]]", "[\"float\"]", 267786 * 4},
		{"[[8,1024,8816]]", "[\"c10::BFloat16\"]", 8 * 1024 * 8816 * 2},
		{"[[3],[2,2]]", "[\"long int\",\"unsigned char\"]", 28},
		{"[[[3],[5]],[]]", "[\"float\",\"Scalar\"]", 32},
		{"[[]]", "[\"double\"]", 8},
		{"[[],[]]", "[\"\",\"Scalar\"]", -1},
		{"[[4]]", "[]", -1},
		{"", "", -1},
		{"[[4294967296,4294967296,16]]", "[\"float\"]", -1},
		{"]]]][[3", "\"", -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(
			tp_torch_shapes_bytes(tp_slice_of(cases[i].shapes), tp_slice_of(cases[i].types)),
			cases[i].bytes);
}

static void
elements_have_a_size_under_either_name(void **state)
{
	(void)state;
	assert_int_equal(tp_torch_element_bytes(TP_S("BFloat16")), 2);
	assert_int_equal(tp_torch_element_bytes(TP_S("c10::Half")), 2);
	assert_int_equal(tp_torch_element_bytes(TP_S("Float8_e4m3fn")), 1);
	assert_int_equal(tp_torch_element_bytes(TP_S("c10::complex<float>")), 8);
	assert_int_equal(tp_torch_element_bytes(TP_S("TensorList")), 0);
	assert_int_equal(tp_torch_element_bytes(TP_S("")), 0);
}

static void
every_spelling_is_one_operation(void **state)
{
	static const struct {
		const char *written, *name;
		enum tp_torch_comm_kind kind;
	} cases[] = {
		{"nccl:all_reduce", "all_reduce", TP_TORCH_COMM_REDUCES},
		{"allreduce", "all_reduce", TP_TORCH_COMM_REDUCES},
		{"nccl:_all_gather_base", "all_gather", TP_TORCH_COMM_GATHERS},
		{"_reduce_scatter_base", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
		{"nccl:send 0->1", "send", TP_TORCH_COMM_POINT},
		{"all_to_allv", "all_to_all", TP_TORCH_COMM_SCATTERS},
		{"gloo:barrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
		{"nccl:all_reduce_barrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
		{"xccl:something_new", "something_new", TP_TORCH_COMM_MIXED},
		{"", "collective", TP_TORCH_COMM_MIXED},
		{":", "collective", TP_TORCH_COMM_MIXED},
	};
	struct tp_arena *a = tp_arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tp_torch_comm_op op = tp_torch_comm_op_of(tp_slice_of(cases[i].written), a);

		assert_text(op.name, cases[i].name);
		assert_int_equal(op.kind, cases[i].kind);
	}
	assert_int_equal(tp_torch_comm_op_of_kernel(TP_S("ncclKernel_ReduceScatter_RING_LL"), a).kind,
		TP_TORCH_COMM_SCATTERS);
	assert_int_equal(tp_torch_comm_op_of_kernel(TP_S("ncclDevKernel_Reduce_Sum_f32"), a).kind,
		TP_TORCH_COMM_ROOTED);
	tp_arena_free(a);
}

static void
bus_bytes_are_those_of_the_busiest_link(void **state)
{
	(void)state;
	assert_true(tp_torch_comm_bus_bytes(TP_TORCH_COMM_REDUCES, 800, 800, 4) == 1200);
	assert_true(tp_torch_comm_bus_bytes(TP_TORCH_COMM_GATHERS, 100, 400, 4) == 300);
	assert_true(tp_torch_comm_bus_bytes(TP_TORCH_COMM_GATHERS, 100, -1, 4) == 300);
	assert_true(tp_torch_comm_bus_bytes(TP_TORCH_COMM_SCATTERS, 400, 100, 4) == 300);
	assert_true(tp_torch_comm_bus_bytes(TP_TORCH_COMM_ROOTED, 400, 400, 4) == 400);
	assert_true(tp_torch_comm_bus_bytes(TP_TORCH_COMM_REDUCES, 800, 800, -1) == 0);
	assert_true(tp_torch_comm_bus_bytes(TP_TORCH_COMM_IS_BARRIER, 8, 8, 4) == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_times_types_are_bytes),
		cmocka_unit_test(elements_have_a_size_under_either_name),
		cmocka_unit_test(every_spelling_is_one_operation),
		cmocka_unit_test(bus_bytes_are_those_of_the_busiest_link),
	};

	return RUN(tests);
}
