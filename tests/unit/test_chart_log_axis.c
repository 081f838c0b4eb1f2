/* Logarithmic axes: whole decades around the values, ticks that people can read. */
#include "unit.h"

#include "chart/axis.h"

static void
values_lie_within_whole_decades(void **state)
{
	struct tp_log_axis axis = tp_log_axis_for(0.03, 560, 7);

	(void)state;
	assert_int_equal(axis.low, -2);
	assert_int_equal(axis.high, 3);
	assert_int_equal(axis.step, 1);
	assert_float_equal(tp_log_axis_at(&axis, 0.01), 0, 1e-12);
	assert_float_equal(tp_log_axis_at(&axis, 1000), 1, 1e-12);
	assert_float_equal(tp_log_axis_at(&axis, 1), 0.4, 1e-12);
}

static void
a_value_on_a_decade_needs_no_further_one(void **state)
{
	struct tp_log_axis axis = tp_log_axis_for(1000, 1e6, 7);

	(void)state;
	assert_int_equal(axis.low, 3);
	assert_int_equal(axis.high, 6);
	axis = tp_log_axis_for(100, 100, 7);
	assert_int_equal(axis.low, 2);
	assert_int_equal(axis.high, 3);
}

static void
many_decades_have_few_ticks(void **state)
{
	(void)state;
	for (int decades = 1; decades < 40; decades++) {
		struct tp_log_axis axis = tp_log_axis_for(1e-20, 1e-20 * __builtin_powi(10, decades), 7);
		int ticks = 0;

		while (tp_log_axis_exponent(&axis, ticks) <= axis.high) {
			assert_true(tp_log_axis_exponent(&axis, ticks) >= axis.low);
			assert_int_equal(tp_log_axis_exponent(&axis, ticks) % axis.step, 0);
			ticks++;
		}
		assert_in_range(ticks, 1, 7);
	}
}

static void
ticks_are_said_in_words(void **state)
{
	static const struct {
		int exponent;
		bool si;
		const char *text;
	} cases[] = {
		{0, false, "1"},
		{2, false, "100"},
		{3, false, "1,000"},
		{5, false, "100,000"},
		{6, false, "1e6"},
		{-1, false, "0.1"},
		{-6, false, "0.000001"},
		{-7, false, "1e-7"},
		{0, true, "1"},
		{3, true, "1\u202fK"},
		{10, true, "10\u202fG"},
		{11, true, "100\u202fG"},
		{12, true, "1\u202fT"},
		{15, true, "1\u202fP"},
		{-1, true, "100\u202fm"},
		{-3, true, "1\u202fm"},
		{-4, true, "100\u202fµ"},
		{24, true, "1e24"},
		{-15, true, "1e-15"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char buf[TP_LOG_TICK_BUF];

		assert_text(tp_log_axis_tick(cases[i].exponent, cases[i].si, buf), cases[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_lie_within_whole_decades),
		cmocka_unit_test(a_value_on_a_decade_needs_no_further_one),
		cmocka_unit_test(many_decades_have_few_ticks),
		cmocka_unit_test(ticks_are_said_in_words),
	};

	return RUN(tests);
}
