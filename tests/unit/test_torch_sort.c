/* Events of a lane in order: whatever order they come in, their columns stay together and equal ones as they were. */
#include "unit.h"

#include "ingest/torch_sort.h"

enum { SORTED_COUNT = 1000 };

/* Starts of `count` events: at random; slices that overlap by less than themselves; two threads one after the other; in order. */
static int64_t
start_of(int shape, uint32_t i, uint32_t random)
{
	switch (shape) {
	case 0:
		return random >> 24;
	case 1:
		return i + i % 100 / 10 - i / 100 * (random >> 30);
	case 2:
		return i % (SORTED_COUNT / 2) * 2 + i / (SORTED_COUNT / 2);
	default:
		return i / 2;
	}
}

static void
sort_shape(int shape)
{
	enum { COUNT = SORTED_COUNT };
	int64_t start[COUNT], duration[COUNT];
	uint32_t op[COUNT], detail[COUNT];
	uint8_t kind[COUNT];
	uint32_t random = 1;

	for (uint32_t i = 0; i < COUNT; i++) {
		random = random * 1664525 + 1013904223;
		start[i] = start_of(shape, i, random);
		duration[i] = (random >> 16) & 15;
		op[i] = i;
		detail[i] = (uint32_t)(start[i] * 100 + duration[i]);
		kind[i] = (uint8_t)duration[i];
	}
	/* What is before and behind stays. */
	start[0] = start[COUNT - 1] = INT64_MAX;
	tp_torch_sort((struct tp_torch_order){start, duration, op, detail, kind}, 1, COUNT - 2);
	assert_true(start[0] == INT64_MAX && op[0] == 0);
	assert_true(start[COUNT - 1] == INT64_MAX && op[COUNT - 1] == COUNT - 1);
	for (uint32_t i = 1; i < COUNT - 1; i++) {
		assert_int_equal(detail[i], start[i] * 100 + duration[i]);
		assert_int_equal(kind[i], duration[i]);
		if (i == 1)
			continue;
		assert_true(start[i - 1] < start[i] ||
			(start[i - 1] == start[i] &&
				(duration[i - 1] > duration[i] ||
					(duration[i - 1] == duration[i] && op[i - 1] < op[i]))));
	}
}

static void
sorting_keeps_columns_together(void **state)
{
	(void)state;
	for (int shape = 0; shape < 4; shape++)
		sort_shape(shape);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_keeps_columns_together),
	};

	return RUN(tests);
}
