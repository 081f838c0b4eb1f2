/* The smallest rooms: arena, slices, UTF-8. */
#include "unit.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "fixture.h"

#include <stdlib.h>

static bool
all_zero(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] != 0)
			return false;
	}
	return true;
}

static void
memory_is_zeroed_and_aligned(void **state)
{
	static const size_t sizes[] = {0, 1, 15, 17, 4096, 1 << 20, 5 << 20};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		unsigned char *p = tp_arena_alloc(*state, sizes[i]);

		assert_int_equal((uintptr_t)p % 16, 0);
		assert_true(all_zero(p, sizes[i]));
		memset(p, 0xff, sizes[i]);
	}
}

static void
pieces_do_not_overlap(void **state)
{
	unsigned char *pieces[200];

	for (int i = 0; i < 200; i++) {
		pieces[i] = tp_arena_alloc(*state, 1000);
		memset(pieces[i], i, 1000);
	}
	for (int i = 0; i < 200; i++)
		assert_int_equal(pieces[i][999], i);
}

static void
memory_is_zeroed_again_after_a_reset(void **state)
{
	for (int round = 0; round < 3; round++) {
		unsigned char *p = tp_arena_alloc(*state, 5000);

		assert_true(all_zero(p, 5000));
		memset(p, 0xff, 5000);
		tp_arena_reset(*state);
		assert_int_equal(tp_arena_used(*state), 0);
	}
}

/* A sanitizer sees what is freed too early, twice or never. */
static void
memory_of_others_lives_until_the_reset(void **state)
{
	char *others[3];

	for (int i = 0; i < 3; i++) {
		others[i] = malloc(100);
		memset(others[i], 'a' + i, 100);
		tp_arena_own(*state, others[i]);
	}
	tp_arena_own(*state, NULL);
	for (int i = 0; i < 3; i++)
		assert_int_equal(others[i][99], 'a' + i);
	tp_arena_reset(*state);
	tp_arena_own(*state, malloc(100));
}

static void
copies_end_in_a_zero_byte(void **state)
{
	struct tp_slice copy = tp_arena_copy(*state, (struct tp_slice){"fusion.12", 6});

	assert_text(copy, "fusion");
	assert_string_equal(copy.ptr, "fusion");
	assert_string_equal(tp_arena_copy(*state, (struct tp_slice){NULL, 0}).ptr, "");
}

static void
printf_goes_into_the_arena(void **state)
{
	assert_text(tp_arena_printf(*state, "%d %s", 12, "ops"), "12 ops");
}

static void
slices_compare_by_bytes_then_length(void **state)
{
	(void)state;
	assert_true(tp_slice_cmp(TP_S("a"), TP_S("b")) < 0);
	assert_true(tp_slice_cmp(TP_S("a"), TP_S("ab")) < 0);
	assert_true(tp_slice_cmp(TP_S("ab"), TP_S("ab")) == 0);
	assert_true(tp_slice_eq((struct tp_slice){NULL, 0}, TP_S("")));
}

static void
slice_from_beyond_its_end_is_empty(void **state)
{
	(void)state;
	assert_text(tp_slice_from(TP_S("abc"), 1), "bc");
	assert_text(tp_slice_from(TP_S("abc"), 9), "");
}

static void
well_formed_utf8_is_valid(void **state)
{
	(void)state;
	assert_true(tp_utf8_valid(TP_S("")));
	assert_true(tp_utf8_valid(TP_S("plain, ä, €, 🂡, \u202e, \ufffd")));
	assert_true(tp_utf8_valid(TP_S("\xf4\x8f\xbf\xbf")));
}

