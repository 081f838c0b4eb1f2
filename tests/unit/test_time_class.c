/* HLO categories fall into the classes of time that the report's definitions give them. */
#include "analyze/core/time_class.h"

#include "unit.h"

static void
categories_have_their_class(void **state)
{
	static const struct {
		const char *category;
		enum tp_class class;
	} cases[] = {
		{"infeed", TP_CLASS_INPUT_WAIT},
		{"outfeed", TP_CLASS_OUTPUT},
		{"sparsecorev0 infeed", TP_CLASS_SPARSE_CORE},
		{"sparsecorev0 infeed wait", TP_CLASS_SPARSE_CORE},
		{"sparsecorev0 infeed transform", TP_CLASS_COMPUTE},
		{"sparsecorev0 outfeed", TP_CLASS_COMPUTE},
		{"host send-done", TP_CLASS_HOST_TRANSFER},
		{"send", TP_CLASS_SEND_RECV},
		{"recv-done", TP_CLASS_SEND_RECV},
		{"all-reduce", TP_CLASS_COLLECTIVE},
		{"all-reduce-start", TP_CLASS_COLLECTIVE},
		{"all-gather-done", TP_CLASS_COLLECTIVE},
		{"collective-permute", TP_CLASS_COLLECTIVE},
		{"convolution fusion", TP_CLASS_COMPUTE},
		{"copy-done", TP_CLASS_COMPUTE},
		{"", TP_CLASS_COMPUTE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(tp_class_of_category(tp_slice_of(cases[i].category)), cases[i].class);
}

static void
every_class_has_a_key_a_label_and_a_definition(void **state)
{
	(void)state;
	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		const struct tp_class_info *info = tp_class_info((enum tp_class)c);

		assert_non_null(info->key);
		assert_non_null(info->label);
		assert_non_null(info->how);
		assert_int_not_equal(info->hue, TP_HUE_NONE);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(categories_have_their_class),
		cmocka_unit_test(every_class_has_a_key_a_label_and_a_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
