/* FLOP of operators by their input shapes. */
#include "unit.h"

#include "analyze/facts/torch_flops.h"

static uint64_t
flops(const char *name, const char *shapes, const char *inputs)
{
	return tp_torch_flops(tp_slice_of(name), tp_slice_of(shapes), tp_slice_of(inputs));
}

static void
products_are_two_for_each_pair(void **state)
{
	(void)state;
	assert_int_equal(flops("aten::mm", "[[4,10],[10,7200]]", ""), 2 * 4 * 10 * 7200);
	assert_int_equal(flops("aten::addmm", "[[10],[4,7200],[7200,10],[],[]]", ""), 576000);
	assert_int_equal(flops("aten::bmm", "[[3,4,5],[3,5,6]]", ""), 2 * 3 * 4 * 5 * 6);
	assert_int_equal(flops("aten::baddbmm", "[[3,4,6],[3,4,5],[3,5,6]]", ""), 2 * 3 * 4 * 5 * 6);
}

static void
a_convolution_counts_each_place_of_its_output(void **state)
{
	(void)state;
	assert_int_equal(
		flops("aten::convolution", "[[4,3,32,32],[8,3,3,3],[8],[],[],[],[],[],[]]",
			"[\"\",\"\",\"\",\"[1, 1]\",\"[0, 0]\",\"[1, 1]\",\"False\",\"[0, 0]\",\"1\"]"),
		1555200);
	assert_int_equal(flops("aten::convolution", "[[1,2,10],[4,2,3]]",
						 "[\"\",\"\",\"\",\"[2]\",\"[1]\",\"[2]\",\"False\",\"[0]\",\"1\"]"),
		2 * 4 * 4 * 2 * 3);
	/* A transposed one spreads each place of its input. */
	assert_int_equal(flops("aten::convolution", "[[1,4,10],[4,2,3]]",
						 "[\"\",\"\",\"\",\"[2]\",\"[0]\",\"[1]\",\"True\",\"[0]\",\"1\"]"),
		2 * 10 * 4 * 2 * 3);
	/* Groups: each channel meets those of its group alone, as the weight's sizes tell. */
	assert_int_equal(flops("aten::convolution", "[[1,4,10],[4,1,3]]",
						 "[\"\",\"\",\"\",\"[1]\",\"[0]\",\"[1]\",\"False\",\"[0]\",\"4\"]"),
		2 * 8 * 4 * 1 * 3);
}

static void
its_backward_is_as_much_for_each_gradient(void **state)
{
	static const char shapes[] = "[[4,8,30,30],[4,3,32,32],[8,3,3,3],[],[]]";
	char inputs[200];

	(void)state;
	for (int mask = 0; mask < 4; mask++) {
		snprintf(inputs, sizeof inputs,
			"[\"\",\"\",\"\",\"[8]\",\"[1, 1]\",\"[0, 0]\",\"[1, 1]\",\"False\",\"[0, 0]\",\"1\","
			"\"[%s, %s, True]\"]",
			mask & 1 ? "True" : "False", mask & 2 ? "True" : "False");
		assert_int_equal(flops("aten::convolution_backward", shapes, inputs),
			1555200 * ((mask & 1) + (mask >> 1)));
	}
}

static void
attention_is_two_products_and_five_backward(void **state)
{
	static const char of_three[] = "[[2,4,7,8],[2,4,9,8],[2,4,9,16],[]]";

	(void)state;
	assert_int_equal(flops("aten::_scaled_dot_product_flash_attention", of_three, ""),
		2 * 2 * 4 * 7 * 9 * (8 + 16));
	assert_int_equal(flops("aten::_scaled_dot_product_efficient_attention_backward",
						 "[[2,4,7,16],[2,4,7,8],[2,4,9,8],[2,4,9,16]]", ""),
		2 * 2 * 4 * 7 * 9 * (3 * 8 + 2 * 16));
}

static void
what_does_not_fit_is_not_known(void **state)
{
	static const struct {
		const char *name, *shapes, *inputs;
	} cases[] = {
		{"aten::add", "[[4,10],[10,5]]", ""},
		{"aten::mm", "", ""},
		{"aten::mm", "[]", ""},
		{"aten::mm", "[[4,10]]", ""},
		{"aten::mm", "[[4,10],[11,5]]", ""},
		{"aten::mm", "[[4],[4]]", ""},
		{"aten::mm", "[[[4,10]],[10,5]]", ""},
		{"aten::mm", "[[4,10],[10", ""},
		{"aten::mm", "[[4,10],[10,99999999999999999999999]]", ""},
		{"aten::mm", "[[1,2,3,4,5,6,7,8,9,10],[10,5]]", ""},
		{"aten::convolution", "[[4,3,32,32],[8,3,3,3],[8]]", ""},
		{"aten::convolution", "[[4,3,32,32],[8,3,3,3],[8]]", "[\"\",\"\",\"\",\"[0, 0]\"]"},
		{"aten::convolution", "[[1,2,1],[4,2,3]]",
			"[\"\",\"\",\"\",\"[1]\",\"[0]\",\"[1]\",\"False\",\"[0]\",\"1\"]"},
		{"aten::convolution_backward", "[[4,8,30,30],[4,3,32,32],[8,3,3,3]]", ""},
		{"aten::_scaled_dot_product_flash_attention", "[[2,4,7,8],[2,4,9,8]]", ""},
		{"aten::convolution", "[[1,2,9],[4,2,3]]", "[\"\",\"\",\"\",\"\"\"\"\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(flops(cases[i].name, cases[i].shapes, cases[i].inputs), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_are_two_for_each_pair),
		cmocka_unit_test(a_convolution_counts_each_place_of_its_output),
		cmocka_unit_test(its_backward_is_as_much_for_each_gradient),
		cmocka_unit_test(attention_is_two_products_and_five_backward),
		cmocka_unit_test(what_does_not_fit_is_not_known),
	};

	return RUN(tests);
}
