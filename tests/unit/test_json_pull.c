/* The walk over JSON: what is found, where, and that no window's end changes any of it. */
#include "unit.h"

#include "json_pieces.h"

enum { NEVER = TP_PULL_DEEPEST + 1 };

static const char event[] =
	"{\n  \"schemaVersion\": 1,\n\n  \"traceEvents\": [\n  {\n    \"ph\": \"X\", \"name\": "
	"\"a \\\"b\\\" \\u00e9\\ud83d\\ude00\\n\", \"ts\": 4371653808103.657, \"dur\": 12,\n    "
	"\"args\": {\n      \"Input \\\\Dims\": [[64, 3], []], \"x\": NaN, \"ok\": true,\"no\" :false "
	", "
	"\"nil\":null, \"inf\": -Infinity, \"e\": -1.5e-3\n    }\n  }, {}\n],\n\"traceName\": "
	"\"a fairly long name that takes more than one block of sixteen bytes\"}\n";

static void
check(const char *text, const char *want)
{
	char *got = json_walk(tp_slice_of(text), strlen(text), 0, NEVER);

	assert_string_equal(got, want);
	free(got);
}

static void
values_come_with_keys_offsets_and_ends(void **state)
{
	(void)state;
	check("{\"a\": [1, \"x\"], \"b\": {}}",
		"0{ 1 a=[ 7n:1 10s:x 13] 16 b={ 22} 23} end@24 odd 0 repaired 0");
	check(" [ ] ", "1[ 3] end@5 odd 0 repaired 0");
	check("12", "0n:12 end@2 odd 0 repaired 0");
	check("\xef\xbb\xbf{}", "3{ 4} end@5 odd 0 repaired 0");
}

static void
escapes_are_undone_and_bad_ones_kept_and_counted(void **state)
{
	(void)state;
	check("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"]",
		"0[ 1s:\"\\/\b\f\n\r\tA\u00e9\u20ac\U0001f600 49] end@50 odd 0 repaired 0");
	check("[\"C:\\dir\\u12\"]", "0[ 1s:C:\\dir\\u12 13] end@14 odd 0 repaired 2");
	check("[\"\\ud83dx\\ude00\\ud83d\\u0041\"]",
		"0[ 1s:\ufffdx\ufffd\ufffdA 28] end@29 odd 0 repaired 3");
	check("[\"a\tb\nc\"]", "0[ 1s:a\tb\nc 8] end@9 odd 0 repaired 2");
}

static void
odd_values_are_accepted_and_counted(void **state)
{
	(void)state;
	check("[NaN,Infinity,-Infinity,N/A,nan,-nan,inf]",
		"0[ 1?:NaN 5?:Infinity 14?:-Infinity 24?:N/A 28?:nan 32?:-nan 37?:inf 40] end@41 odd 7 "
		"repaired 0");
	check("[1,2,]", "0[ 1n:1 3n:2 5] end@6 odd 0 repaired 1");
}

static void
what_is_cut_off_keeps_what_came_before(void **state)
{
	(void)state;
	check("[1, 23", "0[ 1n:1 truncated@6 odd 0 repaired 0");
	check("[\"abc", "0[ truncated@5 odd 0 repaired 0");
	check("[\"abc\\", "0[ truncated@6 odd 0 repaired 0");
	check("{\"a\"", "0{ truncated@4 odd 0 repaired 0");
	check("{\"a\":", "0{ truncated@5 odd 0 repaired 0");
	check("{\"a\":-", "0{ truncated@6 odd 0 repaired 0");
	check("-", "truncated@1 odd 0 repaired 0");
	check("{\"a\":tru", "0{ truncated@8 odd 0 repaired 0");
	check("[[1],", "0[ 1[ 2n:1 3] truncated@5 odd 0 repaired 0");
	check("", "truncated@0 odd 0 repaired 0");
	check(" \n", "truncated@2 odd 0 repaired 0");
}

static void
what_is_no_json_is_broken_where_it_stops_being_it(void **state)
{
	(void)state;
	check("[1 2]", "0[ 1n:1 broken@3 odd 0 repaired 0");
	check("{1:2}", "0{ broken@1 odd 0 repaired 0");
	check("{\"a\" 1}", "0{ broken@5 odd 0 repaired 0");
	check("[1}", "0[ 1n:1 broken@2 odd 0 repaired 0");
	check("{\"a\":1]", "0{ 1 a=n:1 broken@6 odd 0 repaired 0");
	check("[what]", "0[ broken@1 odd 0 repaired 0");
	check("[12x]", "0[ 1n:12 broken@3 odd 0 repaired 0");
	check("{} {}", "0{ 1} broken@3 odd 0 repaired 0");
	check("]", "broken@0 odd 0 repaired 0");
	check("[,1]", "0[ broken@1 odd 0 repaired 0");
	check("{\"a\":}", "0{ broken@5 odd 0 repaired 0");
}

static void
nesting_has_a_limit_and_no_recursion(void **state)
{
	enum { TOO_DEEP = 100000 };
	char *text = malloc(TOO_DEEP);

	(void)state;
	memset(text, '[', TOO_DEEP);
	for (size_t depth = TP_PULL_DEEPEST; depth <= TOO_DEEP; depth += TOO_DEEP - TP_PULL_DEEPEST) {
		struct tp_pull j;
		unsigned opened = 0;

		tp_pull_open(&j, (struct tp_slice){text, depth}, NULL, NULL);
		while (tp_pull_next(&j))
			opened++;
		assert_int_equal(opened, TP_PULL_DEEPEST);
		assert_int_equal(j.state, depth == TP_PULL_DEEPEST ? TP_PULL_TRUNCATED : TP_PULL_BROKEN);
		tp_pull_close(&j);
		tp_pull_open(&j, (struct tp_slice){text, depth}, NULL, NULL);
		assert_true(tp_pull_next(&j));
		assert_false(tp_pull_skip(&j));
		assert_int_equal(j.offset, depth);
		assert_int_equal(j.state, TP_PULL_TRUNCATED);
		tp_pull_close(&j);
	}
	free(text);
}

