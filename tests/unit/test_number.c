/* Numbers into words. A narrow no-break space stands before units, and U+2212 is the minus sign. */
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"

#define NNBSP "\u202f"

static struct tp_slice
shown(double number, enum tp_unit unit)
{
	static char buf[TP_VALUE_BUF];

	return tp_value_text(tp_number(number, unit), buf);
}

static struct tp_slice
shown_integer(int64_t integer, enum tp_unit unit)
{
	static char buf[TP_VALUE_BUF];

	return tp_value_text(tp_integer(integer, unit), buf);
}

static struct tp_slice
fixed(struct tp_value v, enum tp_unit unit, int decimals)
{
	static char buf[TP_VALUE_BUF];

	return tp_value_fixed(v, unit, decimals, buf);
}

static struct tp_slice
raw(struct tp_value v)
{
	static char buf[TP_VALUE_BUF];

	return tp_value_raw(v, buf);
}

static void
figures_have_three_significant_digits(void **state)
{
	(void)state;
	assert_text(shown(126.3, TP_UNIT_MS), "126" NNBSP "ms");
	assert_text(shown(48.71, TP_UNIT_MS), "48.7" NNBSP "ms");
	assert_text(shown(45.83, TP_UNIT_NONE), "45.8");
	assert_text(shown(918e12, TP_UNIT_FLOP_PER_S), "918" NNBSP "TFLOP/s");
	assert_text(shown(12.34, TP_UNIT_FLOP_PER_BYTE), "12.3" NNBSP "FLOP/B");
}

static void
parts_of_a_step_stay_in_ms(void **state)
{
	(void)state;
	assert_text(shown(0.6, TP_UNIT_MS), "0.600" NNBSP "ms");
	assert_text(shown(0.05, TP_UNIT_MS), "50.0" NNBSP "µs");
}

static void
unit_of_a_time_goes_by_its_size(void **state)
{
	(void)state;
	assert_text(shown_integer(5, TP_UNIT_PS), "5" NNBSP "ps");
	assert_text(shown_integer(5500, TP_UNIT_PS), "5.50" NNBSP "ns");
	assert_text(shown_integer(600000000, TP_UNIT_PS), "600" NNBSP "µs");
	assert_text(shown(0.126, TP_UNIT_S), "126" NNBSP "ms");
	assert_text(shown(119, TP_UNIT_S), "119" NNBSP "s");
	assert_text(shown(120, TP_UNIT_S), "2.00" NNBSP "min");
	assert_text(shown(119 * 60, TP_UNIT_S), "119" NNBSP "min");
	assert_text(shown(120 * 60, TP_UNIT_S), "2.00" NNBSP "h");
}

static void
rounding_up_moves_to_the_next_unit(void **state)
{
	(void)state;
	assert_text(shown(999.4, TP_UNIT_MS), "999" NNBSP "ms");
	assert_text(shown(999.6, TP_UNIT_MS), "1.00" NNBSP "s");
	assert_text(shown(9.996, TP_UNIT_MS), "10.0" NNBSP "ms");
	assert_text(shown(119.96, TP_UNIT_S), "2.00" NNBSP "min");
	assert_text(shown_integer(1048575, TP_UNIT_BYTES), "1.00" NNBSP "MiB");
}

static void
counts_are_whole_with_commas(void **state)
{
	(void)state;
	assert_text(shown_integer(3994, TP_UNIT_COUNT), "3,994");
	assert_text(shown_integer(36100000, TP_UNIT_COUNT), "36,100,000");
	assert_text(shown(3994.3, TP_UNIT_COUNT), "3,994");
	assert_text(shown_integer(INT64_MIN, TP_UNIT_COUNT), "−9,223,372,036,854,775,808");
}

static void
shares_have_one_decimal(void **state)
{
	(void)state;
	assert_text(shown(0.62, TP_UNIT_SHARE), "62.0" NNBSP "%");
	assert_text(shown(0, TP_UNIT_SHARE), "0.0" NNBSP "%");
	assert_text(shown(0.9999, TP_UNIT_SHARE), "100.0" NNBSP "%");
	assert_text(shown_integer(1, TP_UNIT_SHARE), "100.0" NNBSP "%");
}

static void
tiny_share_is_not_shown_as_zero(void **state)
{
	(void)state;
	assert_text(shown(0.0000056, TP_UNIT_SHARE), "<0.1" NNBSP "%");
	assert_text(shown(0.00099, TP_UNIT_SHARE), "<0.1" NNBSP "%");
	assert_text(shown(0.001, TP_UNIT_SHARE), "0.1" NNBSP "%");
	assert_text(shown(-1e-12, TP_UNIT_SHARE), "<0.1" NNBSP "%");
}

