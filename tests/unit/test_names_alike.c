/* Names that begin alike: what is left out of them, so that rows can be told apart. */
#include "base/arena.h"
#include "render/names_alike.h"
#include "unit.h"

#include <string.h>

/* The name without what is alike, "~" for each piece of it. */
static const char *
shown(const char *name, struct tp_alike a, struct tp_arena *arena)
{
	if (a.head == 0 && a.again == 0)
		return name;
	if (a.again == 0)
		return tp_arena_printf(arena, "~%s", name + a.head).ptr;
	return tp_arena_printf(arena, "%s%.*s~%s", a.head != 0 ? "~" : "", (int)(a.again - a.head),
		name + a.head, name + a.again_end)
		.ptr;
}

static void
check(uint32_t room, size_t count, const char *const names[][2])
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_column column = {.key = TP_S("op"), .code = true};
	struct tp_row *rows = tp_new_array(arena, struct tp_row, count);
	struct tp_table table = {
		.columns = &column, .column_count = 1, .rows = rows, .row_count = count};

	for (size_t i = 0; i < count; i++) {
		struct tp_cell *cell = tp_new(arena, struct tp_cell);

		cell->value = (struct tp_value){.kind = TP_VALUE_TEXT, .text = tp_slice_of(names[i][0])};
		rows[i].cells = cell;
	}
	const struct tp_alike *alike = tp_names_alike(&table, 0, room, arena);

	for (size_t i = 0; i < count; i++)
		assert_string_equal(
			alike != NULL ? shown(names[i][0], alike[i], arena) : names[i][0], names[i][1]);
	column.code = false;
	assert_null(tp_names_alike(&table, 0, room, arena));
	tp_arena_free(arena);
}

#define BODY "jit(train_step)/jit(main)/decoder/while/body/"
#define CHECK(names) check(40, sizeof(names) / sizeof *(names), names)

static void
names_that_differ_soon_are_whole(void **state)
{
	static const char *const names[][2] = {{"fusion.1", "fusion.1"}, {"fusion.2", "fusion.2"},
		{"jit(train_step)/jit(main)/add", "jit(train_step)/jit(main)/add"}, {"", ""}};

	(void)state;
	CHECK(names);
}

static void
what_all_begin_with_is_left_out(void **state)
{
	static const char *const names[][2] = {{BODY "mlp/dot_general", "~mlp/dot_general"},
		{BODY "attention/dot", "~attention/dot"}, {"copy.1", "copy.1"},
		{BODY "mlp/dot_general", "~mlp/dot_general"}};

	(void)state;
	CHECK(names);
}

static void
what_some_still_have_in_common_is_left_out_behind_what_tells_them_from_the_rest(void **state)
{
	static const char *const names[][2] = {
		{BODY "layers/checkpoint/self_attention/rematted_computation/query/dot",
			"~checkpoint/~query/dot"},
		{BODY "layers/checkpoint/self_attention/rematted_computation/key/dot",
			"~checkpoint/~key/dot"},
		{BODY "layers/again/mul", "~again/mul"}};

	(void)state;
	CHECK(names);
}

static void
what_differs_in_arguments_stays_with_what_stands_before_them(void **state)
{
	static const char *const names[][2] = {
		{BODY "dot_general[dimension_numbers=(((2,), (0,)), ((), ())) precision=None]",
			"~dot_general[~(0,)), ((), ())) precision=None]"},
		{BODY "dot_general[dimension_numbers=(((2,), (1,)), ((), ())) precision=None]",
			"~dot_general[~(1,)), ((), ())) precision=None]"},
		{"void at::native::vectorized_kernel<4, at::native::BinaryAdd<float, float>>(int, char)",
			"~vectorized_kernel<~BinaryAdd<float, float>>(int, char)"},
		{"void at::native::vectorized_kernel<4, at::native::BinaryMul<float, float>>(int, char)",
			"~vectorized_kernel<~BinaryMul<float, float>>(int, char)"}};

	(void)state;
	CHECK(names);
}

#define PIPELINE "Iterator::Shard::Prefetch::Repeat::Window::Filter::"

static void
behind_arguments_a_name_has_parts_again(void **state)
{
	static const char *const names[][2] = {{PIPELINE "ParallelInterleaveV3[39]::FlatMap[0]::Record",
											   "~ParallelInterleaveV3[39]::FlatMap[0]::Record"},
		{PIPELINE "ParallelInterleaveV3[7]::FlatMap[0]::Record",
			"~ParallelInterleaveV3[7]::FlatMap[0]::Record"},
		{PIPELINE "Map[7]::FlatMap[0]::TextLine", "~Map[7]::FlatMap[0]::TextLine"},
		{PIPELINE "Map[7]::FlatMap[0]::Zip", "~Map[7]::FlatMap[0]::Zip"}};

	static const char *const nested[][2] = {
		{PIPELINE "ParallelInterleaveV3[39]::FlatMap[0]", "~ParallelInterleaveV3[39]::FlatMap[0]"},
		{PIPELINE "ParallelInterleaveV3[39]::FlatMap[0]::Record",
			"~ParallelInterleaveV3[39]::FlatMap[0]::Record"},
		{PIPELINE "ParallelInterleaveV3[7]::FlatMap[0]", "~ParallelInterleaveV3[7]::FlatMap[0]"},
		{PIPELINE "ParallelInterleaveV3[7]::FlatMap[0]::Record",
			"~ParallelInterleaveV3[7]::FlatMap[0]::Record"},
		{PIPELINE "ParallelInterleaveV3[8]::FlatMap[0]", "~ParallelInterleaveV3[8]::FlatMap[0]"},
		{PIPELINE "ParallelInterleaveV3[8]::FlatMap[0]::Record",
			"~ParallelInterleaveV3[8]::FlatMap[0]::Record"}};

	(void)state;
	check(32, sizeof names / sizeof *names, names);
	check(32, sizeof nested / sizeof *nested, nested);
}

