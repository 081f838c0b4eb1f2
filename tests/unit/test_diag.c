/* Errors and diagnostics: filled, extended, said once, counted. */
#include "unit.h"

#include "base/arena.h"
#include "base/diag.h"

static void
failure_fills_the_error_and_returns_its_status(void **state)
{
	struct tp_err err;

	(void)state;
	assert_int_equal(tp_fail(&err, TP_ERR_USAGE, "no such option: %s", "--x"), TP_ERR_USAGE);
	assert_string_equal(err.text, "no such option: --x");
	assert_string_equal(err.input, "");
	assert_true(err.offset == TP_NO_OFFSET);
}

static void
failure_names_the_place(void **state)
{
	struct tp_err err;

	(void)state;
	assert_int_equal(tp_fail_at(&err, TP_ERR_FORMAT, "a.pb", 7, "bad tag"), TP_ERR_FORMAT);
	assert_string_equal(err.input, "a.pb");
	assert_int_equal(err.offset, 7);
}

static void
failure_without_an_error_is_allowed(void **state)
{
	(void)state;
	assert_int_equal(tp_fail(NULL, TP_ABSENT, "x"), TP_ABSENT);
}

static void
callers_add_where_they_were(void **state)
{
	struct tp_err err;

	(void)state;
	tp_fail(&err, TP_ERR_FORMAT, "bad tag");
	assert_int_equal(tp_while(&err, "planes[%d]", 3), TP_ERR_FORMAT);
	assert_string_equal(err.text, "planes[3]: bad tag");
}

static void
long_messages_are_cut_not_overrun(void **state)
{
	struct tp_err err;

	(void)state;
	tp_fail(&err, TP_ERR_FORMAT, "%0600d", 1);
	for (int i = 0; i < 50; i++)
		tp_while(&err, "%0200d", i);
	assert_in_range(strlen(err.text), 300, sizeof err.text - 1);
}

static void
same_message_is_said_once_and_counted(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_diags d;

	(void)state;
	tp_diags_init(&d, arena);
	for (uint64_t at = 10; at < 13; at++)
		tp_diag_at(&d, TP_DIAG_WARNING, "a.pb", at, "event without a name");
	tp_diag_at(&d, TP_DIAG_WARNING, "b.pb", 1, "event without a name");
	tp_diag_at(&d, TP_DIAG_NOTE, "a.pb", 1, "event without a name");
	assert_int_equal(d.warnings, 2);
	assert_int_equal(d.notes, 1);
	assert_int_equal(d.first->count, 3);
	assert_int_equal(d.first->offset, 10);
	tp_arena_free(arena);
}

static void
survived_error_becomes_a_message(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_diags d;
	struct tp_err err;

	(void)state;
	tp_diags_init(&d, arena);
	tp_fail_at(&err, TP_ERR_FORMAT, "a.pb", 7, "bad tag");
	tp_diag_err(&d, TP_DIAG_WARNING, &err);
	assert_text(d.first->text, "bad tag");
	assert_text(d.first->input, "a.pb");
	assert_int_equal(d.first->offset, 7);
	tp_arena_free(arena);
}

static void
beyond_some_hundred_different_messages_one_says_so(void **state)
{
	struct tp_arena *a = tp_arena_new();
	struct tp_diags d;

	(void)state;
	tp_diags_init(&d, a);
	for (int i = 0; i < 100000; i++)
		tp_diag_at(&d, TP_DIAG_WARNING, "a.pb", 7, "event %d is damaged", i);
	assert_in_range(d.warnings, 100, 1000);
	const struct tp_diag *last = d.first;

	while (last->next != NULL)
		last = last->next;
	assert_text(last->text, "further warnings are not shown");
	assert_int_equal(last->count + d.warnings - 1, 100000);
	tp_arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failure_fills_the_error_and_returns_its_status),
		cmocka_unit_test(failure_names_the_place),
		cmocka_unit_test(failure_without_an_error_is_allowed),
		cmocka_unit_test(callers_add_where_they_were),
		cmocka_unit_test(long_messages_are_cut_not_overrun),
		cmocka_unit_test(same_message_is_said_once_and_counted),
		cmocka_unit_test(survived_error_becomes_a_message),
		cmocka_unit_test(beyond_some_hundred_different_messages_one_says_so),
	};

	return RUN(tests);
}
