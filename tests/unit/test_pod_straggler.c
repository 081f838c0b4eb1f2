/* Who leads, among units and groups of units. */
#include "analyze/pod/pod.h"
#include "base/arena.h"
#include "unit.h"

#include <math.h>

static struct tp_pod_lead
lead(const double *own, size_t steps, size_t units, const uint32_t *group, uint32_t groups)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_pod_lead found = tp_pod_find_lead(own, steps, units, group, groups, arena);

	tp_arena_free(arena);
	return found;
}

static void
the_slowest_leads_by_its_distance_to_the_next(void **state)
{
	static const double own[] = {1, 5, 3, 2, 1, 6, 4, 4};
	static const uint32_t each[] = {0, 1, 2, 3}, pairs[] = {0, 0, 1, 1};
	struct tp_pod_lead found = lead(own, 2, 4, each, 4);

	(void)state;
	assert_int_equal(found.group, 1);
	assert_int_equal(found.steps, 2);
	assert_float_equal(found.cost_ps, ((5 - 3) + (6 - 4)) / 2.0, 1e-12);
	found = lead(own, 2, 4, pairs, 2);
	assert_int_equal(found.group, 0);
	assert_float_equal(found.cost_ps, ((5 - 3) + (6 - 4)) / 2.0, 1e-12);
}

static void
the_sum_over_steps_decides_not_how_often(void **state)
{
	static const double own[] = {2, 1, 2, 1, 1, 9};
	static const uint32_t each[] = {0, 1};
	struct tp_pod_lead found = lead(own, 3, 2, each, 2);

	(void)state;
	assert_int_equal(found.group, 1);
	assert_int_equal(found.steps, 1);
	assert_float_equal(found.cost_ps, 8 / 3.0, 1e-12);
}

static void
equals_cost_nothing_and_one_group_has_no_rest(void **state)
{
	static const double own[] = {3, 3, 3};
	static const uint32_t each[] = {0, 1, 2}, one[] = {0, 0, 0};

	(void)state;
	assert_float_equal(lead(own, 1, 3, each, 3).cost_ps, 0, 0);
	assert_true(isnan(lead(own, 1, 3, one, 1).cost_ps));
	assert_true(isnan(lead(own, 0, 3, each, 3).cost_ps));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slowest_leads_by_its_distance_to_the_next),
		cmocka_unit_test(the_sum_over_steps_decides_not_how_often),
		cmocka_unit_test(equals_cost_nothing_and_one_group_has_no_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
