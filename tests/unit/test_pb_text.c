/* Protobuf's text format: every way to write a field, ends that come too early, and nesting without end. */
#include "unit.h"

#include "base/buf.h"
#include "codec/pb_text.h"

#include <stdlib.h>

/* "a{ b=1 }" of a text, with what stopped it when that is not its end. */
static const char *
items(struct tp_slice text)
{
	static char out[2048];
	struct tp_text_pull t = tp_text_open(text);
	size_t n = 0;

	out[0] = '\0';
	while (tp_text_next(&t) && n < sizeof out - 256) {
		char value[128];
		size_t len;

		switch (t.type) {
		case TP_TEXT_OPEN:
			n += (size_t)snprintf(out + n, sizeof out - n, "%.*s{ ", TP_ARG(t.name));
			break;
		case TP_TEXT_CLOSE:
			n += (size_t)snprintf(out + n, sizeof out - n, "} ");
			break;
		case TP_TEXT_STRING:
			assert_true(t.value.len <= sizeof value);
			len = tp_text_unescape(t.value, value);
			n += (size_t)snprintf(
				out + n, sizeof out - n, "%.*s=\"%.*s\" ", TP_ARG(t.name), (int)len, value);
			break;
		case TP_TEXT_WORD:
			n += (size_t)snprintf(
				out + n, sizeof out - n, "%.*s=%.*s ", TP_ARG(t.name), TP_ARG(t.value));
			break;
		}
	}
	if (t.state != TP_TEXT_END)
		snprintf(out + n, sizeof out - n, "%s at %zu",
			t.state == TP_TEXT_TRUNCATED ? "cut" : "broken", (size_t)(t.at - text.ptr));
	return out;
}

static void
every_way_to_write_a_field_is_read(void **state)
{
	(void)state;
	assert_string_equal(items(TP_S("a: 1 b:-2.5e+3,c:TRUE;d {e:\"x\"} f<g:'y'>")),
		"a=1 b=-2.5e+3 c=TRUE d{ e=\"x\" } f{ g=\"y\" } ");
	assert_string_equal(items(TP_S("a: {} b: < > # comment {\n c:1#")), "a{ } b{ } c=1 ");
	assert_string_equal(items(TP_S("a: [1, 2] b: [{c:1}, <c:2>] d: [] e: [\"x\" \"y\", 'z']")),
		"a=1 a=2 b{ c=1 } b{ c=2 } e=\"xy\" e=\"z\" ");
	assert_string_equal(
		items(TP_S("[type.example.com/a.b] { c: [1] }")), "[type.example.com/a.b]{ c=1 } ");
	assert_string_equal(items(TP_S("")), "");
	assert_string_equal(items(TP_S(" \n# nothing")), "");
}

static void
escapes_are_undone(void **state)
{
	(void)state;
	assert_string_equal(items(TP_S("a: '\\'\\\"\\\\\\x41\\101\\n\\q'")), "a=\"'\"\\AA\nq\" ");
	assert_string_equal(items(TP_S("a: \"\\1018\" b: \"\\x4g\"")), "a=\"A8\" b=\"\x04g\" ");
}

static void
where_it_ends_or_breaks_is_said(void **state)
{
	(void)state;
	assert_string_equal(items(TP_S("a: 1 b {c")), "a=1 b{ cut at 9");
	assert_string_equal(items(TP_S("a: \"x\\\"")), "cut at 7");
	assert_string_equal(items(TP_S("a: [1, 2")), "a=1 a=2 cut at 8");
	assert_string_equal(items(TP_S("[abc")), "cut at 4");
	assert_string_equal(items(TP_S("a: 1 }")), "a=1 broken at 5");
	assert_string_equal(items(TP_S("a: *")), "broken at 3");
	assert_string_equal(items(TP_S("\x08\x01")), "broken at 0");
}

/* The first ones are told, what is deeper is passed over; a million do not take a stack. */
static void
nesting_without_end_is_passed_over(void **state)
{
	enum { DEEP = 1000000, SIZE = 4 * DEEP + 8 };
	char *text = malloc(SIZE);
	size_t n = 0, open = 0, close = 0;

	(void)state;
	for (int i = 0; i < DEEP; i++, n += 2)
		memcpy(text + n, i % 2 ? "a<" : "a{", 2);
	memcpy(text + n, "b:1", 3);
	n += 3;
	for (int i = 0; i < DEEP; i++)
		text[n++] = i % 2 ? '}' : '>';
	memcpy(text + n, " c:2", 4);
	n += 4;
	struct tp_text_pull t = tp_text_open((struct tp_slice){text, n});

	while (tp_text_next(&t)) {
		open += t.type == TP_TEXT_OPEN;
		close += t.type == TP_TEXT_CLOSE;
	}
	assert_int_equal(t.state, TP_TEXT_END);
	assert_int_equal(open, TP_TEXT_DEEPEST);
	assert_int_equal(close, TP_TEXT_DEEPEST);
	assert_text(t.name, "c");
	t = tp_text_open((struct tp_slice){text, 2 * DEEP});
	while (tp_text_next(&t))
		;
	assert_int_equal(t.state, TP_TEXT_TRUNCATED);
	t = tp_text_open((struct tp_slice){text, n});
	assert_true(tp_text_next(&t) && tp_text_skip(&t) && tp_text_next(&t));
	assert_text(t.value, "2");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_to_write_a_field_is_read),
		cmocka_unit_test(escapes_are_undone),
		cmocka_unit_test(where_it_ends_or_breaks_is_said),
		cmocka_unit_test(nesting_without_end_is_passed_over),
	};

	return RUN(tests);
}
