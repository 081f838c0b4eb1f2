/* Changes of level: found where they are, and nowhere else. */
#include "base/arena.h"
#include "compare/change_points.h"
#include "unit.h"

static size_t
find(struct tp_arena *arena, const double *values, size_t count, struct tp_change_point **points)
{
	tp_arena_reset(arena);
	return tp_change_points(values, count, arena, points);
}

static void
levels(void **state)
{
	static const double two[] = {5, 5.1, 4.9, 5, 5.2, 5, 4.8, 5.1, 7, 7.1, 6.9, 7, 7.2, 6.8};
	static const double three[] = {
		5, 5.1, 4.9, 5, 5.2, 5, 9, 9.1, 8.9, 9, 9.2, 9.1, 2, 2.1, 1.9, 2, 2.2, 2};
	struct tp_arena *arena = tp_arena_new();
	struct tp_change_point *p;

	(void)state;
	assert_int_equal(find(arena, two, 14, &p), 1);
	assert_int_equal(p[0].at, 8);
	assert_float_equal(p[0].before, 5, 1e-12); /* of 4.8 4.9 5 5 5 5.1 5.1 5.2 */
	assert_float_equal(p[0].after, 7, 1e-12);
	assert_true(p[0].p <= 0.005);
	assert_int_equal(find(arena, three, 18, &p), 2);
	assert_int_equal(p[0].at, 6);
	assert_int_equal(p[1].at, 12);
	assert_float_equal(p[1].before, 9.05, 1e-12);
	tp_arena_free(arena);
}

static void
no_levels(void **state)
{
	static const double same[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
	static const double noise[] = {5, 5.1, 4.9, 5, 5.2, 5, 4.8, 5.1, 5, 5.1, 4.9, 5};
	static const double odd[] = {5, 5.1, 4.9, 5, 5.2, 5, 9, 5.1, 5, 5.1, 4.9, 5, 5.1, 5};
	static const double few[] = {1, 1, 1, 1, 9, 9, 9, 9, 9};
	struct tp_arena *arena = tp_arena_new();
	struct tp_change_point *p;

	(void)state;
	assert_int_equal(find(arena, same, 12, &p), 0);
	assert_int_equal(find(arena, noise, 12, &p), 0);
	assert_int_equal(find(arena, odd, 14, &p), 0);
	assert_int_equal(find(arena, few, 9, &p), 0);
	assert_int_equal(find(arena, same, 0, &p), 0);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(no_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
