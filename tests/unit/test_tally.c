/* Weights of two runs by name: what they have in common, how far shares moved, and in words. */
#include "base/arena.h"
#include "compare/tally.h"
#include "unit.h"

#include <math.h>

static void
test_common(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_tally t;

	(void)state;
	tp_tally_init(&t, arena);
	assert_true(isnan(tp_tally_common(&t, 0)));
	tp_tally_add(&t, TP_S("bf16"), 0, 90);
	tp_tally_add(&t, TP_S("f32"), 0, 6);
	tp_tally_add(&t, TP_S("f32"), 0, 3.5);
	tp_tally_add(&t, TP_S("u8"), 0, 0.5);
	tp_tally_add(&t, TP_S("f32"), 1, 30);
	tp_tally_add(&t, TP_S("f16"), 1, 10);
	tp_tally_add(&t, TP_S("bf16"), 1, 0);
	tp_tally_add(&t, TP_S("f16"), 1, NAN);
	assert_float_equal(tp_tally_common(&t, 0), 0.095, 1e-12);
	assert_float_equal(tp_tally_common(&t, 1), 0.75, 1e-12);
	assert_float_equal(tp_tally_moved(&t), 0.9, 1e-12);
	assert_true(tp_slice_eq(tp_tally_largest(&t, 1), TP_S("f32")));
	assert_true(tp_slice_eq(tp_tally_text(&t, 0, 4, true), TP_S("bf16 90\u202f%, f32 10\u202f%")));
	assert_true(tp_slice_eq(tp_tally_text(&t, 1, 1, false), TP_S("f32 and 1 more")));
	tp_tally_free(&t);
	tp_arena_free(arena);
}

/* min(20, 1) + min(4, 5.5) of 25.5. */
static void
test_overlap(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_tally t;

	(void)state;
	tp_tally_init(&t, arena);
	assert_true(isnan(tp_tally_overlap(&t)));
	assert_true(tp_tally_counts(&t, 0).len == 0);
	tp_tally_add(&t, TP_S("convolutions"), 0, 20);
	tp_tally_add(&t, TP_S("products"), 0, 5.5);
	assert_true(isnan(tp_tally_overlap(&t)));
	tp_tally_add(&t, TP_S("products"), 1, 4);
	tp_tally_add(&t, TP_S("convolutions"), 1, 1);
	assert_float_equal(tp_tally_overlap(&t), 5 / 25.5, 1e-12);
	assert_true(tp_slice_eq(tp_tally_counts(&t, 0), TP_S("convolutions 20, products 5.5")));
	assert_true(tp_slice_eq(tp_tally_counts(&t, 1), TP_S("convolutions 1, products 4")));
	tp_tally_free(&t);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_common),
		cmocka_unit_test(test_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
