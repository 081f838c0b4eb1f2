/* Searching eight bytes at a time without the processor's help finds what looking at each byte finds. (With its help:
 * test_json_pull.) */
#define TP_NO_SIMD
#include "codec/json_scan.h"

#include "unit.h"

static bool
is_no_space(unsigned char c)
{
	return c > ' ';
}

static bool
ends_string(unsigned char c)
{
	return c == '"' || c == '\\' || c < 0x20;
}

static bool
is_quote(unsigned char c)
{
	return c == '"' || c == '\\';
}

static bool
is_bracket(unsigned char c)
{
	return c == '"' || c == '[' || c == ']' || c == '{' || c == '}';
}

static bool
ends_number(unsigned char c)
{
	return (c < '0' || c > '9') && c != '.' && c != '-';
}

static void
each_byte_is_found_behind_each_other_byte(void **state)
{
	static const struct {
		const char *(*scan)(const char *at, const char *end);
		bool (*wanted)(unsigned char c);
	} kinds[] = {
		{tp_scan_space, is_no_space},
		{tp_scan_string, ends_string},
		{tp_scan_quote, is_quote},
		{tp_scan_bracket, is_bracket},
		{tp_scan_number, ends_number},
	};

	(void)state;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		for (unsigned pair = 0; pair < 65536; pair++) {
			char text[20];
			size_t first = 0, size = 8 + pair % 13;

			/* Both bytes side by side, and one of them everywhere else. */
			memset(text, (int)(pair >> 8), sizeof text);
			text[pair % 8] = (char)(pair & 0xff);
			while (first < size && !kinds[k].wanted((unsigned char)text[first]))
				first++;
			if (kinds[k].scan(text, text + size) != text + first)
				fail_msg("kind %zu, bytes %04x, %zu of them", k, pair, size);
		}
	}
}

static void
bytes_that_are_the_same_are_found(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 65536; pair++) {
		char a[TP_SCAN_STEP], b[TP_SCAN_STEP];
		unsigned at = pair % TP_SCAN_STEP;

		memset(a, (int)(pair >> 8), sizeof a);
		memcpy(b, a, sizeof b);
		b[at] = (char)(pair & 0xff);
		uint64_t others = tp_scan_not(tp_scan_same(tp_scan_load(a), tp_scan_load(b)));

		if (a[at] == b[at])
			assert_int_equal(others, 0);
		else if (others == 0 || tp_scan_first(others) != at || (others & (others - 1)) != 0)
			fail_msg("bytes %04x", pair);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_is_found_behind_each_other_byte),
		cmocka_unit_test(bytes_that_are_the_same_are_found),
	};

	return RUN(tests);
}
