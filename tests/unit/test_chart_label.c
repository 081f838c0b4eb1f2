/* Labels: cut to fit, dropped when they collide, moved apart when all must stay. */
#include "unit.h"

#include "chart/label.h"

static void
widths_grow_with_text_size_and_weight(void **state)
{
	(void)state;
	assert_float_equal(tp_label_width(TP_S("0000"), 10, 400), 25.92, 0.01);
	assert_true(tp_label_width(TP_S("step"), 11, 600) > tp_label_width(TP_S("step"), 11, 400));
	assert_float_equal(tp_label_width(TP_S(""), 11, 400), 0, 0);
}

static void
what_fits_is_not_cut(void **state)
{
	char buf[64];

	(void)state;
	assert_text(tp_label_cut(TP_S("fusion.12"), 12, 400, 100, buf, sizeof buf), "fusion.12");
}

static void
what_is_cut_fits_and_ends_in_dots(void **state)
{
	char buf[64];
	struct tp_slice cut =
		tp_label_cut(TP_S("ampere_sgemm_128x64_tn"), 12, 400, 80, buf, sizeof buf);

	(void)state;
	assert_true(tp_slice_ends(cut, TP_S("…")));
	assert_true(tp_label_width(cut, 12, 400) <= 80);
	assert_true(cut.len > 8);
}

static void
a_character_is_never_cut_in_two(void **state)
{
	char buf[16];
	struct tp_slice cut = tp_label_cut(TP_S("ääääääääääääääää"), 12, 400, 1000, buf, 8);

	(void)state;
	assert_text(cut, "ääääääääääääääää"); /* fits the width, so the buffer does not matter */
	cut = tp_label_cut(TP_S("ääääääääääääääää"), 12, 400, 100, buf, 9);
	assert_text(cut, "ää…");
}

static void
important_labels_stay_and_others_give_way(void **state)
{
	struct tp_label_span labels[] = {
		{90, 100, false}, {0, 10, false}, {50, 60, false}, {55, 70, false}, {80, 88, false}};

	(void)state;
	tp_labels_drop(labels, 5, 12);
	assert_true(labels[0].kept && labels[1].kept && labels[2].kept);
	assert_false(labels[3].kept);
	assert_false(labels[4].kept);
}

static void
near_labels_move_apart_by_the_same_amount(void **state)
{
	double y[] = {40, 44};

	(void)state;
	tp_labels_spread(y, 2, 12, 0, 100);
	assert_float_equal(y[0], 36, 0.01);
	assert_float_equal(y[1], 48, 0.01);
}

static void
labels_stay_within_their_bounds(void **state)
{
	double y[] = {1, 2, 3};

	(void)state;
	tp_labels_spread(y, 3, 12, 0, 100);
	assert_float_equal(y[0], 0, 0.01);
	assert_true(y[1] - y[0] >= 12 - 1e-6 && y[2] - y[1] >= 12 - 1e-6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_grow_with_text_size_and_weight),
		cmocka_unit_test(what_fits_is_not_cut),
		cmocka_unit_test(what_is_cut_fits_and_ends_in_dots),
		cmocka_unit_test(a_character_is_never_cut_in_two),
		cmocka_unit_test(important_labels_stay_and_others_give_way),
		cmocka_unit_test(near_labels_move_apart_by_the_same_amount),
		cmocka_unit_test(labels_stay_within_their_bounds),
	};

	return RUN(tests);
}
