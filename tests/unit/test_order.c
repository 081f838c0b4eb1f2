/* Putting things in order by keys, and searching what is in order. */
#include "base/order.h"
#include "base/texts.h"
#include "unit.h"

#include <stdlib.h>

struct thing {
	int size;
	unsigned number;
};

TP_ORDER(largest_first, struct thing, TP_DOWN(size), TP_UP(number));

static void
a_key_counts_where_those_before_are_equal(void **state)
{
	struct thing all[] = {{2, 7}, {3, 9}, {2, 4}, {-1, 0}};

	(void)state;
	qsort(all, 4, sizeof *all, largest_first);
	assert_int_equal(all[0].number, 9);
	assert_int_equal(all[1].number, 4);
	assert_int_equal(all[2].number, 7);
	assert_int_equal(all[3].size, -1);
	assert_int_equal(largest_first(&all[0], &all[0]), 0);
}

TP_ORDER_POINTERS(smallest_first, struct thing, TP_UP(size), TP_AS_THEY_STAND);

static void
pointers_are_put_in_order_by_what_they_point_to(void **state)
{
	static const struct thing all[] = {{2, 0}, {1, 0}, {2, 0}};
	const struct thing *order[] = {&all[2], &all[0], &all[1]};

	(void)state;
	qsort(order, 3, sizeof *order, smallest_first);
	assert_ptr_equal(order[0], &all[1]);
	assert_ptr_equal(order[1], &all[0]);
	assert_ptr_equal(order[2], &all[2]);
}

static void
the_first_that_fits_is_found(void **state)
{
	static const int all[] = {1, 3, 3, 8};

	(void)state;
	assert_int_equal(TP_FIRST_WHERE(i, 4, all[i] >= 3), 1);
	assert_int_equal(TP_FIRST_WHERE(i, 4, all[i] > 3), 3);
	assert_int_equal(TP_FIRST_WHERE(i, 4, all[i] >= 0), 0);
	assert_int_equal(TP_FIRST_WHERE(i, 4, all[i] > 8), 4);
	assert_int_equal(TP_FIRST_WHERE(i, 0, all[i] > 8), 0);
}

static void
one_text_that_fits_is_enough(void **state)
{
	(void)state;
	assert_true(tp_texts_any(TP_S("validation"), tp_slice_starts, TP_TEXTS("eval", "valid")));
	assert_false(tp_texts_any(TP_S("validation"), tp_slice_eq, TP_TEXTS("eval", "valid")));
	assert_true(tp_texts_any(TP_S("ReaderV2"), tp_slice_ends, TP_TEXTS("V2")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_counts_where_those_before_are_equal),
		cmocka_unit_test(pointers_are_put_in_order_by_what_they_point_to),
		cmocka_unit_test(the_first_that_fits_is_found),
		cmocka_unit_test(one_text_that_fits_is_enough),
	};

	return RUN(tests);
}
