/* Names of rows: one of three rooms, less of it on a phone; what is cut still tells names apart. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/row_names.h"

#define TENSILE "Cijk_Ailk_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_"

static const struct tp_slice kernels[] = {
	TP_S("relu"),
	TP_S(TENSILE "MT128x256x32_MI16x16x1_SN_LDSB1_AFC1"),
	TP_S(TENSILE "MT16x448x64_MI16x16x1_SN_LDSB1_AFC1"),
	TP_S("a_kernel_of_its_own_with_a_name_that_nothing_else_here_begins_with"),
};
enum { COUNT = sizeof kernels / sizeof *kernels };

static void
room_is_as_wide_as_names_need(void **state)
{
	static const struct tp_slice middle[] = {TP_S("aten::_foreach_add")};

	(void)state;
	assert_float_equal(tp_row_names_px(kernels, 1, 12), 84, 1e-12);
	assert_float_equal(tp_row_names_px(middle, 1, 12), 164, 1e-12);
	assert_float_equal(tp_row_names_px(kernels, COUNT, 12), 250, 1e-12);
	assert_float_equal(tp_row_names_phone_px(84), 84, 1e-12);
	assert_float_equal(tp_row_names_phone_px(250), 164, 1e-12);
}

static void
a_cut_name_says_what_is_its_own(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		tp_row_name_draw(&log->canvas, kernels, COUNT, i, 250, 20, 12, TP_INK_INK);
	assert_int_equal(drawn_count(log, DRAWN_TEXT), COUNT);
	assert_string_equal(drawn_nth(log, DRAWN_TEXT, 0)->words, "relu");
	assert_string_equal(drawn_nth(log, DRAWN_TEXT, 0)->title, "");
	assert_true(strncmp(drawn_nth(log, DRAWN_TEXT, 1)->words, "Cijk_Ail…MT128x256x32", 23) == 0);
	assert_true(strncmp(drawn_nth(log, DRAWN_TEXT, 2)->words, "Cijk_Ail…MT16x448x64", 22) == 0);
	assert_string_equal(
		drawn_nth(log, DRAWN_TEXT, 2)->title, TENSILE "MT16x448x64_MI16x16x1_SN_LDSB1_AFC1");
	assert_true(strncmp(drawn_nth(log, DRAWN_TEXT, 3)->words, "a_kernel_of_its_own_", 20) == 0);
}

/* Words of a name may have nothing between them but a capital letter. */
static void
a_cut_name_is_told_apart_within_a_word(void **state)
{
	static const struct tp_slice types[] = {
		TP_S("_MklNativeConv2DBackpropFilterWithBias"),
		TP_S("_MklNativeConv2DBackpropInput"),
	};
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	for (size_t i = 0; i < 2; i++)
		tp_row_name_draw(&log->canvas, types, 2, i, 164, 20, 12, TP_INK_INK);
	assert_string_equal(drawn_nth(log, DRAWN_TEXT, 0)->words, "_MklNativeC…FilterWithBias");
	assert_string_equal(drawn_nth(log, DRAWN_TEXT, 1)->words, "_MklNativeConv2DB…Input");
}

/* Where the widest of the three is not enough, a very wide screen has more; all names begin on one line. */
static void
a_very_wide_screen_shows_more(void **state)
{
	struct canvas_log *log = canvas_log(1000, 300);
	size_t roomy = 0;

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		tp_row_name_draw(&log->canvas, kernels, COUNT, i, 250, 20, 12, TP_INK_INK);
	for (size_t i = 0; i < drawn_count(log, DRAWN_TEXT); i++) {
		const struct drawn *d = drawn_nth(log, DRAWN_TEXT, i);

		roomy += d->text.roomy;
		assert_true(d->text.wide == d->text.tight);
		assert_int_equal(d->text.roomy + d->text.narrow + d->text.wide, 1);
		if (d->text.roomy && i / 3 == 3)
			assert_string_equal(d->words, kernels[3].ptr);
	}
	assert_int_equal(roomy, COUNT);
	log = canvas_log(1000, 300);
	tp_row_name_draw(&log->canvas, kernels, 1, 0, 250, 20, 12, TP_INK_INK);
	assert_false(drawn_nth(log, DRAWN_TEXT, 0)->text.tight);
}

/* What a number counts is said with it, and the beginning takes the room that the end leaves. */
static void
levels_of_a_thread_are_told_apart(void **state)
{
	static const struct tp_slice threads[] = {
		TP_S("tf_data_iterator_resource/4531388213040511246"),
		TP_S("tf_data_iterator_resource/4531388213040511246, level 2"),
		TP_S("tf_data_iterator_resource/4531388213040511246, level 3"),
		TP_S("tf_data_iterator_resource/1758178766280915959"),
	};
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	for (size_t i = 0; i < 4; i++)
		tp_row_name_draw(&log->canvas, threads, 4, i, 250, 20, 12, TP_INK_INK);
	for (size_t i = 1; i < 3; i++) {
		const char *words = drawn_nth(log, DRAWN_TEXT, i)->words;
		const char *end = i == 1 ? "…level 2" : "…level 3";

		assert_true(strncmp(words, "tf_data_iterator_resource", 25) == 0);
		assert_string_equal(words + strlen(words) - strlen(end), end);
	}
	assert_true(
		strncmp(drawn_nth(log, DRAWN_TEXT, 0)->words, "tf_data_iterator_resource/45", 28) == 0);
	tp_row_name_draw(&log->canvas, threads, 4, 1, 100, 20, 12, TP_INK_INK);
	tp_row_name_draw(&log->canvas, threads, 4, 1, 78, 20, 12, TP_INK_INK);
	assert_string_equal(drawn_nth(log, DRAWN_TEXT, 4)->words, "tf_data_i…level 2");
	assert_string_equal(drawn_nth(log, DRAWN_TEXT, 5)->words, "tf_data_it…2");
}

static void
a_phone_has_texts_of_its_own_where_there_is_less_room(void **state)
{
	struct canvas_log *log = canvas_log(1000, 350);

	(void)state;
	tp_row_name_draw(&log->canvas, kernels, COUNT, 1, 250, 20, 12, TP_INK_INK);
	tp_row_name_draw(&log->canvas, kernels, 1, 0, 84, 40, 12, TP_INK_INK);
	assert_int_equal(drawn_count(log, DRAWN_TEXT), 4);
	const struct drawn *wide = drawn_nth(log, DRAWN_TEXT, 0),
					   *narrow = drawn_nth(log, DRAWN_TEXT, 1),
					   *both = drawn_nth(log, DRAWN_TEXT, 3);

	assert_true(wide->text.wide && !wide->text.narrow && wide->text.x.px == -250);
	assert_true(narrow->text.narrow && !narrow->text.wide && narrow->text.x.px == -164);
	assert_true(strlen(narrow->words) < strlen(wide->words));
	assert_true(!both->text.wide && !both->text.narrow && both->text.x.px == -84);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_is_as_wide_as_names_need),
		cmocka_unit_test(a_cut_name_says_what_is_its_own),
		cmocka_unit_test(a_cut_name_is_told_apart_within_a_word),
		cmocka_unit_test(a_very_wide_screen_shows_more),
		cmocka_unit_test(levels_of_a_thread_are_told_apart),
		cmocka_unit_test(a_phone_has_texts_of_its_own_where_there_is_less_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