static void
what_is_passed_over_may_be_nested_to_any_depth(void **state)
{
	enum { LEVELS = 100000 };
	char *text = malloc(2 * LEVELS + 1);
	struct tp_pull j;
	struct tp_slice raw;

	(void)state;
	memset(text, '[', LEVELS);
	memset(text + LEVELS, ']', LEVELS);
	text[2 * LEVELS] = ' ';
	tp_pull_open(&j, (struct tp_slice){text, 2 * LEVELS + 1}, NULL, NULL);
	assert_true(tp_pull_next(&j));
	assert_true(tp_pull_raw(&j, &raw));
	assert_int_equal(raw.len, 2 * LEVELS);
	assert_int_equal(j.type, TP_PULL_ARRAY_END);
	assert_false(tp_pull_next(&j));
	assert_int_equal(j.state, TP_PULL_END);
	tp_pull_close(&j);
	free(text);
}

/* The same for one cut anywhere, and for pieces of any size. */
static void
check_windows(struct tp_slice text, unsigned skip_from)
{
	char *want = json_walk(text, text.len, 0, skip_from);

	for (size_t cut = 0; cut <= text.len; cut++) {
		char *got = json_walk(text, cut, text.len, skip_from);

		assert_string_equal(got, want);
		free(got);
	}
	for (size_t piece = 1; piece < 40; piece++) {
		char *got = json_walk(text, 0, piece, skip_from);

		assert_string_equal(got, want);
		free(got);
	}
	free(want);
}

static void
no_end_of_a_window_changes_anything(void **state)
{
	static const char *const texts[] = {event, "[NaN,\"\\q\\ud83d\",-Infinity , N/A,]", "[\"abc\\",
		"{\"a\":-", "[1 2]", "-12.5", "\xef\xbb\xbf[true]", "\xef\xbb",
		"{\"\\u0041\\n\": \"\\u0042\", \"\": \"\"}"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		for (unsigned skip_from = 1; skip_from < 5; skip_from++)
			check_windows(tp_slice_of(texts[i]), skip_from);
		check_windows(tp_slice_of(texts[i]), NEVER);
	}
	/* Nor does the end of the text, wherever it is. */
	for (size_t size = 0; size < strlen(event); size += 7)
		check_windows((struct tp_slice){event, size}, 3);
}

static void
skipping_ends_where_reading_does(void **state)
{
	struct tp_slice text =
		TP_S("[{\"a\": \"}]\\\"{[\", \"b\": [[], {\"c\": {}}], \"N\": NaN}, 7, [\"\\\\\"]]");
	char *got = json_walk(text, text.len, 0, 2);

	(void)state;
	assert_string_equal(got, "0[ 1{ } 50n:7 53[ ] 59] end@60 odd 0 repaired 0");
	free(got);
	got = json_walk(TP_S("[{\"a\": ]}"), 9, 0, 2);
	assert_string_equal(got, "0[ 1{ broken@7 odd 0 repaired 0");
	free(got);
	got = json_walk(TP_S("[[\"a\\\""), 6, 0, 2);
	assert_string_equal(got, "0[ 1[ truncated@6 odd 0 repaired 0");
	free(got);
}

static void
every_byte_in_every_place_of_a_block_ends_a_string_or_does_not(void **state)
{
	(void)state;
	for (int c = 0; c < 256; c++) {
		for (size_t place = 0; place < 40; place++) {
			char text[44];
			struct tp_pull j;

			memset(text, 'x', sizeof text);
			text[0] = '"';
			text[1 + place] = (char)c;
			text[41] = text[43] = '"';
			text[42] = 'x';
			tp_pull_open(&j, (struct tp_slice){text, 42}, NULL, NULL);
			bool read = tp_pull_next(&j);

			assert_true(read);
			if (c == '"')
				assert_int_equal(j.text.len, place);
			else
				assert_int_equal(j.text.len, 40);
			/* "\x" is no escape, but "\" before the quote takes that along and nothing ends. */
			assert_int_equal(j.repairs, c < 0x20 || c == '\\');
			tp_pull_close(&j);
			if (c == '\\')
				break;
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_with_keys_offsets_and_ends),
		cmocka_unit_test(escapes_are_undone_and_bad_ones_kept_and_counted),
		cmocka_unit_test(odd_values_are_accepted_and_counted),
		cmocka_unit_test(what_is_cut_off_keeps_what_came_before),
		cmocka_unit_test(what_is_no_json_is_broken_where_it_stops_being_it),
		cmocka_unit_test(nesting_has_a_limit_and_no_recursion),
		cmocka_unit_test(what_is_passed_over_may_be_nested_to_any_depth),
		cmocka_unit_test(no_end_of_a_window_changes_anything),
		cmocka_unit_test(skipping_ends_where_reading_does),
		cmocka_unit_test(every_byte_in_every_place_of_a_block_ends_a_string_or_does_not),
	};

	return RUN(tests);
}
