/* Which group each event is in: what was put is found, and intervals in one group take next to no memory. */
#include "unit.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"

enum { EVENTS = 5000, MANY = 1 << 20, STEP = 20000 };

static void
is_what_was_put(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_group_column *c = tp_group_column_new(EVENTS, arena);
	int32_t *plain = tp_new_array(arena, int32_t, EVENTS);
	uint32_t random = 1;

	(void)state;
	for (uint32_t i = 0; i < EVENTS; i++)
		plain[i] = -1;
	for (int round = 0; round < 6; round++) {
		/* Sparse events, then intervals that end within blocks or at their ends. */
		for (uint32_t i = 0; i < EVENTS; i++) {
			random = random * 1664525 + 1013904223;
			if (round % 2 == 0 ? random % 97 != 0 : i % 1536 < 512)
				continue;
			plain[i] = round % 2 == 0 ? (int32_t)(random >> 16) : round - 2;
			tp_group_put(c, i, plain[i]);
		}
		for (uint32_t i = 0; i < EVENTS; i++)
			assert_int_equal(tp_group_at(c, i), plain[i]);
	}
	tp_arena_free(arena);
}

static void
filling_is_putting_each(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_group_column *filled = tp_group_column_new(EVENTS, arena);
	struct tp_group_column *put = tp_group_column_new(EVENTS, arena);
	uint32_t random = 1;

	(void)state;
	for (int32_t group = 0; group < 200; group++) {
		random = random * 1664525 + 1013904223;
		uint32_t first = (random >> 8) % EVENTS;
		uint32_t most = group % 2 == 0 ? EVENTS - first : 40;
		uint32_t end = first + (random >> 4) % (most < EVENTS - first ? most : EVENTS - first);

		tp_group_fill(filled, first, end, group);
		for (uint32_t i = first; i < end; i++)
			tp_group_put(put, i, group);
		for (uint32_t i = 0; i < EVENTS; i++)
			assert_int_equal(tp_group_at(filled, i), tp_group_at(put, i));
	}
	tp_arena_free(arena);
}

static void
intervals_in_one_group_take_little(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_group_column *c = tp_group_column_new(MANY, arena);

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		tp_group_put(c, i, (int32_t)(i / STEP));
	for (uint32_t i = 0; i < MANY; i += 999)
		assert_int_equal(tp_group_at(c, i), i / STEP);
	assert_true(tp_arena_used(arena) < MANY / 4);
	tp_arena_free(arena);
}

static void
none_are_in_a_group_at_first(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_group_column *c = tp_group_column_new(EVENTS, arena);

	(void)state;
	assert_int_equal(tp_group_at(c, 0), -1);
	assert_int_equal(tp_group_at(c, EVENTS - 1), -1);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_what_was_put),
		cmocka_unit_test(filling_is_putting_each),
		cmocka_unit_test(intervals_in_one_group_take_little),
		cmocka_unit_test(none_are_in_a_group_at_first),
	};

	return RUN(tests);
}
