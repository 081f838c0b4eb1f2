/* The neighbourhood of an instruction: who is in it, how far away, and what is left out of it. */
#include "base/arena.h"
#include "fixture.h"
#include "model/hlo_near.h"
#include "unit.h"

/* A module of instructions that only have operands: `operands` holds for each how many, then which. */
static const struct tp_hlo_module *
module_of(struct tp_arena *a, uint32_t count, const uint32_t *operands)
{
	struct tp_hlo_module *m = tp_new(a, struct tp_hlo_module);

	m->instruction_count = count;
	m->instructions = tp_new_array(a, struct tp_hlo_instruction, count);
	for (uint32_t i = 0; i < count; i++) {
		m->instructions[i].operands = (struct tp_hlo_list){operands + 1, *operands};
		operands += 1 + *operands;
	}
	return m;
}

static struct tp_hlo_near
near_of(struct tp_arena *a, const struct tp_hlo_module *m, uint32_t instruction, unsigned width,
	const int64_t *weight)
{
	const struct tp_hlo_near_wish wish = {instruction, width, weight};

	return tp_hlo_near(tp_hlo_links(m, a), &wish, a);
}

static const struct tp_hlo_near_node *
node_of(const struct tp_hlo_near *near, uint32_t instruction)
{
	for (size_t n = 0; n < near->node_count; n++) {
		if (near->nodes[n].instruction == instruction)
			return &near->nodes[n];
	}
	return NULL;
}

/* 0 → 1 → 3 → 4 → 5, 2 → 3, 2 → 4 */
static const uint32_t chain[] = {0, 1, 0, 0, 2, 1, 2, 2, 3, 2, 1, 4};
static const int64_t alike[8];

static void
distances_count_steps_in_each_direction(void **state)
{
	const struct tp_hlo_module *m = module_of(*state, 6, chain);
	struct tp_hlo_near near = near_of(*state, m, 3, 2, alike);
	static const int want[6] = {-2, -1, -1, 0, 1, 2};

	assert_int_equal(near.node_count, 6);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(node_of(&near, i)->distance, want[i]);
	assert_int_equal(near.edge_count, 6);
	for (size_t n = 0; n < near.node_count; n++) {
		assert_int_equal(near.nodes[n].operands_left_out, 0);
		assert_int_equal(near.nodes[n].users_left_out, 0);
	}
}

static void
what_is_further_away_is_counted(void **state)
{
	const struct tp_hlo_module *m = module_of(*state, 6, chain);
	struct tp_hlo_near near = near_of(*state, m, 1, 1, alike);

	assert_int_equal(near.node_count, 3);
	assert_int_equal(near.edge_count, 2);
	assert_int_equal(node_of(&near, 0)->distance, -1);
	assert_int_equal(node_of(&near, 3)->distance, 1);
	assert_int_equal(node_of(&near, 3)->operands_left_out, 1);
	assert_int_equal(node_of(&near, 3)->users_left_out, 1);
}

static void
an_operand_that_is_read_twice_is_one(void **state)
{
	static const uint32_t square[] = {0, 3, 0, 0, 0};
	const struct tp_hlo_module *m = module_of(*state, 2, square);
	struct tp_hlo_near near = near_of(*state, m, 1, 2, alike);

	assert_int_equal(near.node_count, 2);
	assert_int_equal(near.edge_count, 1);
	assert_int_equal(node_of(&near, 0)->users_left_out, 0);
	assert_int_equal(tp_hlo_users(tp_hlo_links(m, *state), 0).count, 1);
}

/* One that 1,000 read, of which the last is the heaviest. */
static void
the_heaviest_have_room(void **state)
{
	enum { USERS = 1000 };
	uint32_t *operands = tp_new_array(*state, uint32_t, 1 + 2 * USERS);
	int64_t *weight = tp_new_array(*state, int64_t, 1 + USERS);

	for (uint32_t i = 0; i < USERS; i++)
		operands[1 + 2 * i] = 1;
	weight[USERS] = 5;
	weight[77] = 4;
	struct tp_hlo_near near = near_of(*state, module_of(*state, 1 + USERS, operands), 0, 1, weight);

	assert_int_equal(near.node_count, 1 + TP_HLO_NEAR_A_STEP);
	assert_int_equal(node_of(&near, 0)->users_left_out, USERS - TP_HLO_NEAR_A_STEP);
	assert_non_null(node_of(&near, USERS));
	assert_non_null(node_of(&near, 77));
	assert_non_null(node_of(&near, 4));
	assert_null(node_of(&near, 5));
}

/* What was left out of the first step is as near as it was, and does not come back in the second. */
static void
what_had_no_room_stays_out(void **state)
{
	enum { USERS = 9 };
	uint32_t operands[1 + 2 * USERS + 3] = {0};
	int64_t weight[2 + USERS] = {0};

	for (uint32_t i = 0; i < USERS; i++) {
		operands[1 + 2 * i] = 1;
		weight[1 + i] = 100 - i;
	}
	operands[1 + 2 * USERS] = 2; /* the last reads the first one's user 1, and 0 */
	operands[1 + 2 * USERS + 1] = 0;
	operands[1 + 2 * USERS + 2] = 1;
	struct tp_hlo_near near = near_of(*state, module_of(*state, 2 + USERS, operands), 0, 2, weight);

	assert_int_equal(near.node_count, 1 + 2 * TP_HLO_NEAR_A_STEP * 2 / 3);
	assert_null(node_of(&near, 1 + USERS));
	assert_int_equal(node_of(&near, 1)->users_left_out, 1);
}

static void
links_are_used_again(void **state)
{
	const struct tp_hlo_module *m = module_of(*state, 6, chain);
	struct tp_hlo_links *links = tp_hlo_links(m, *state);

	for (uint32_t i = 0; i < 12; i++) {
		const struct tp_hlo_near_wish wish = {i % 6, 2, alike};
		struct tp_hlo_near fresh = near_of(*state, m, i % 6, 2, alike);
		struct tp_hlo_near again = tp_hlo_near(links, &wish, *state);

		assert_int_equal(again.node_count, fresh.node_count);
		assert_int_equal(again.edge_count, fresh.edge_count);
		assert_memory_equal(again.nodes, fresh.nodes, fresh.node_count * sizeof *fresh.nodes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(distances_count_steps_in_each_direction),
		ARENA_TEST(what_is_further_away_is_counted),
		ARENA_TEST(an_operand_that_is_read_twice_is_one),
		ARENA_TEST(the_heaviest_have_room),
		ARENA_TEST(what_had_no_room_stays_out),
		ARENA_TEST(links_are_used_again),
	};

	return RUN(tests);
}