static void
a_long_text_is_cut_between_characters(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice whole = TP_S("a\u00e4\u20ac\U0001f0a1z");
	/* By the number of bytes that there is room for. */
	static const char *const cut[] = {"…", "a…", "a…", "aä…", "aä…", "aä…", "aä€…", "aä€…", "aä€…",
		"aä€…", "aä€🂡…", "aä€🂡z", "aä€🂡z"};

	(void)state;
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
		assert_text(tp_utf8_shorten(arena, whole, i), cut[i]);
	assert_ptr_equal(tp_utf8_shorten(arena, whole, whole.len).ptr, whole.ptr);
	assert_text(tp_utf8_shorten(arena, TP_S(""), 0), "");
	tp_arena_free(arena);
}

static void
characters_are_read_one_by_one(void **state)
{
	struct tp_slice text = TP_S("a\u00e4\u20ac\U0001f0a1\xe2\x82(\0");
	const uint32_t expected[] = {'a', 0xe4, 0x20ac, 0x1f0a1, TP_UTF8_ILL_FORMED, '(', 0};
	size_t length;

	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		assert_int_equal(tp_utf8_next(text, &length), expected[i]);
		text = tp_slice_from(text, length);
	}
	assert_int_equal(text.len, 0);
}

static void
only_what_a_reader_can_see_is_shown(void **state)
{
	const uint32_t shown[] = {' ', '~', 0xa0, 0xe9, 0x200c, 0x200d, 0x2026, 0x2070, 0xfdcf, 0xfdf0,
		0xfe0f, 0xfffc, 0xfffd, 0x10000, 0xdfffd, 0xe1000, 0x10fffd};
	const uint32_t hidden[] = {0, '\n', '\t', 0x7f, 0x85, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x200b,
		0x200f, 0x2028, 0x202e, 0x2060, 0x2061, 0x2064, 0x2069, 0x206a, 0x206f, 0x3164, 0xfdd0,
		0xfdef, 0xfeff, 0xffa0, 0xfff9, 0xfffb, 0xfffe, 0xffff, 0x1fffe, 0xe0000, 0xe0001, 0xe0041,
		0xe007f, 0xe01ef, 0x10ffff, 0x110000, TP_UTF8_ILL_FORMED};

	(void)state;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		assert_true(tp_utf8_shown(shown[i]));
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		assert_false(tp_utf8_shown(hidden[i]));
}

static void
ill_formed_utf8_is_not_valid(void **state)
{
	static const char *const bad[] = {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80",
		"\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff", "a\xc3", "a\xe2\x82",
		"\xf0\x9f\x82", "\xc3(", "\xe2\x28\xa1"};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(tp_utf8_valid(tp_slice_of(bad[i])));
}

static void
cleaning_puts_one_mark_for_each_ill_formed_sequence(void **state)
{
	assert_text(tp_utf8_clean(*state, TP_S("fine")), "fine");
	assert_text(tp_utf8_clean(*state,
					TP_S("a\xff\xfe"
						 "b")),
		"a\ufffd\ufffd"
		"b");
	assert_text(tp_utf8_clean(*state, TP_S("a\xe2\x82")), "a\ufffd");
	assert_text(tp_utf8_clean(*state, TP_S("\xe2\x82(ä")), "\ufffd(ä");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(memory_is_zeroed_and_aligned),
		ARENA_TEST(pieces_do_not_overlap),
		ARENA_TEST(memory_is_zeroed_again_after_a_reset),
		ARENA_TEST(memory_of_others_lives_until_the_reset),
		ARENA_TEST(copies_end_in_a_zero_byte),
		ARENA_TEST(printf_goes_into_the_arena),
		cmocka_unit_test(slices_compare_by_bytes_then_length),
		cmocka_unit_test(slice_from_beyond_its_end_is_empty),
		cmocka_unit_test(well_formed_utf8_is_valid),
		cmocka_unit_test(a_long_text_is_cut_between_characters),
		cmocka_unit_test(characters_are_read_one_by_one),
		cmocka_unit_test(only_what_a_reader_can_see_is_shown),
		cmocka_unit_test(ill_formed_utf8_is_not_valid),
		ARENA_TEST(cleaning_puts_one_mark_for_each_ill_formed_sequence),
	};

	return RUN(tests);
}
