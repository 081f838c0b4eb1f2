/* Descriptors of passes: they have an order, and each says what it cannot tell of some profiles and how a capture comes to hold that, or why none does. */
#include "unit.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "base/arena.h"
#include "base/map.h"
#include "fixture.h"
#include "report/doc.h"
#include "report/text.h"

#define EACH_LACK(pass, lack)                                                                      \
	for (const struct tp_pass *const *pass = tp_passes; *pass != NULL; pass++)                     \
		for (const struct tp_lack *lack = (*pass)->lacks; lack != NULL && lack->what != NULL;      \
			 lack++)

static void
each_stands_below_those_that_it_comes_after(void **state)
{
	const struct tp_pass *wrong = tp_pass_out_of_order(tp_passes);

	(void)state;
	if (wrong != NULL)
		fail_msg("%s", wrong->name);
}

static const struct tp_pass itself;
static const struct tp_pass *const after_itself[] = {&itself, NULL};
static const struct tp_pass itself = {.name = "itself", .after = after_itself};

/* A circle, a pass that is not in the list, one that is there twice: none has an order. */
static void
a_list_without_an_order_is_noticed(void **state)
{
	static const struct tp_pass first = {.name = "first"};
	static const struct tp_pass *const after_first[] = {&first, NULL};
	static const struct tp_pass second = {.name = "second", .after = after_first};

	(void)state;
	assert_null(tp_pass_out_of_order((const struct tp_pass *const[]){&first, &second, NULL}));
	assert_ptr_equal(
		tp_pass_out_of_order((const struct tp_pass *const[]){&second, &first, NULL}), &second);
	assert_ptr_equal(tp_pass_out_of_order((const struct tp_pass *const[]){&second, NULL}), &second);
	assert_ptr_equal(
		tp_pass_out_of_order((const struct tp_pass *const[]){&first, &first, NULL}), &first);
	assert_ptr_equal(tp_pass_out_of_order((const struct tp_pass *const[]){&itself, NULL}), &itself);
}

static void
each_says_what_it_lacks_or_why_nothing(void **state)
{
	(void)state;
	for (const struct tp_pass *const *p = tp_passes; *p != NULL; p++) {
		if ((*p)->of != NULL)
			continue;
		bool lacks = (*p)->lacks != NULL && (*p)->lacks[0].what != NULL;

		if (lacks == ((*p)->lacks_nothing != NULL))
			fail_msg("%s says %s", (*p)->name, lacks ? "both" : "neither");
	}
}

static void
what_is_lacking_can_be_captured(void **state)
{
	(void)state;
	EACH_LACK(p, lack)
	{
		if (lack->id == NULL || (lack->on & (TP_LACK_ANYWHERE | TP_LACK_ON_TRACKS)) == 0)
			fail_msg("%s: %s is nowhere missed", (*p)->name, lack->what);
		if (lack->any == NULL && lack->jax == NULL && lack->tensorflow == NULL &&
			lack->pytorch_xla == NULL && lack->pytorch == NULL)
			fail_msg("%s: nobody can capture %s", (*p)->name, lack->what);
	}
}

static void
what_is_lacking_has_an_id_of_its_own(void **state)
{
	struct tp_strings ids;

	tp_strings_init(&ids, *state);
	EACH_LACK(p, lack)
	{
		uint32_t known = ids.count;

		if (tp_intern(&ids, tp_slice_of(lack->id)) < known)
			fail_msg("%s: another has the id %s", (*p)->name, lack->id);
	}
}

/* Without a reason of its own a lack takes that of its pass, which has one only where it can be skipped. */
static void
what_is_lacking_has_a_reason(void **state)
{
	(void)state;
	EACH_LACK(p, lack)
	{
		if (lack->why == NULL && (*p)->needs_all == 0 && (*p)->needs_any == 0 &&
			(*p)->analyze == NULL)
			fail_msg("%s: nothing says why %s is missing", (*p)->name, lack->what);
	}
}

/* Advice ends in a full stop, and its markup is whole: no sign of it is left in the text that is shown. */
static void
advice_is_a_sentence(void **state)
{
	struct tp_doc *doc = *state;

	EACH_LACK(p, lack)
	{
		const char *const advice[] = {
			lack->jax, lack->tensorflow, lack->pytorch_xla, lack->pytorch, lack->any};

		for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
			if (advice[i] == NULL)
				continue;
			struct tp_slice text = tp_text_shown(TP_SAY0(doc, advice[i]), doc->arena);

			if (!tp_slice_ends(text, TP_S(".")) || tp_slice_has(text, TP_S("`")))
				fail_msg("%s: %.*s", (*p)->name, TP_ARG(text));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_stands_below_those_that_it_comes_after),
		cmocka_unit_test(a_list_without_an_order_is_noticed),
		cmocka_unit_test(each_says_what_it_lacks_or_why_nothing),
		cmocka_unit_test(what_is_lacking_can_be_captured),
		ARENA_TEST(what_is_lacking_has_an_id_of_its_own),
		cmocka_unit_test(what_is_lacking_has_a_reason),
		DOC_TEST(advice_is_a_sentence),
	};

	return RUN(tests);
}
