/* The HTML writer: nothing that comes from a profile leaves its place. */
#include "unit.h"

#include "base/sha256.h"
#include "codec/base64.h"
#include "io/sink.h"
#include "template/html_writer.h"

struct written {
	struct tp_sink *sink;
	struct tp_html html;
};

static int
set_up(void **state)
{
	static struct written w;

	w.sink = tp_sink_memory();
	tp_html_init(&w.html, w.sink);
	*state = &w;
	return 0;
}

static int
tear_down(void **state)
{
	struct written *w = *state;

	tp_sink_close(w->sink);
	return 0;
}

#define WRITTEN(w) tp_sink_bytes((w)->sink)

static void
text_and_attributes_are_escaped(void **state)
{
	struct written *w = *state;

	tp_html_open(&w->html, "p");
	tp_html_attr(&w->html, "title", TP_S("\"><script>"));
	tp_html_text(&w->html, TP_S("<b> & ]]> \"x\""));
	tp_html_close(&w->html);
	assert_text(WRITTEN(w),
		"<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt; &amp; ]]&gt; &quot;x&quot;</p>");
}

static void
void_elements_have_no_end(void **state)
{
	struct written *w = *state;

	tp_html_open(&w->html, "p");
	tp_html_open(&w->html, "br");
	tp_html_close(&w->html);
	tp_html_text(&w->html, TP_S("x"));
	tp_html_close(&w->html);
	assert_text(WRITTEN(w), "<p><br>x</p>");
}

static void
a_script_is_not_escaped_and_cannot_be_ended(void **state)
{
	struct written *w = *state;

	tp_html_open(&w->html, "script");
	tp_html_text(&w->html, TP_S("a < b && c </script><!--"));
	tp_html_close(&w->html);
	assert_text(WRITTEN(w), "<script>a < b && c < /script>< !--</script>");
}

static void
json_hides_its_angle_brackets(void **state)
{
	struct written *w = *state;

	tp_html_open(&w->html, "script");
	tp_html_json(&w->html, TP_S("{\"a\":\"</script>\"}"));
	tp_html_close(&w->html);
	assert_text(WRITTEN(w), "<script>{\"a\":\"\\u003c/script>\"}</script>");
}

static void
control_characters_are_shown(void **state)
{
	struct written *w = *state;

	tp_html_text(&w->html,
		(struct tp_slice){"a\0b\rc\x1b"
						  "d\te\x7f",
			10});
	assert_text(WRITTEN(w), "a␀b␍c␛d\te␡");
}

static void
what_turns_the_direction_is_named_instead(void **state)
{
	struct written *w = *state;

	tp_html_text(&w->html, TP_S("right\u202eto left\u2067x"));
	assert_text(WRITTEN(w), "right[U+202E]to left[U+2067]x");
}

static void
what_is_not_seen_is_named_too(void **state)
{
	struct written *w = *state;

	tp_html_text(&w->html, TP_S("x\u200by\u2028z\ufeff"));
	assert_text(WRITTEN(w), "x[U+200B]y[U+2028]z[U+FEFF]");
}

static void
noncharacters_are_named_too(void **state)
{
	struct written *w = *state;

	tp_html_text(&w->html, TP_S("a\ufffe\uffff\ufdd0\ufdefb\U0001fffe\U0010ffff\ufdf0\ufffd"));
	assert_text(WRITTEN(w), "a[U+FFFE][U+FFFF][U+FDD0][U+FDEF]b[U+1FFFE][U+10FFFF]\ufdf0\ufffd");
}

static void
ill_formed_bytes_become_replacement_characters(void **state)
{
	struct written *w = *state;

	tp_html_text(&w->html,
		TP_S("a\xff"
			 "b\xc3(\xed\xa0\x80\xf0\x9f\x98"));
	assert_text(WRITTEN(w),
		"a\ufffd"
		"b\ufffd(\ufffd\ufffd\ufffd\ufffd");
}

static void
well_formed_text_of_any_script_stays(void **state)
{
	struct written *w = *state;

	tp_html_text(&w->html, TP_S("µ ≤ 漢字 עברית 😀 – …"));
	assert_text(WRITTEN(w), "µ ≤ 漢字 עברית 😀 – …");
}

static void
hashes_are_those_of_the_standard(void **state)
{
	/* FIPS 180-4's examples, and a length that needs a second block of padding. */
	static const struct {
		const char *data, *base64;
	} cases[] = {
		{"", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
		{"abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned char digest[TP_SHA256_SIZE];
		char text[TP_BASE64_SIZE(TP_SHA256_SIZE)];
		struct tp_sha256 hash;

		tp_sha256_init(&hash);
		tp_sha256_add(&hash, cases[i].data, strlen(cases[i].data));
		tp_sha256_finish(&hash, digest);
		assert_text(((struct tp_slice){text, tp_base64_encode(digest, sizeof digest, text)}),
			cases[i].base64);
	}
}

static void
base64_pads_what_is_not_a_multiple_of_three(void **state)
{
	char text[TP_BASE64_SIZE(6)];

	(void)state;
	assert_text(((struct tp_slice){text, tp_base64_encode("", 0, text)}), "");
	assert_text(((struct tp_slice){text, tp_base64_encode("f", 1, text)}), "Zg==");
	assert_text(((struct tp_slice){text, tp_base64_encode("fo", 2, text)}), "Zm8=");
	assert_text(((struct tp_slice){text, tp_base64_encode("foobar", 6, text)}), "Zm9vYmFy");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(text_and_attributes_are_escaped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(void_elements_have_no_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_script_is_not_escaped_and_cannot_be_ended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(json_hides_its_angle_brackets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(control_characters_are_shown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			what_turns_the_direction_is_named_instead, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_not_seen_is_named_too, set_up, tear_down),
		cmocka_unit_test_setup_teardown(noncharacters_are_named_too, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			ill_formed_bytes_become_replacement_characters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(well_formed_text_of_any_script_stays, set_up, tear_down),
		cmocka_unit_test(hashes_are_those_of_the_standard),
		cmocka_unit_test(base64_pads_what_is_not_a_multiple_of_three),
	};

	return RUN(tests);
}
