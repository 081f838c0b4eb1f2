/* The colours of the parts that a core's step is made of. */
#include "analyze/pod/pod.h"
#include "unit.h"

enum { PALEST_TINT = 3 }; /* nearly as light as the ground, or in the dark as text */

static void
parts_of_one_hue_have_tints_of_their_own(void **state)
{
	(void)state;
	for (int a = 0; a < TP_POD_PART_COUNT; a++)
		for (int b = 0; b < a; b++) {
			const struct tp_pod_part_info *one = tp_pod_part_info(a), *other = tp_pod_part_info(b);

			/* Waiting is hatched where it is told from the work of collectives, and in their place else. */
			if (a != TP_POD_COLLECTIVE_SYNC && b != TP_POD_COLLECTIVE_SYNC &&
				one->hue == other->hue)
				assert_int_not_equal(one->tint, other->tint);
		}
}

static void
no_part_is_the_palest(void **state)
{
	(void)state;
	for (int part = 0; part < TP_POD_PART_COUNT; part++)
		assert_in_range(tp_pod_part_info(part)->tint, 0, PALEST_TINT - 1);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_one_hue_have_tints_of_their_own),
		cmocka_unit_test(no_part_is_the_palest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