static void
share_is_as_small_in_a_column_as_in_a_sentence(void **state)
{
	(void)state;
	assert_text(fixed(tp_number(0.0006, TP_UNIT_SHARE), TP_UNIT_SHARE, 1), "<0.1");
	assert_text(shown(0.0006, TP_UNIT_SHARE), "<0.1" NNBSP "%");
	assert_text(fixed(tp_number(0.001, TP_UNIT_SHARE), TP_UNIT_SHARE, 1), "0.1");
	assert_text(fixed(tp_number(0.0006, TP_UNIT_SHARE), TP_UNIT_SHARE, 2), "0.06");
	assert_text(fixed(tp_number(0.00006, TP_UNIT_SHARE), TP_UNIT_SHARE, 2), "<0.01");
	assert_text(fixed(tp_number(-0.0006, TP_UNIT_SHARE), TP_UNIT_SHARE, 1), "<0.1");
	assert_text(shown(-0.0006, TP_UNIT_SHARE), "<0.1" NNBSP "%");
	assert_text(shown(-0.25, TP_UNIT_SHARE), "−25.0" NNBSP "%");
	assert_text(fixed(tp_number(0, TP_UNIT_SHARE), TP_UNIT_SHARE, 1), "0.0");
}

static void
factors_have_two_digits_under_ten(void **state)
{
	(void)state;
	assert_text(shown(2.63, TP_UNIT_TIMES), "2.6×");
	assert_text(shown(0.5, TP_UNIT_TIMES), "0.50×");
	assert_text(shown(9.96, TP_UNIT_TIMES), "10×");
	assert_text(shown(21.34, TP_UNIT_TIMES), "21.3×");
}

static void
bytes_go_by_powers_of_1024(void **state)
{
	(void)state;
	assert_text(shown_integer(512, TP_UNIT_BYTES), "512" NNBSP "B");
	assert_text(shown_integer(1023, TP_UNIT_BYTES), "1,023" NNBSP "B");
	assert_text(shown_integer(1024, TP_UNIT_BYTES), "1.00" NNBSP "KiB");
	assert_text(shown(3446707814.0, TP_UNIT_BYTES), "3.21" NNBSP "GiB");
	assert_text(shown(2048, TP_UNIT_MIB), "2.00" NNBSP "GiB");
}

static void
bandwidth_goes_by_powers_of_1000(void **state)
{
	(void)state;
	assert_text(shown(450, TP_UNIT_GB_PER_S), "450" NNBSP "GB/s");
	assert_text(shown(3.35e12, TP_UNIT_BYTES_PER_S), "3.35" NNBSP "TB/s");
}

static void
links_go_by_powers_of_1024(void **state)
{
	(void)state;
	assert_text(shown(24.4, TP_UNIT_GIB_PER_S), "24.4" NNBSP "GiB/s");
	assert_text(shown(0.5, TP_UNIT_GIB_PER_S), "512" NNBSP "MiB/s");
}

static void
zero_keeps_its_unit(void **state)
{
	(void)state;
	assert_text(shown(0, TP_UNIT_MS), "0" NNBSP "ms");
	assert_text(shown(-0.0, TP_UNIT_MS), "0" NNBSP "ms");
	assert_text(shown(0, TP_UNIT_GIB), "0" NNBSP "B");
}

static void
negative_numbers_use_the_minus_sign(void **state)
{
	(void)state;
	assert_text(shown(-5.5, TP_UNIT_MS), "−5.50" NNBSP "ms");
	assert_text(shown(-0.0234, TP_UNIT_SHARE), "−2.3" NNBSP "%");
}

static void
date_is_in_utc(void **state)
{
	(void)state;
	assert_text(shown_integer(1795228901000000000, TP_UNIT_UNIX_NS), "2026-11-21 02:41:41 UTC");
	assert_text(shown_integer(-1, TP_UNIT_UNIX_NS), "1969-12-31 23:59:59 UTC");
}

static void
missing_is_a_dash(void **state)
{
	char buf[TP_VALUE_BUF];

	(void)state;
	assert_text(tp_value_text(tp_missing(TP_S("why")), buf), "–");
	assert_text(fixed(tp_missing(TP_S("why")), TP_UNIT_MS, 1), "–");
	assert_text(raw(tp_missing(TP_S("why"))), "-");
}

