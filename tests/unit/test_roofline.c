/* What some work reached of each limit, and what it is bound by. */
#include "analyze/roofline/roofline.h"

#include <math.h>

#include "unit.h"

static const double peak[TP_OP_LIMITS] = {[TP_PEAK_FLOP] = 1e14, [TP_PEAK_HBM] = 1e12};

static void
work_is_bound_by_what_it_uses_most_of(void **state)
{
	/* 50 TFLOP and 0.2 TB in one second: 50 % of compute, 20 % of memory. */
	struct tp_roof r = {.amount = {[TP_PEAK_FLOP] = 5e13, [TP_PEAK_HBM] = 2e11}, .time_ps = 1e12};

	(void)state;
	tp_roof_find(&r, peak);
	assert_int_equal(r.bound, TP_PEAK_FLOP);
	assert_float_equal(r.efficiency, .5, 1e-12);
	assert_float_equal(r.intensity, 250, 1e-9);
	assert_float_equal(r.share[TP_PEAK_HBM], .2, 1e-12);
	assert_false(r.impossible);
	r.amount[TP_PEAK_HBM] = 9e11;
	tp_roof_find(&r, peak);
	assert_int_equal(r.bound, TP_PEAK_HBM);
	assert_float_equal(r.efficiency, .9, 1e-12);
}

static void
a_limit_without_a_peak_binds_nothing(void **state)
{
	struct tp_roof r = {
		.amount = {[TP_PEAK_FLOP] = 1e12, [TP_PEAK_VMEM_READ] = 1e15}, .time_ps = 1e12};

	(void)state;
	tp_roof_find(&r, peak);
	assert_int_equal(r.bound, TP_PEAK_FLOP);
	assert_true(isnan(r.share[TP_PEAK_VMEM_READ]));
	assert_float_equal(r.rate[TP_PEAK_VMEM_READ], 1e15, 1);
	assert_true(isnan(r.intensity)); /* no bytes of HBM */
}

static void
no_work_and_no_time_are_not_zero(void **state)
{
	struct tp_roof idle = {.time_ps = 1e12}, instant = {.amount = {[TP_PEAK_FLOP] = 5}};

	(void)state;
	tp_roof_find(&idle, peak);
	assert_int_equal(idle.bound, TP_PEAK_COUNT);
	assert_true(isnan(idle.efficiency) && isnan(idle.intensity));
	tp_roof_find(&instant, peak);
	assert_int_equal(instant.bound, TP_PEAK_COUNT);
	assert_true(isnan(instant.rate[TP_PEAK_FLOP]));
}

static void
more_than_possible_was_not_done_in_that_time(void **state)
{
	struct tp_roof r = {.amount = {[TP_PEAK_HBM] = 1.2e12}, .time_ps = 1e12};

	(void)state;
	tp_roof_find(&r, peak);
	assert_false(r.impossible); /* clocks and estimates are off by that much */
	r.amount[TP_PEAK_HBM] = 1.3e12;
	tp_roof_find(&r, peak);
	assert_true(r.impossible);
}

static void
every_limit_has_a_name(void **state)
{
	(void)state;
	for (int k = 0; k < TP_OP_LIMITS; k++)
		assert_true(tp_op_limit((enum tp_peak_kind)k).len > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_is_bound_by_what_it_uses_most_of),
		cmocka_unit_test(a_limit_without_a_peak_binds_nothing),
		cmocka_unit_test(no_work_and_no_time_are_not_zero),
		cmocka_unit_test(more_than_possible_was_not_done_in_that_time),
		cmocka_unit_test(every_limit_has_a_name),
	};

	return RUN(tests);
}
