/* Numbers of JSON: integers and decimals to the last digit, doubles to the last bit. */
#include "codec/json_number.h"
#include "codec/json_plain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "unit.h"

static void
check(const char *text, unsigned places, int64_t want)
{
	int64_t got = 0;

	if (!tp_decimal_scaled(tp_slice_of(text), places, &got) || got != want)
		fail_msg("%s x 10^%u is %" PRId64 ", want %" PRId64, text, places, got, want);
}

static void
refused(const char *text, unsigned places)
{
	int64_t got;

	if (tp_decimal_scaled(tp_slice_of(text), places, &got))
		fail_msg("%s x 10^%u is taken as %" PRId64, text, places, got);
}

static void
microseconds_become_nanoseconds_exactly(void **state)
{
	(void)state;
	check("4371653808103.657", 3, 4371653808103657);
	check("1623143089861123", 3, 1623143089861123000);
	check("30.912", 3, 30912);
	check("0.001", 3, 1);
	check("0", 3, 0);
	check("-0.5", 3, -500);
	check("12", 0, 12);
	check("62.123456", 6, 62123456);
	check("9223372036854775.807", 3, INT64_MAX);
	check("-9223372036854775.808", 3, INT64_MIN);
	check("9223372036854775807", 0, INT64_MAX);
	check("-9223372036854775808", 0, INT64_MIN);
}

static void
digits_beyond_are_rounded_half_away_from_zero(void **state)
{
	(void)state;
	check("0.0005", 3, 1);
	check("0.00049999", 3, 0);
	check("-0.0005", 3, -1);
	check("1.2345", 3, 1235);
	check("0.05", 0, 0);
	check("0.5", 0, 1);
	check("00000000000000000000000012.5", 1, 125);
	check("0.99999", 3, 1000);
}

static void
exponents_are_as_exact(void **state)
{
	(void)state;
	check("1.5e3", 3, 1500000);
	check("1e-06", 6, 1);
	check("5e-07", 6, 1);
	check("4e-07", 6, 0);
	check("1E+2", 0, 100);
	check("0e999999999999", 3, 0);
	check("1e-999999999999", 3, 0);
	check("123456789012345678901234567890e-20", 3, 1234567890123);
	refused("1e999999999999", 3);
	refused("1e17", 3);
}

static void
what_is_no_number_or_none_that_fits_is_refused(void **state)
{
	static const char *const bad[] = {"", "-", "+", ".", "1.2.3", "1e", "1e+", "--1", "1-2", "e5",
		"9223372036854775808", "99999999999999999999999999", "-9223372036854775809"};
	double number;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refused(bad[i], 0);
	for (size_t i = 0; i < 10; i++)
		assert_false(tp_decimal_double(tp_slice_of(bad[i]), &number));
	refused("9223372036854775.808", 3);
	refused("9300000000000000000", 1);
}

static void
only_whole_numbers_are_integers(void **state)
{
	int64_t number;

	(void)state;
	assert_true(tp_decimal_integer(TP_S("12.0"), &number));
	assert_int_equal(number, 12);
	assert_true(tp_decimal_integer(TP_S("1.25e2"), &number));
	assert_int_equal(number, 125);
	assert_false(tp_decimal_integer(TP_S("12.5"), &number));
	assert_false(tp_decimal_integer(TP_S("1e-3"), &number));
}

static void
doubles_are_the_nearest(void **state)
{
	static const char *const some[] = {"0", "-0", "0.1", "1e22", "1e23", "123456789012345678",
		"9007199254740993", "2.2250738585072011e-308", "4.9e-324", "1.7976931348623157e308",
		"1e400", "179769313486231580793728971405301e277", "0.30000000000000004", "8.41e21",
		"1.5e-22"};
	uint64_t random = 88172645463325252ull;

	(void)state;
	for (size_t i = 0; i < 20000; i++) {
		char text[64];
		double got = 0, want;

		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		if (i < sizeof some / sizeof *some)
			snprintf(text, sizeof text, "%s", some[i]);
		else if (i % 3 == 0)
			snprintf(text, sizeof text, "%" PRIu64 ".%03u", random >> (i % 50 + 10),
				(unsigned)(random % 1000));
		else
			snprintf(text, sizeof text, "%.*ge%d", (int)(i % 18), (double)random / 3,
				(int)(random % 600) - 300);
		/* "%g" may have written an exponent already. */
		char *e = strchr(text, 'e');

		if (e != NULL && strchr(e + 1, 'e') != NULL)
			*strchr(e + 1, 'e') = '\0';
		want = strtod(text, NULL);
		if (!tp_decimal_double(tp_slice_of(text), &got) || memcmp(&got, &want, sizeof got) != 0)
			fail_msg("%s is read as %.17g, want %.17g", text, got, want);
	}
}

/* The number with bytes behind it as in a text, the short way: the same as the long way finds, or nothing. */
static bool
plain(const char *text, unsigned places, char behind)
{
	char room[TP_PLAIN_AHEAD + 64];
	int64_t got, want;
	bool point;

	memset(room, '7', sizeof room);
	memcpy(room, text, strlen(text));
	room[strlen(text)] = behind;
	const char *end = tp_plain_number(room, places, &got, &point);

	if (end == NULL)
		return false;
	if (end != room + strlen(text) || !tp_decimal_scaled(tp_slice_of(text), places, &want) ||
		got != want || point != (strchr(text, '.') != NULL))
		fail_msg("%s x 10^%u is %" PRId64 " the short way", text, places, got);
	return true;
}

static void
plain_numbers_are_the_same_the_short_way(void **state)
{
	static const char *const others[] = {"", "-", ".5", "+1", "1e3", "1.2345", "1-2", "1.2.3",
		"--1", "9223372036854775808", "1234567890123456789012345", "1:", "1/", "a"};
	char text[64];

	(void)state;
	for (uint64_t i = 0, n = 1; i < 18; i++, n = n * 10 + i % 10) {
		for (int decimals = 0; decimals <= 3; decimals++) {
			snprintf(text, sizeof text, "%s%" PRIu64 "%s%.*s", i % 2 ? "-" : "", n,
				decimals ? "." : "", decimals, "907");
			bool fits = i + 1 + 3 <= 18;

			assert_true(plain(text, 3, ",} ]\n"[i % 5]) == fits);
		}
		snprintf(text, sizeof text, "%" PRIu64, n);
		assert_true(plain(text, 0, ','));
		assert_false(plain(text, 0, 'x'));
		assert_false(plain(text, 0, 'e'));
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(plain(others[i], 3, ','));
	assert_false(plain("1.5", 0, ','));
	assert_true(plain("1.", 3, ','));
	assert_true(plain("-0", 0, '}'));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(microseconds_become_nanoseconds_exactly),
		cmocka_unit_test(digits_beyond_are_rounded_half_away_from_zero),
		cmocka_unit_test(exponents_are_as_exact),
		cmocka_unit_test(what_is_no_number_or_none_that_fits_is_refused),
		cmocka_unit_test(only_whole_numbers_are_integers),
		cmocka_unit_test(plain_numbers_are_the_same_the_short_way),
		cmocka_unit_test(doubles_are_the_nearest),
	};

	return RUN(tests);
}
