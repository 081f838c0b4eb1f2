/* A heap simulation replayed: what is live when, what shares memory, what contradicts itself. */
#include "unit.h"

#include "analyze/memory/memory_walk.h"
#include "base/arena.h"

enum { A, B, C, D, BUFFERS };

/* Three temporaries of 100, 200 and 50 bytes and a parameter of 1000 (of which 800 are assigned). */
static struct tp_memory_walk
walked(struct tp_arena *arena, struct tp_heap_event *events, uint32_t count)
{
	static struct tp_logical_buffer buffers[BUFFERS] = {
		[A] = {.id = 1, .size_bytes = 100},
		[B] = {.id = 2, .size_bytes = 200},
		[C] = {.id = 3, .size_bytes = 50},
		[D] = {.id = 4, .size_bytes = 800},
	};
	static uint32_t assigned[] = {A, B, C, D};
	static struct tp_allocation allocations[] = {
		{.index = 0, .size_bytes = 350, .first = 0, .count = 3},
		{.index = 1, .size_bytes = 1000, .is_parameter = true, .first = 3, .count = 1},
		{.index = 2, .size_bytes = 64, .is_thread_local = true},
	};
	struct tp_heap_trace trace = {.events = events, .count = count};
	const struct tp_buffers b = {
		.buffers = buffers,
		.buffer_count = BUFFERS,
		.allocations = allocations,
		.allocation_count = 3,
		.assigned = assigned,
		.traces = &trace,
		.trace_count = 1,
	};
	struct tp_memory_walk w;

	assert_true(tp_memory_walk(&b, 0, arena, &w));
	return w;
}

static void
the_peak_is_where_the_most_is_live(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_heap_event events[] = {
		{TP_HEAP_ALLOC, A, TP_MAP_NONE, TP_S("a")},
		{TP_HEAP_ALLOC, B, TP_MAP_NONE, TP_S("b")},
		{TP_HEAP_FREE, A, TP_MAP_NONE, TP_S("a")},
		{TP_HEAP_ALLOC, C, TP_MAP_NONE, TP_S("c")},
		{TP_HEAP_FREE, B, TP_MAP_NONE, TP_S("b")},
	};
	struct tp_memory_walk w = walked(arena, events, 5);
	const uint64_t expected[] = {1000, 1100, 1300, 1200, 1250, 1050};

	(void)state;
	assert_memory_equal(w.bytes, expected, sizeof expected);
	assert_int_equal(w.peak_bytes, 1300);
	assert_int_equal(w.peak_position, 1);
	assert_int_equal(w.at_peak_count, 3);
	assert_true(w.at_peak[0].whole);
	assert_int_equal(w.at_peak[0].size_bytes, 1000);
	assert_int_equal(w.at_peak[1].start, 0);
	assert_int_equal(w.at_peak[1].end, 2);
	assert_int_equal(w.at_peak[2].end, 4);
	assert_int_equal(w.allocated_bytes, 1350);
	assert_int_equal(w.kind_bytes[TP_BUFFER_THREAD_LOCAL], 64);
	tp_arena_free(arena);
}

static void
shared_memory_counts_once_and_goes_with_its_last_user(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_heap_event events[] = {
		{TP_HEAP_ALLOC, A, TP_MAP_NONE, TP_S("a")},
		{TP_HEAP_SHARE, B, A, TP_S("b")},
		{TP_HEAP_FREE, A, TP_MAP_NONE, TP_S("a")},
		{TP_HEAP_SHARE, C, B, TP_S("c")},
		{TP_HEAP_FREE, B, TP_MAP_NONE, TP_S("b")},
		{TP_HEAP_FREE, C, TP_MAP_NONE, TP_S("c")},
		{TP_HEAP_SHARE, B, A, TP_S("b")},
	};
	struct tp_memory_walk w = walked(arena, events, 7);
	const uint64_t expected[] = {1000, 1100, 1100, 1100, 1100, 1100, 1000, 1100};

	(void)state;
	assert_memory_equal(w.bytes, expected, sizeof expected);
	assert_int_equal(w.at_peak[1].end, 5);
	tp_arena_free(arena);
}

static void
memory_used_again_is_named_after_its_new_user(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_heap_event events[] = {
		{TP_HEAP_ALLOC, A, TP_MAP_NONE, TP_S("a")},
		{TP_HEAP_FREE, A, TP_MAP_NONE, TP_S("a")},
		{TP_HEAP_SHARE, C, A, TP_S("c")},
		{TP_HEAP_ALLOC, B, TP_MAP_NONE, TP_S("b")},
	};
	struct tp_memory_walk w = walked(arena, events, 4);

	(void)state;
	assert_int_equal(w.peak_position, 3);
	assert_int_equal(w.at_peak[1].buffer->id, 3);
	assert_int_equal(w.at_peak[1].size_bytes, 100);
	assert_int_equal(w.at_peak[1].start, 2);
	tp_arena_free(arena);
}

static void
events_that_contradict_themselves_change_nothing(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_heap_event events[] = {
		{TP_HEAP_FREE, A, TP_MAP_NONE, TP_S("a")},
		{TP_HEAP_SHARE, A, A, TP_S("a")},
		{TP_HEAP_ALLOC, TP_MAP_NONE, TP_MAP_NONE, TP_S("nobody")},
		{TP_HEAP_SHARE, B, TP_MAP_NONE, TP_S("b")},
		{TP_HEAP_ALLOC, C, TP_MAP_NONE, TP_S("c")},
		{TP_HEAP_FREE, C, TP_MAP_NONE, TP_S("c")},
		{TP_HEAP_FREE, C, TP_MAP_NONE, TP_S("c")},
	};
	struct tp_memory_walk w = walked(arena, events, 7);

	(void)state;
	assert_int_equal(w.peak_bytes, 1050);
	assert_int_equal(w.bytes[7], 1000);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_is_where_the_most_is_live),
		cmocka_unit_test(shared_memory_counts_once_and_goes_with_its_last_user),
		cmocka_unit_test(memory_used_again_is_named_after_its_new_user),
		cmocka_unit_test(events_that_contradict_themselves_change_nothing),
	};

	return RUN(tests);
}
