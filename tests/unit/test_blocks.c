/* Rows in blocks: they stay where they are, in order, zeroed, over all three sizes of blocks. */
#include "base/blocks.h"
#include "base/pages.h"
#include "unit.h"

struct row {
	uint64_t number, rest[4];
};

/* More than a small block, a middle one and two large pages hold. */
enum { MANY = 3 * TP_PAGES_LARGE / sizeof(struct row) };

static void
fill(struct tp_blocks *b)
{
	for (uint64_t i = 0; i < MANY; i++) {
		struct row *row = tp_blocks_new(b, struct row);

		assert_int_equal(row->number, 0);
		assert_int_equal(row->rest[3], 0);
		*row = (struct row){i, {~i, ~i, ~i, ~i}};
	}
}

static void
rows_come_back_in_order(void **state)
{
	struct tp_blocks b = {0};
	uint64_t next = 0;

	(void)state;
	fill(&b);
	assert_int_equal(b.count, MANY);
	TP_BLOCKS_EACH(&b, const struct row, row)
	{
		assert_int_equal(row->number, next);
		assert_int_equal(row->rest[3], ~next);
		next++;
	}
	assert_int_equal(next, MANY);
	tp_blocks_free(&b);
	assert_int_equal(b.count, 0);
	assert_null(b.first);
}

static void
rows_stay_where_they_are(void **state)
{
	struct tp_blocks b = {0};
	struct row *first = tp_blocks_new(&b, struct row);

	(void)state;
	first->number = 7;
	fill(&b);
	assert_ptr_equal(first, b.first->rows);
	assert_int_equal(first->number, 7);
	tp_blocks_free(&b);
}

static void
what_was_dropped_does_not_count(void **state)
{
	struct tp_blocks b = {0};

	(void)state;
	fill(&b);
	size_t first = b.first->count;

	tp_blocks_drop_first(&b);
	assert_int_equal(b.count, MANY - first);
	assert_int_equal(((const struct row *)(const void *)b.first->rows)->number, first);
	while (b.first != NULL)
		tp_blocks_drop_first(&b);
	assert_int_equal(b.count, 0);
	/* It can be filled again. */
	tp_blocks_new(&b, struct row)->number = 1;
	assert_int_equal(b.count, 1);
	tp_blocks_free(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_back_in_order),
		cmocka_unit_test(rows_stay_where_they_are),
		cmocka_unit_test(what_was_dropped_does_not_count),
	};

	return RUN(tests);
}