static void
what_is_not_finite_is_missing(void **state)
{
	(void)state;
	assert_false(tp_known(tp_number(NAN, TP_UNIT_MS)));
	assert_false(tp_known(tp_number(-INFINITY, TP_UNIT_MS)));
	assert_text(tp_number(INFINITY, TP_UNIT_MS).text, "not a number");
}

static void
ratio_of_nothing_is_missing(void **state)
{
	struct tp_value v = tp_share(1, 0, TP_S("no steps"));

	(void)state;
	assert_false(tp_known(v));
	assert_text(v.text, "no steps");
	assert_true(tp_share(0, 4, TP_S("no steps")).number == 0);
}

/* The largest and smallest numbers of every unit stay within the buffer (the sanitizer watches). */
static void
extreme_numbers_fit_the_buffer(void **state)
{
	static const double extremes[] = {
		1.7976931348623157e308, 4.9e-324, 1e15, 999999999999999.0, 1e-6, 9.99e-7, 123456789012.345};
	char buf[TP_VALUE_BUF];

	(void)state;
	for (enum tp_unit unit = TP_UNIT_NONE; unit <= TP_UNIT_UNIX_NS; unit++) {
		for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
			for (int sign = -1; sign <= 1; sign += 2) {
				struct tp_value v = tp_number(sign * extremes[i], unit);

				assert_in_range(tp_value_text(v, buf).len, 1, TP_VALUE_BUF - 1);
				assert_in_range(tp_value_fixed(v, unit, 9, buf).len, 1, TP_VALUE_BUF - 1);
				assert_in_range(tp_value_raw(v, buf).len, 1, TP_VALUE_BUF - 1);
			}
		}
	}
}

static void
figure_and_unit_come_apart(void **state)
{
	char buf[TP_VALUE_BUF];
	struct tp_figure f = tp_value_figure(tp_number(126.3, TP_UNIT_MS), buf);

	(void)state;
	assert_text(f.number, "126");
	assert_text(f.unit, "ms");
	f = tp_value_figure(tp_text_value(TP_S("host2")), buf);
	assert_text(f.number, "host2");
	assert_text(f.unit, "");
}

static void
each_cell_of_a_column_by_size_says_its_unit(void **state)
{
	(void)state;
	assert_text(
		fixed(tp_integer(512, TP_UNIT_BYTES), TP_UNIT_BYTES, TP_DECIMALS_BY_SIZE), "512\u202fB");
	assert_text(fixed(tp_integer(6629508096, TP_UNIT_BYTES), TP_UNIT_BYTES, TP_DECIMALS_BY_SIZE),
		"6.17\u202fGiB");
	assert_text(fixed(tp_integer(-2048, TP_UNIT_BYTES), TP_UNIT_BYTES, TP_DECIMALS_BY_SIZE),
		"−2.00\u202fKiB");
	assert_text(fixed(tp_integer(512, TP_UNIT_BYTES), TP_UNIT_BYTES, 0), "512");
}

static void
column_shows_its_own_unit_and_decimals(void **state)
{
	(void)state;
	assert_text(fixed(tp_number(1234.56, TP_UNIT_MS), TP_UNIT_MS, 1), "1,234.6");
	assert_text(fixed(tp_integer(123456789, TP_UNIT_PS), TP_UNIT_US, 2), "123.46");
	assert_text(fixed(tp_number(0.6199, TP_UNIT_SHARE), TP_UNIT_SHARE, 1), "62.0");
	assert_text(fixed(tp_integer(1 << 20, TP_UNIT_BYTES), TP_UNIT_MIB, 1), "1.0");
	assert_text(fixed(tp_count(123456789012345678), TP_UNIT_COUNT, 0), "123,456,789,012,345,678");
}

static void
column_says_less_than_instead_of_zero(void **state)
{
	(void)state;
	assert_text(fixed(tp_number(0.04, TP_UNIT_MS), TP_UNIT_MS, 1), "<0.1");
	assert_text(fixed(tp_number(0.4, TP_UNIT_COUNT), TP_UNIT_COUNT, 0), "<1");
	assert_text(fixed(tp_number(-0.04, TP_UNIT_MS), TP_UNIT_MS, 1), "<0.1");
	assert_text(fixed(tp_number(0, TP_UNIT_MS), TP_UNIT_MS, 1), "0.0");
}

static void
column_of_texts_shows_numbers_with_their_unit(void **state)
{
	(void)state;
	assert_text(fixed(tp_number(126.3, TP_UNIT_MS), TP_UNIT_NONE, 0), "126" NNBSP "ms");
	assert_text(fixed(tp_text_value(TP_S("TPU v3")), TP_UNIT_MS, 1), "TPU v3");
}

