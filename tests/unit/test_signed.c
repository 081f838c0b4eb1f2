/* Differences in words: a sign before what is above 0, percentages with as many decimals as they need, points of shares. */
#include "base/arena.h"
#include "compare/signed.h"
#include "unit.h"

static void
test_texts(void **state)
{
	static const struct {
		struct tp_value value;
		const char *text;
	} cases[] = {
		{{.kind = TP_VALUE_NUMBER, .unit = TP_UNIT_MS, .number = 2}, "+2.00\u202fms"},
		{{.kind = TP_VALUE_NUMBER, .unit = TP_UNIT_SHARE, .number = 0.041}, "+4.1\u202f%"},
		{{.kind = TP_VALUE_NUMBER, .unit = TP_UNIT_SHARE, .number = -0.041}, "\u22124.1\u202f%"},
		{{.kind = TP_VALUE_NUMBER, .unit = TP_UNIT_SHARE, .number = -0.00032},
			"\u22120.032\u202f%"},
		{{.kind = TP_VALUE_NUMBER, .unit = TP_UNIT_SHARE, .number = 0}, "0\u202f%"},
	};
	struct tp_arena *arena = tp_arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(tp_slice_eq(tp_signed_text(arena, cases[i].value), tp_slice_of(cases[i].text)));
	tp_arena_free(arena);
}

static void
test_changes(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_value ms = tp_number(2, TP_UNIT_MS), us = tp_number(2100, TP_UNIT_US);
	struct tp_value some = tp_number(0.5, TP_UNIT_SHARE), more = tp_number(0.504, TP_UNIT_SHARE);

	(void)state;
	assert_true(tp_slice_eq(tp_signed_change(arena, ms, us), TP_S("+5.0\u202f%")));
	assert_true(tp_slice_eq(tp_signed_change(arena, some, more), TP_S("+0.4\u202fpp")));
	assert_true(tp_slice_eq(tp_signed_change(arena, tp_number(0, TP_UNIT_MS), ms), TP_S("")));
	assert_true(tp_slice_eq(tp_signed_change(arena, tp_missing(TP_S("why")), ms), TP_S("")));
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
