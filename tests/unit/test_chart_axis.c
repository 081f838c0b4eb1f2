/* Axes: round ticks, few of them, in a unit that people use for such values. */
#include "unit.h"

#include "chart/axis.h"

static void
ticks_are_round_and_at_most_as_many_as_asked(void **state)
{
	(void)state;
	for (double largest = 1e-6; largest < 1e9; largest *= 1.37) {
		struct tp_axis axis = tp_axis_for(largest, TP_UNIT_COUNT, 5);

		assert_in_range(axis.ticks, 2, 5);
		assert_true((axis.ticks - 1) * axis.step <= axis.top);
		assert_true(axis.top >= largest);
	}
}

static void
a_step_of_196_ms_has_ticks_every_50_ms(void **state)
{
	struct tp_axis axis = tp_axis_for(196.4, TP_UNIT_MS, 5);
	char buf[TP_VALUE_BUF];

	(void)state;
	assert_float_equal(axis.step, 50, 1e-9);
	assert_int_equal(axis.ticks, 5);
	assert_text(tp_axis_tick(&axis, 4, false, buf), "200");
	assert_text(tp_axis_tick(&axis, 0, true, buf), "0\u202fms");
}

static void
the_unit_follows_the_largest_value(void **state)
{
	(void)state;
	assert_int_equal(tp_axis_for(128e9, TP_UNIT_PS, 5).unit, TP_UNIT_MS);
	assert_int_equal(tp_axis_for(12000, TP_UNIT_MS, 5).unit, TP_UNIT_S);
	assert_int_equal(tp_axis_for(119, TP_UNIT_S, 5).unit, TP_UNIT_S);
	assert_int_equal(tp_axis_for(120, TP_UNIT_S, 5).unit, TP_UNIT_MIN);
	assert_int_equal(tp_axis_for(3.94 * 3600e3, TP_UNIT_MS, 5).unit, TP_UNIT_H);
	assert_int_equal(tp_axis_for(0.02, TP_UNIT_MS, 5).unit, TP_UNIT_US);
	assert_int_equal(tp_axis_for(3e9, TP_UNIT_BYTES, 5).unit, TP_UNIT_GIB);
	assert_int_equal(tp_axis_for(1.0e6, TP_UNIT_BYTES, 5).unit, TP_UNIT_KIB);
	assert_int_equal(tp_axis_for(3e6, TP_UNIT_BYTES, 5).unit, TP_UNIT_MIB);
	/* As texts beside it: "peak 1.12 GiB"; room above changes nothing. */
	assert_int_equal(tp_axis_for(1.2e9, TP_UNIT_BYTES, 5).unit, TP_UNIT_GIB);
	assert_int_equal(tp_axis_for(1.0e9, TP_UNIT_BYTES, 5).unit, TP_UNIT_MIB);
	assert_int_equal(tp_axis_with_room(1.0e9, 1.1, TP_UNIT_BYTES, 5).unit, TP_UNIT_MIB);
	assert_int_equal(tp_axis_for(4096, TP_UNIT_BYTES, 5).unit, TP_UNIT_KIB);
	assert_int_equal(tp_axis_for(1000, TP_UNIT_BYTES, 5).unit, TP_UNIT_BYTES);
	assert_int_equal(tp_axis_for(0.3, TP_UNIT_SHARE, 5).unit, TP_UNIT_SHARE);
}

static void
nothing_still_has_an_axis(void **state)
{
	(void)state;
	assert_true(tp_axis_for(0, TP_UNIT_MS, 5).top > 0);
	assert_true(tp_axis_for(-3, TP_UNIT_MS, 5).top > 0);
	assert_true(tp_axis_for(1.0 / 0.0, TP_UNIT_MS, 5).top > 0);
}

static void
tick_labels_have_the_decimals_that_the_step_needs(void **state)
{
	struct tp_axis axis = tp_axis_for(0.9, TP_UNIT_S, 5);
	char buf[TP_VALUE_BUF];

	(void)state;
	axis = tp_axis_for(2.4, TP_UNIT_S, 6);
	assert_float_equal(axis.step, 0.5, 1e-9);
	assert_text(tp_axis_tick(&axis, 0, true, buf), "0\u202fs");
	assert_text(tp_axis_tick(&axis, 1, false, buf), "0.5");
	assert_text(tp_axis_tick(&axis, 4, false, buf), "2.0");
}

static void
a_stride_thins_points_to_a_few(void **state)
{
	(void)state;
	assert_int_equal(tp_axis_stride(6, 7), 1);
	assert_int_equal(tp_axis_stride(60, 7), 10);
	assert_int_equal(tp_axis_stride(240, 7), 50);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_round_and_at_most_as_many_as_asked),
		cmocka_unit_test(a_step_of_196_ms_has_ticks_every_50_ms),
		cmocka_unit_test(the_unit_follows_the_largest_value),
		cmocka_unit_test(nothing_still_has_an_axis),
		cmocka_unit_test(tick_labels_have_the_decimals_that_the_step_needs),
		cmocka_unit_test(a_stride_thins_points_to_a_few),
	};

	return RUN(tests);
}
