/* Sentences: marks become spans, values are put in and never parsed. */
#include "unit.h"

#include "fixture.h"
#include "report/doc.h"

static struct tp_slice
shown(struct tp_doc *doc, struct tp_text text)
{
	return tp_text_shown(text, doc->arena);
}

static void
plain_text_is_one_span(void **state)
{
	struct tp_text t = TP_SAY0(*state, "a plain sentence");

	assert_int_equal(t.count, 1);
	assert_int_equal(t.spans[0].style, TP_STYLE_PLAIN);
	assert_text(t.spans[0].text, "a plain sentence");
}

static void
marks_switch_styles(void **state)
{
	struct tp_text t = TP_SAY0(*state, "*strong* _muted_ `code`");

	assert_int_equal(t.count, 5);
	assert_int_equal(t.spans[0].style, TP_STYLE_STRONG);
	assert_int_equal(t.spans[2].style, TP_STYLE_MUTED);
	assert_int_equal(t.spans[4].style, TP_STYLE_CODE);
	assert_text(shown(*state, t), "strong muted code");
}

static void
mark_within_a_word_or_between_blanks_is_itself(void **state)
{
	struct tp_text t = TP_SAY0(*state, "snake_case_name and 4 * 8");

	assert_int_equal(t.count, 1);
	assert_text(shown(*state, t), "snake_case_name and 4 * 8");
}

static void
code_holds_marks_as_they_are(void **state)
{
	struct tp_text t = TP_SAY0(*state, "`*.xplane.pb _x_`");

	assert_int_equal(t.count, 1);
	assert_text(t.spans[0].text, "*.xplane.pb _x_");
}

static void
values_are_taken_in_order(void **state)
{
	struct tp_text t = TP_SAY(*state, "{} of *{}*", tp_count(3), tp_count(4));

	assert_text(shown(*state, t), "3 of 4");
	assert_true(t.spans[0].has_value);
	assert_int_equal(t.spans[2].style, TP_STYLE_STRONG);
}

static void
values_are_never_parsed(void **state)
{
	struct tp_text t = TP_SAY(*state, "op {}", tp_text_value(TP_S("*a* {} [x](#y) `z` \\")));

	assert_int_equal(t.count, 2);
	assert_text(shown(*state, t), "op *a* {} [x](#y) `z` \\");
}

static void
texts_of_values_are_copied(void **state)
{
	char name[] = "fusion";
	struct tp_text t = TP_SAY(*state, "{}", tp_text_value(tp_slice_of(name)));

	name[0] = 'x';
	assert_text(shown(*state, t), "fusion");
}

static void
missing_argument_is_a_missing_value(void **state)
{
	struct tp_text t = TP_SAY(*state, "{} {}", tp_count(1));

	assert_int_equal(t.spans[2].value.kind, TP_VALUE_MISSING);
	assert_text(shown(*state, t), "1 –");
}

static void
link_spans_carry_the_anchor(void **state)
{
	struct tp_text t = TP_SAY0(*state, "see [the *steps*](#steps) now");

	assert_text(t.spans[0].href, "");
	assert_text(t.spans[1].href, "#steps");
	assert_text(t.spans[2].href, "#steps");
	assert_text(t.spans[3].href, "");
	assert_text(shown(*state, t), "see the steps now");
}

static void
values_stand_in_labels_and_anchors(void **state)
{
	struct tp_text t = TP_SAY(*state, "[{}](#operations/{}) {}", tp_text_value(TP_S("a")),
		tp_text_value(TP_S("b")), tp_count(7));

	assert_text(t.spans[0].href, "#operations/b");
	assert_text(shown(*state, t), "a 7");
}

static void
brackets_without_a_link_are_themselves(void **state)
{
	assert_text(shown(*state, TP_SAY0(*state, "bf16[16,224] and [x](y")), "bf16[16,224] and [x](y");
}

static void
backslash_takes_the_next_character(void **state)
{
	struct tp_text t = TP_SAY0(*state, "\\*a\\* \\{} \\\\ \\[b](#c)");

	assert_int_equal(t.count, 1);
	assert_text(t.spans[0].text, "*a* {} \\ [b](#c)");
}

static void
metric_is_shown_by_its_id(void **state)
{
	tp_doc_metric(*state, TP_S("step.count"), "Steps", tp_count(60), TP_S(""), TP_S(""));
	struct tp_text t = TP_SAY0(*state, "{step.count} steps");

	assert_text(t.spans[0].metric, "step.count");
	assert_text(shown(*state, t), "60 steps");
}

static void
unknown_metric_is_missing(void **state)
{
	struct tp_text t = TP_SAY0(*state, "{no.such}");

	assert_int_equal(t.spans[0].value.kind, TP_VALUE_MISSING);
	assert_text(t.spans[0].metric, "");
}

static void
unfinished_marks_do_not_lose_text(void **state)
{
	assert_text(shown(*state, TP_SAY0(*state, "*never closed")), "never closed");
	assert_text(shown(*state, TP_SAY0(*state, "{never closed")), "{never closed");
	assert_text(shown(*state, TP_SAY0(*state, "ends in \\")), "ends in \\");
	assert_text(shown(*state, TP_SAY0(*state, "")), "");
}

static void
judged_sentence_is_led_by_the_glyph(void **state)
{
	struct tp_text t = tp_doc_judged(*state, TP_JUDGE_BAD, TP_SAY0(*state, "low"));

	assert_int_equal(t.count, 2);
	assert_int_equal(t.spans[0].judge, TP_JUDGE_BAD);
	assert_text(shown(*state, t), "▲ low");
}

static void
joined_sentences_follow_each_other(void **state)
{
	struct tp_text none = {NULL, 0};
	struct tp_text t = tp_doc_join(*state, TP_SAY0(*state, "a"), TP_SAY0(*state, "b"));

	assert_text(shown(*state, t), "ab");
	assert_text(shown(*state, tp_doc_join(*state, none, t)), "ab");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		DOC_TEST(plain_text_is_one_span),
		DOC_TEST(marks_switch_styles),
		DOC_TEST(mark_within_a_word_or_between_blanks_is_itself),
		DOC_TEST(code_holds_marks_as_they_are),
		DOC_TEST(values_are_taken_in_order),
		DOC_TEST(values_are_never_parsed),
		DOC_TEST(texts_of_values_are_copied),
		DOC_TEST(missing_argument_is_a_missing_value),
		DOC_TEST(link_spans_carry_the_anchor),
		DOC_TEST(values_stand_in_labels_and_anchors),
		DOC_TEST(brackets_without_a_link_are_themselves),
		DOC_TEST(backslash_takes_the_next_character),
		DOC_TEST(metric_is_shown_by_its_id),
		DOC_TEST(unknown_metric_is_missing),
		DOC_TEST(unfinished_marks_do_not_lose_text),
		DOC_TEST(judged_sentence_is_led_by_the_glyph),
		DOC_TEST(joined_sentences_follow_each_other),
	};

	return RUN(tests);
}
