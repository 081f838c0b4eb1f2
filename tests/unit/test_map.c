/* Maps and interned strings. */
#include "unit.h"

#include "base/arena.h"
#include "base/map.h"
#include "fixture.h"

static void
empty_map_has_no_key(void **state)
{
	struct tp_map m;

	tp_map_init(&m, *state);
	assert_int_equal(tp_map_get(&m, 0), TP_MAP_NONE);
}

static void
map_keeps_every_key_while_it_grows(void **state)
{
	struct tp_map m;

	tp_map_init(&m, *state);
	for (uint32_t i = 0; i < 10000; i++)
		tp_map_put(&m, (uint64_t)i * 0x100000000, i);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(tp_map_get(&m, (uint64_t)i * 0x100000000), i);
	assert_int_equal(tp_map_get(&m, 1), TP_MAP_NONE);
	assert_int_equal(m.count, 10000);
}

static void
second_put_replaces_the_first(void **state)
{
	struct tp_map m;

	tp_map_init(&m, *state);
	tp_map_put(&m, UINT64_MAX, 1);
	tp_map_put(&m, UINT64_MAX, 2);
	assert_int_equal(tp_map_get(&m, UINT64_MAX), 2);
	assert_int_equal(m.count, 1);
}

static void
keys_are_numbered_as_they_come(void **state)
{
	struct tp_map m;
	uint32_t number;

	tp_map_init(&m, *state);
	assert_true(tp_map_number(&m, 70, &number));
	assert_int_equal(number, 0);
	assert_true(tp_map_number(&m, 7, &number));
	assert_int_equal(number, 1);
	assert_false(tp_map_number(&m, 70, &number));
	assert_int_equal(number, 0);
}

static void
same_text_has_the_same_id(void **state)
{
	struct tp_strings s;
	char copy[] = "fusion.12";

	tp_strings_init(&s, *state);
	uint32_t id = tp_intern(&s, TP_S("fusion.12"));

	assert_int_equal(tp_intern(&s, tp_slice_of(copy)), id);
	assert_int_not_equal(tp_intern(&s, TP_S("fusion.1")), id);
	assert_text(tp_string(&s, id), "fusion.12");
}

static void
empty_string_has_id_zero(void **state)
{
	struct tp_strings s;

	tp_strings_init(&s, *state);
	assert_int_equal(tp_intern(&s, (struct tp_slice){NULL, 0}), 0);
	assert_text(tp_string(&s, 12345), "");
}

static void
strings_keep_their_ids_while_the_table_grows(void **state)
{
	struct tp_strings s;

	tp_strings_init(&s, *state);
	for (int i = 0; i < 5000; i++)
		assert_int_equal(tp_intern(&s, tp_arena_printf(*state, "name %d", i)), i + 1);
	for (int i = 0; i < 5000; i++)
		assert_int_equal(tp_intern(&s, tp_arena_printf(*state, "name %d", i)), i + 1);
}

static void
pairs_in_another_order_are_another_key(void **state)
{
	(void)state;
	assert_true(tp_hash_pair(1, 2) != tp_hash_pair(2, 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(empty_map_has_no_key),
		ARENA_TEST(map_keeps_every_key_while_it_grows),
		ARENA_TEST(second_put_replaces_the_first),
		ARENA_TEST(keys_are_numbered_as_they_come),
		ARENA_TEST(same_text_has_the_same_id),
		ARENA_TEST(empty_string_has_id_zero),
		ARENA_TEST(strings_keep_their_ids_while_the_table_grows),
		cmocka_unit_test(pairs_in_another_order_are_another_key),
	};

	return RUN(tests);
}