static void
conversion_is_exact_where_it_can_be(void **state)
{
	(void)state;
	assert_true(tp_value_in(tp_integer(128300000000, TP_UNIT_PS), TP_UNIT_MS) == 128.3);
	assert_true(tp_value_in(tp_number(128.25, TP_UNIT_MS), TP_UNIT_US) == 128250.0);
}

static void
conversion_between_quantities_is_not_a_number(void **state)
{
	(void)state;
	assert_true(isnan(tp_value_in(tp_number(1, TP_UNIT_MS), TP_UNIT_BYTES)));
	assert_true(isnan(tp_value_in(tp_text_value(TP_S("1")), TP_UNIT_NONE)));
}

static void
raw_number_is_the_shortest_that_reads_back(void **state)
{
	(void)state;
	assert_text(raw(tp_number(0.6199482, TP_UNIT_SHARE)), "0.6199482");
	assert_text(raw(tp_number(0.1 + 0.2, TP_UNIT_NONE)), "0.30000000000000004");
	assert_text(raw(tp_integer(363729698768750, TP_UNIT_PS)), "363729698768750");
	assert_text(raw(tp_integer(-7, TP_UNIT_COUNT)), "-7");
	assert_text(raw(tp_integer(0, TP_UNIT_COUNT)), "0");
	assert_text(raw(tp_integer(INT64_MIN, TP_UNIT_PS)), "-9223372036854775808");
}

/* The fewest digits of printf that read back as the same number. */
static void
check_shortest(double x)
{
	char text[40];
	struct tp_slice ours = raw(tp_number(x, TP_UNIT_NONE));

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	assert_true(ours.len == strlen(text) && memcmp(ours.ptr, text, ours.len) == 0);
}

static void
raw_numbers_are_those_of_printf(void **state)
{
	static const double edges[] = {0, -0.0, 1e-4, 9.9999e-5, 1e-5, 0.5, 1, -1, 999999999.999999,
		999999999.9999995, 1e9, 123456789012345, 1e15, 1e16, 9007199254740993, 1e300, 5e-324};
	uint64_t seed = 20261127;

	(void)state;
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
		check_shortest(edges[i]);
		check_shortest(nextafter(edges[i], 0));
		check_shortest(nextafter(edges[i], INFINITY));
	}
	for (int i = 0; i < 200000; i++) {
		static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
		double x = (double)(int64_t)((seed = seed * 6364136223846793005 + 1442695040888963407) >>
					   (i % 61 + 3)) /
			powers[i % 9];

		check_shortest(x);
		check_shortest(-nextafter(x, INFINITY));
	}
}

/* Without the commas between thousands. */
static void
check_same(struct tp_slice ours, const char *format, int decimals, double x)
{
	char want[64], got[TP_VALUE_BUF];
	size_t length = 0;

	snprintf(want, sizeof want, format, decimals, x);
	for (size_t i = 0; i < ours.len; i++) {
		if (ours.ptr[i] != ',')
			got[length++] = ours.ptr[i];
	}
	got[length] = '\0';
	assert_string_equal(got, want);
}

/* Figures of three significant digits, and with decimals, round as printf does: also next to the middle between two. */
static void
check_rounding(double x)
{
	char text[40];

	for (int decimals = 0; decimals <= 6; decimals++) {
		if (x == 0 || x >= pow(10, -decimals))
			check_same(fixed(tp_number(x, TP_UNIT_MS), TP_UNIT_MS, decimals), "%.*f", decimals, x);
	}
	if (x == floor(x) || x < 1e-6)
		return;
	snprintf(text, sizeof text, "%.2e", x);
	int decimals = 2 - atoi(strchr(text, 'e') + 1);

	check_same(shown(x, TP_UNIT_NONE), "%.*f", decimals > 0 ? decimals : 0, x);
}

static void
figures_round_as_printf_does(void **state)
{
	uint64_t seed = 27;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
		uint64_t random =
			(seed = seed * 6364136223846793005 + 1442695040888963407) >> (i % 40 + 24);
		double x = (double)random / powers[i % 7],
			   middle = (double)(2 * random + 1) / 2 / powers[i % 7];

		check_rounding(x);
		check_rounding(middle);
		check_rounding(nextafter(middle, 0));
		check_rounding(nextafter(middle, INFINITY));
	}
}

