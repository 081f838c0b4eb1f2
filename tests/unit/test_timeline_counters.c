/* Counters of a timeline: against sums over each cell, and read back from their bytes. */
#include "analyze/timeline/counters.h"
#include "base/arena.h"
#include "fixture.h"

#include "unit.h"

#include <math.h>

enum { SPANS = 200, MOST_CELLS = 256 };

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return *state >> 33;
}

static double
shared(uint64_t from, uint64_t to, uint64_t begin, uint64_t end)
{
	uint64_t low = from > begin ? from : begin, high = to < end ? to : end;

	return high > low ? (double)(high - low) : 0;
}

static void
a_rate_is_the_mean_over_each_cell(void **state)
{
	struct tp_arena *arena = *state;
	uint64_t random = 1;

	for (int run = 0; run < 20; run++) {
		uint64_t high = 1 + next_random(&random) % 3000000000, from[SPANS], to[SPANS];
		struct tp_counter_cells cells = tp_counter_cells(arena, 0, high, high, MOST_CELLS);

		assert_true(cells.count <= MOST_CELLS && (uint64_t)cells.count << cells.shift >= high);
		for (int i = 0; i < SPANS; i++) {
			from[i] = next_random(&random) % high;
			to[i] = from[i] + next_random(&random) % (high / 10 + 1);
			tp_counter_spread(&cells, from[i], to[i], i + 1);
		}
		for (uint32_t c = 0; c < cells.count; c++) {
			uint64_t begin = (uint64_t)c << cells.shift, end = begin + ((uint64_t)1 << cells.shift);
			double sum = 0;

			for (int i = 0; i < SPANS; i++)
				sum += (i + 1) * shared(from[i], to[i], begin, end) / (double)(end - begin);
			assert_true(fabs(cells.value[c] - sum) <= 1e-9 * (sum + 1));
		}
	}
}

static void
a_level_is_the_most_in_each_cell(void **state)
{
	struct tp_arena *arena = *state;
	uint64_t random = 7;

	for (int run = 0; run < 20; run++) {
		uint64_t high = 1000 + next_random(&random) % 3000000000, at[SPANS];
		double value[SPANS];
		struct tp_counter_cells cells = tp_counter_cells(arena, 0, high, high, MOST_CELLS);
		struct tp_counter_level level = {.cells = &cells};

		for (int i = 0; i < SPANS; i++) {
			at[i] = (i != 0 ? at[i - 1] : 0) + next_random(&random) % (high / SPANS);
			value[i] = (double)(next_random(&random) % 100);
			tp_counter_level(&level, at[i], value[i]);
		}
		uint64_t ended = at[SPANS - 1] + next_random(&random) % high;
		uint32_t last = (uint32_t)(ended >> cells.shift);

		tp_counter_level_end(&level, ended);
		for (uint32_t c = 0; c < cells.count; c++) {
			uint64_t begin = (uint64_t)c << cells.shift, end = begin + ((uint64_t)1 << cells.shift);
			double most = 0;

			for (int i = 0; i < SPANS; i++) {
				uint64_t until = i + 1 < SPANS ? at[i + 1] : UINT64_MAX;

				if ((at[i] >= begin && at[i] < end) || (at[i] < begin && until > begin))
					most = fmax(most, value[i]);
			}
			/* What is later was captured elsewhere. */
			assert_true(cells.value[c] == (c <= last ? most : 0));
		}
	}
}

static uint64_t
number(const unsigned char **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		value |= (uint64_t)(**at & 0x7f) << shift;
		if ((*(*at)++ & 0x80) == 0)
			return value;
	}
}

static void
its_changes_are_packed(void **state)
{
	double values[] = {0, 0, 5, 5, 0.001, 10, 0};
	struct tp_counter_cells cells = {.shift = 4, .count = 7, .value = values};
	struct tp_timeline_counter counter = {.cell_ps = 0};
	static const uint64_t steps[] = {2, 2, 1, 1}, numbers[] = {500, 1, 1000, 0};

	assert_true(tp_counter_pack(&cells, &counter, *state));
	assert_int_equal(counter.count, 4);
	assert_true(counter.top == 10 && counter.cell_ps == 16 && counter.scale == 0.01);
	const unsigned char *at = (const unsigned char *)counter.data.ptr;

	for (int i = 0; i < 4; i++)
		assert_int_equal(number(&at), steps[i]);
	for (int i = 0; i < 4; i++)
		assert_int_equal(number(&at), numbers[i]);
	assert_ptr_equal(at, counter.data.ptr + counter.data.len);
}

static void
cells_are_of_its_own_capture(void **state)
{
	enum { FROM = 1000000000, TO = FROM + 4096 };
	struct tp_counter_cells cells = tp_counter_cells(*state, FROM, TO, 2 * (uint64_t)FROM, 256);
	struct tp_timeline_counter counter = {.cell_ps = 0};

	assert_true(cells.count <= 256 && cells.shift <= 5);
	tp_counter_spread(&cells, 0, FROM / 2, 1);
	tp_counter_spread(&cells, FROM, TO, 1);
	tp_counter_spread(&cells, TO + 1000, 2 * (uint64_t)FROM, 1);
	assert_true(tp_counter_pack(&cells, &counter, *state));
	assert_true(counter.top == 1);
	const unsigned char *at = (const unsigned char *)counter.data.ptr;
	uint64_t last = 0, value = 0;

	assert_int_equal(number(&at), (uint64_t)FROM >> cells.shift);
	for (uint64_t i = 1; i < counter.count; i++)
		last += number(&at);
	assert_true((last + ((uint64_t)FROM >> cells.shift)) << cells.shift <= TO + 64);
	for (uint64_t i = 0; i < counter.count; i++)
		value = number(&at);
	assert_int_equal(value, 0);
}

static void
whole_numbers_stay_whole(void **state)
{
	double values[] = {1, 2, 111, 0};
	struct tp_counter_cells cells = {.shift = 4, .count = 4, .value = values};
	struct tp_timeline_counter counter = {.cell_ps = 0};

	assert_true(tp_counter_pack(&cells, &counter, *state));
	assert_true(counter.scale == 1 && counter.top == 111);
}

static void
of_nothing_there_is_none(void **state)
{
	struct tp_counter_cells cells = tp_counter_cells(*state, 0, 100, 100, 8);
	struct tp_timeline_counter counter = {.cell_ps = 0};

	assert_false(tp_counter_pack(&cells, &counter, *state));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(a_rate_is_the_mean_over_each_cell),
		ARENA_TEST(a_level_is_the_most_in_each_cell),
		ARENA_TEST(its_changes_are_packed),
		ARENA_TEST(cells_are_of_its_own_capture),
		ARENA_TEST(whole_numbers_stay_whole),
		ARENA_TEST(of_nothing_there_is_none),
	};

	return RUN(tests);
}
