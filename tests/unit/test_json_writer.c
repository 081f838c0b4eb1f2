/* The JSON writer: shape, escapes, numbers. */
#include "unit.h"

#include "base/number.h"
#include "io/sink.h"
#include "render/json_writer.h"

struct fixture {
	struct tp_sink *sink;
	struct tp_json json;
};

static int
set_up(void **state)
{
	static struct fixture f;

	f.sink = tp_sink_memory();
	tp_json_start(&f.json, f.sink);
	*state = &f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	tp_sink_close(f->sink);
	return 0;
}

static void
members_stand_on_lines_of_their_own(void **state)
{
	struct fixture *f = *state;

	tp_json_open(&f->json, NULL, TP_JSON_OBJECT);
	tp_json_integer(&f->json, "a", 1);
	tp_json_open(&f->json, "b", TP_JSON_ARRAY);
	tp_json_bool(&f->json, NULL, true);
	tp_json_null(&f->json, NULL);
	tp_json_close(&f->json);
	tp_json_close(&f->json);
	assert_text(tp_sink_bytes(f->sink), "{\n \"a\": 1,\n \"b\": [\n  true,\n  null\n ]\n}\n");
}

static void
flat_object_stays_on_one_line_with_all_that_is_in_it(void **state)
{
	struct fixture *f = *state;

	tp_json_open(&f->json, NULL, TP_JSON_ARRAY);
	for (int i = 0; i < 2; i++) {
		tp_json_open(&f->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_open(&f->json, "a", TP_JSON_ARRAY);
		tp_json_integer(&f->json, NULL, 1);
		tp_json_integer(&f->json, NULL, 2);
		tp_json_close(&f->json);
		tp_json_close(&f->json);
	}
	tp_json_close(&f->json);
	assert_text(tp_sink_bytes(f->sink), "[\n {\"a\": [1, 2]},\n {\"a\": [1, 2]}\n]\n");
}

static void
dense_text_has_lines_without_blanks(void **state)
{
	struct fixture *f = *state;

	f->json.dense = true;
	tp_json_open(&f->json, NULL, TP_JSON_OBJECT);
	tp_json_open(&f->json, "a", TP_JSON_ARRAY);
	tp_json_string(&f->json, NULL, TP_S(", : "));
	tp_json_open(&f->json, NULL, TP_JSON_FLAT_ARRAY);
	tp_json_integer(&f->json, NULL, 1);
	tp_json_integer(&f->json, NULL, 2);
	tp_json_close(&f->json);
	tp_json_close(&f->json);
	tp_json_close(&f->json);
	assert_text(tp_sink_bytes(f->sink), "{\n\"a\":[\n\", : \",\n[1,2]\n]\n}\n");
}

static void
empty_array_is_short(void **state)
{
	struct fixture *f = *state;

	tp_json_open(&f->json, NULL, TP_JSON_ARRAY);
	tp_json_close(&f->json);
	assert_text(tp_sink_bytes(f->sink), "[]\n");
}

static void
hostile_text_is_escaped(void **state)
{
	struct fixture *f = *state;

	tp_json_string(&f->json, NULL, TP_S("\"\\ \n\t\x01\x7f\xc2\x9b </script> \u2028\u202e€·"));
	assert_text(tp_sink_bytes(f->sink),
		"\"\\\"\\\\ \\n\\t\\u0001\\u007f\\u009b \\u003c/script> \\u2028\\u202e€·\"");
}

/* What is not seen has its number, in two halves where it has more than 16 bits; noncharacters too. */
static void
hidden_text_is_escaped(void **state)
{
	struct fixture *f = *state;

	tp_json_string(&f->json, NULL, TP_S("\ufeffa\ufff9\U000e0041\uffff\U0010ffff\U0001f600"));
	assert_text(
		tp_sink_bytes(f->sink), "\"\\ufeffa\\ufff9\\udb40\\udc41\\uffff\\udbff\\udfff\U0001f600\"");
}

static void
ill_formed_text_becomes_valid(void **state)
{
	struct fixture *f = *state;

	tp_json_string(&f->json, NULL, TP_S("a\xff\xe2\x82z\xc2\xd8\"\xe2"));
	assert_text(tp_sink_bytes(f->sink), "\"a\ufffd\ufffdz\ufffd\ufffd\\\"\ufffd\"");
}

static void
keys_are_escaped_too(void **state)
{
	struct fixture *f = *state;

	tp_json_open(&f->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_open_named(&f->json, TP_S("a\"b"), TP_JSON_ARRAY);
	tp_json_close(&f->json);
	tp_json_close(&f->json);
	assert_text(tp_sink_bytes(f->sink), "{\"a\\\"b\": []}\n");
}

static void
numbers_keep_full_precision_and_integers_stay_integers(void **state)
{
	struct fixture *f = *state;

	tp_json_open(&f->json, NULL, TP_JSON_FLAT_ARRAY);
	tp_json_number(&f->json, NULL, 0.1 + 0.2);
	tp_json_integer(&f->json, NULL, INT64_MIN);
	tp_json_number(&f->json, NULL, 1e300 * 1e300);
	tp_json_value(&f->json, NULL, tp_missing(TP_S("why")));
	tp_json_close(&f->json);
	assert_text(
		tp_sink_bytes(f->sink), "[0.30000000000000004, -9223372036854775808, null, null]\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(members_stand_on_lines_of_their_own, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			flat_object_stays_on_one_line_with_all_that_is_in_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(dense_text_has_lines_without_blanks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(empty_array_is_short, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_text_is_escaped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hidden_text_is_escaped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ill_formed_text_becomes_valid, set_up, tear_down),
		cmocka_unit_test_setup_teardown(keys_are_escaped_too, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			numbers_keep_full_precision_and_integers_stay_integers, set_up, tear_down),
	};

	return RUN(tests);
}