/* A unit is left where the figure would reach its limit once rounded. */
static void
units_change_where_rounding_does(void **state)
{
	(void)state;
	assert_text(shown(999.4, TP_UNIT_NS), "999" NNBSP "ns");
	assert_text(shown(999.6, TP_UNIT_NS), "1.00" NNBSP "µs");
	assert_text(shown(119.4, TP_UNIT_S), "119" NNBSP "s");
	assert_text(shown(119.6, TP_UNIT_S), "1.99" NNBSP "min");
	assert_text(shown(1023.4, TP_UNIT_KIB), "1,023" NNBSP "KiB");
	assert_text(shown(1023.6, TP_UNIT_KIB), "1.00" NNBSP "MiB");
}

static void
single_precision_has_no_digits_of_its_own(void **state)
{
	(void)state;
	assert_true(tp_number_of_single((double)0.1f) == 0.1);
	assert_true(tp_number_of_single((double)(-1.0f / 3)) == -0.33333334);
	assert_true(tp_number_of_single(16777216) == 16777216);
	assert_true(tp_number_of_single((double)1e-45f) == 1e-45);
	assert_true(tp_number_of_single((double)3.4028235e38f) == 3.4028235e38);
	assert_true(tp_number_of_single(134217728) == 134217728);
	assert_true(tp_number_of_single(-4294967296) == -4294967296);
	assert_true(tp_number_of_single(0.1) == 0.1 && tp_number_of_single(-1e300) == -1e300);
	assert_true(isnan(tp_number_of_single(NAN)) && tp_number_of_single(INFINITY) == INFINITY);
}

static void
locale_changes_nothing(void **state)
{
	(void)state;
	/* Any locale with a decimal comma; where none is installed there is nothing to see. */
	if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
		skip();
	assert_text(shown(48.71, TP_UNIT_MS), "48.7" NNBSP "ms");
	assert_text(fixed(tp_number(0.04, TP_UNIT_MS), TP_UNIT_MS, 1), "<0.1");
	assert_text(raw(tp_number(0.5, TP_UNIT_NONE)), "0.5");
	setlocale(LC_ALL, "C");
}

static void
one_is_singular_and_all_else_is_not(void **state)
{
	(void)state;
	assert_string_equal(tp_plural(0, "step", "steps"), "steps");
	assert_string_equal(tp_plural(1, "step", "steps"), "step");
	assert_string_equal(tp_plural(2, "step", "steps"), "steps");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_is_singular_and_all_else_is_not),
		cmocka_unit_test(figures_have_three_significant_digits),
		cmocka_unit_test(parts_of_a_step_stay_in_ms),
		cmocka_unit_test(unit_of_a_time_goes_by_its_size),
		cmocka_unit_test(rounding_up_moves_to_the_next_unit),
		cmocka_unit_test(counts_are_whole_with_commas),
		cmocka_unit_test(shares_have_one_decimal),
		cmocka_unit_test(tiny_share_is_not_shown_as_zero),
		cmocka_unit_test(share_is_as_small_in_a_column_as_in_a_sentence),
		cmocka_unit_test(factors_have_two_digits_under_ten),
		cmocka_unit_test(bytes_go_by_powers_of_1024),
		cmocka_unit_test(bandwidth_goes_by_powers_of_1000),
		cmocka_unit_test(links_go_by_powers_of_1024),
		cmocka_unit_test(zero_keeps_its_unit),
		cmocka_unit_test(negative_numbers_use_the_minus_sign),
		cmocka_unit_test(date_is_in_utc),
		cmocka_unit_test(missing_is_a_dash),
		cmocka_unit_test(what_is_not_finite_is_missing),
		cmocka_unit_test(ratio_of_nothing_is_missing),
		cmocka_unit_test(extreme_numbers_fit_the_buffer),
		cmocka_unit_test(figure_and_unit_come_apart),
		cmocka_unit_test(column_shows_its_own_unit_and_decimals),
		cmocka_unit_test(each_cell_of_a_column_by_size_says_its_unit),
		cmocka_unit_test(column_says_less_than_instead_of_zero),
		cmocka_unit_test(column_of_texts_shows_numbers_with_their_unit),
		cmocka_unit_test(conversion_is_exact_where_it_can_be),
		cmocka_unit_test(conversion_between_quantities_is_not_a_number),
		cmocka_unit_test(raw_number_is_the_shortest_that_reads_back),
		cmocka_unit_test(raw_numbers_are_those_of_printf),
		cmocka_unit_test(figures_round_as_printf_does),
		cmocka_unit_test(units_change_where_rounding_does),
		cmocka_unit_test(single_precision_has_no_digits_of_its_own),
		cmocka_unit_test(locale_changes_nothing),
	};

	return RUN(tests);
}