static void
names_of_one_ending_keep_the_part_that_differs_before_it(void **state)
{
	static const char *const names[][2] = {
		{BODY "forward/attention/splash_attention_of_many_heads/kernel_dkv/call",
			"~forward/~kernel_dkv/call"},
		{BODY "forward/attention/splash_attention_of_many_heads/kernel_dq/call",
			"~forward/~kernel_dq/call"},
		{BODY "backward/attention/splash_attention_of_many_heads/kernel_dkv/call",
			"~backward/~kernel_dkv/call"},
		{BODY "backward/attention/splash_attention_of_many_heads/kernel_dq/call",
			"~backward/~kernel_dq/call"}};

	(void)state;
	CHECK(names);
}

static void
names_without_parts_are_cut_at_words(void **state)
{
	static const char *const names[][2] = {
		{"Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT128x64", "~MT128x64"},
		{"Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT64x32", "~MT64x32"},
		{"loooooooooooooooooooooooooooooooooooooooooooooongA",
			"loooooooooooooooooooooooooooooooooooooooooooooongA"},
		{"loooooooooooooooooooooooooooooooooooooooooooooongB",
			"loooooooooooooooooooooooooooooooooooooooooooooongB"}};

	(void)state;
	CHECK(names);
}

static void
what_tells_names_of_one_ending_apart_stays(void **state)
{
	static const char *const names[][2] = {
		{"vectorized_elementwise_kernel<AddFunctor>", "vectorized_~kernel<AddFunctor>"},
		{"vectorized_elementwise_kernel<MulFunctor>", "vectorized_~kernel<MulFunctor>"},
		{"unrolled_elementwise_kernel<AddFunctor>", "unrolled_~kernel<AddFunctor>"},
		{"unrolled_elementwise_kernel<SubFunctor>", "unrolled_~kernel<SubFunctor>"},
		{"gradients/conv1/Conv2DBackpropInput:Conv2DBackpropInput",
			"~conv1/Conv2DBackpropInput:Conv2DBackpropInput"},
		{"gradients/conv1/Conv2DBackpropFilter:Conv2DBackpropFilter",
			"~conv1/Conv2DBackpropFilter:Conv2DBackpropFilter"},
		{"gradients/conv2/Conv2DBackpropInput:Conv2DBackpropInput",
			"~conv2/Conv2DBackpropInput:Conv2DBackpropInput"},
		{"gradients/conv2/Conv2DBackpropFilter:Conv2DBackpropFilter",
			"~conv2/Conv2DBackpropFilter:Conv2DBackpropFilter"}};

	(void)state;
	check(20, sizeof names / sizeof *names, names);
}

static void
what_is_alike_still_is_cut_before_the_difference(void **state)
{
	/* The first name stands in three rows. */
	static const char *const deep[][2] = {
		{BODY "layers/checkpoint/mlp_of_all_experts_together/wi_0/dot_general",
			"~wi_0/dot_general"},
		{BODY "layers/checkpoint/mlp_of_all_experts_together/wi_0/dot_general",
			"~wi_0/dot_general"},
		{BODY "layers/checkpoint/mlp_of_all_experts_together/wi_0/dot_general",
			"~wi_0/dot_general"},
		{BODY "layers/checkpoint/mlp_of_all_experts_together/wi_1/dot_general",
			"~wi_1/dot_general"},
		{BODY "layers/checkpoint/self_attention/rematted_computation/query/dot",
			"~checkpoint/self_attention/~query/dot"},
		{BODY "layers/checkpoint/self_attention/rematted_computation/key/dot",
			"~checkpoint/self_attention/~key/dot"},
		{BODY "layers/again/mul", "~again/mul"}};
	static const char *const stacks[][2] = {
		{"main.py:1 <module> › main.py:20 run_engine_core › model.py:5 first", "~model.py:5 first"},
		{"main.py:1 <module> › main.py:20 run_engine_core › model.py:5 second",
			"~model.py:5 second"},
		{"other.py:7 <module> › f", "other.py:7 <module> › f"}};

	(void)state;
	CHECK(deep);
	CHECK(stacks);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_differ_soon_are_whole),
		cmocka_unit_test(what_all_begin_with_is_left_out),
		cmocka_unit_test(
			what_some_still_have_in_common_is_left_out_behind_what_tells_them_from_the_rest),
		cmocka_unit_test(what_differs_in_arguments_stays_with_what_stands_before_them),
		cmocka_unit_test(behind_arguments_a_name_has_parts_again),
		cmocka_unit_test(names_of_one_ending_keep_the_part_that_differs_before_it),
		cmocka_unit_test(names_without_parts_are_cut_at_words),
		cmocka_unit_test(what_tells_names_of_one_ending_apart_stays),
		cmocka_unit_test(what_is_alike_still_is_cut_before_the_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
