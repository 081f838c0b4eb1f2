/* Nesting of ranges on the threads of a PyTorch trace, and the way from device work to its operator. */
#include "unit.h"

#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#define US 1000000

enum { MOST = 16 };

/* A thread of events, in microseconds. */
struct thread {
	uint32_t count;
	int64_t start[MOST], duration[MOST];
	uint8_t kind[MOST];
};

static struct tp_torch_correlation
nest(struct tp_arena *arena, const struct thread *h)
{
	struct tp_torch_correlation links = {0};
	struct tp_torch_lane lane = {.kind = TP_TORCH_LANE_THREAD, .count = h->count};
	struct tp_torch_trace t = {.count = h->count,
		.times = tp_times_of(h->start, h->duration, h->count, arena),
		.kind = h->kind,
		.lanes = &lane,
		.lane_count = 1};

	tp_torch_nest(&t, arena, arena, &links);
	return links;
}

static void
the_innermost_range_holds_an_event(void **state)
{
	const struct thread h = {4, {0, 10 * US, 12 * US, 40 * US}, {100 * US, 20 * US, 5 * US, US},
		{TP_TORCH_STEP, TP_TORCH_OPERATOR, TP_TORCH_RUNTIME, TP_TORCH_OPERATOR}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_torch_correlation links = nest(arena, &h);

	(void)state;
	assert_int_equal(links.parent[0], TP_NONE);
	assert_int_equal(links.parent[1], 0);
	assert_int_equal(links.parent[2], 1);
	assert_int_equal(links.parent[3], 0);
	assert_int_equal(links.crossing, 0);
	tp_arena_free(arena);
}

static void
a_step_is_in_no_other_step(void **state)
{
	const struct thread h = {5, {0, 10 * US, 20 * US, 30 * US, 60 * US},
		{100 * US, 80 * US, 60 * US, 20 * US, 15 * US},
		{TP_TORCH_ANNOTATION, TP_TORCH_STEP, TP_TORCH_STEP, TP_TORCH_STEP, TP_TORCH_OPERATOR}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_torch_correlation links = nest(arena, &h);

	(void)state;
	for (uint32_t e = 1; e <= 3; e++)
		assert_int_equal(links.parent[e], 0);
	assert_int_equal(links.parent[4], 2);
	tp_arena_free(arena);
}

static void
a_range_may_end_a_rounding_after_its_whole(void **state)
{
	const struct thread h = {3, {0, 2 * US, 10 * US}, {10 * US, 8 * US + US / 2, US},
		{TP_TORCH_OPERATOR, TP_TORCH_OPERATOR, TP_TORCH_OPERATOR}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_torch_correlation links = nest(arena, &h);

	(void)state;
	assert_int_equal(links.parent[1], 0);
	/* The third begins as the first ends, and outlasts the second. */
	assert_int_equal(links.parent[2], TP_NONE);
	tp_arena_free(arena);
}

static void
a_range_that_crosses_an_end_is_not_inside(void **state)
{
	const struct thread h = {4, {0, 10 * US, 20 * US, 35 * US}, {100 * US, 20 * US, 30 * US, US},
		{TP_TORCH_STEP, TP_TORCH_OPERATOR, TP_TORCH_OPERATOR, TP_TORCH_RUNTIME}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_torch_correlation links = nest(arena, &h);

	(void)state;
	assert_int_equal(links.parent[2], 0);
	assert_int_equal(links.parent[3], 2);
	assert_int_equal(links.crossing, 1);
	tp_arena_free(arena);
}

static void
python_functions_nest_apart_from_ranges(void **state)
{
	const struct thread h = {3, {0, 10 * US, 12 * US}, {100 * US, 20 * US, 5 * US},
		{TP_TORCH_PYTHON, TP_TORCH_PYTHON, TP_TORCH_OPERATOR}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_torch_correlation links = nest(arena, &h);

	(void)state;
	assert_int_equal(links.python[1], 0);
	assert_int_equal(links.python[2], 1);
	assert_int_equal(links.parent[2], TP_NONE);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_range_holds_an_event),
		cmocka_unit_test(a_step_is_in_no_other_step),
		cmocka_unit_test(a_range_may_end_a_rounding_after_its_whole),
		cmocka_unit_test(a_range_that_crosses_an_end_is_not_inside),
		cmocka_unit_test(python_functions_nest_apart_from_ranges),
	};

	return RUN(tests);
}
