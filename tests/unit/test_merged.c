/* Merged ranks: what a report is made of where they hold more collectives than are matched. */
#include "cli/merged.h"

#include <stdlib.h>

#include "analyze/core/ctx.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "fixture.h"
#include "io/blob.h"
#include "model/rank.h"
#include "rank.pb-c.h"
#include "report/doc.h"
#include "unit.h"

static struct tp_blob *
open_ranks(void)
{
	struct tp_err err;
	char path[4096];
	const char *source = getenv("TPREPORT_SOURCE");

	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/ranks/file", source != NULL ? source : ".");
	return tp_blob_open(path, &err);
}

static size_t
steps_with(size_t most_calls, bool *says)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_blob *blob = open_ranks();
	struct tp_rank_set set = {0};
	struct tp_merge_wish wish = {.most_calls = most_calls};
	struct tp_pass_options options = {.top = 10};
	struct tp_err err;

	assert_non_null(blob);
	assert_int_equal(tp_rank_set_add(&set, tp_blob_bytes(blob), "file", &err), TP_OK);
	tp_rank_set_settle(&set);
	struct tp_doc *doc = tp_merged_doc(&set, &options, &wish, arena, &err);

	assert_non_null(doc);
	size_t steps = (size_t)tp_doc_value(doc, "step.count").integer;

	*says = false;
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);)
		*says |= tp_slice_eq(w.block->id, TP_S("ranks/left-out"));
	tp_rank_set_free(&set);
	tp_blob_close(blob);
	tp_arena_free(arena);
	return steps;
}

static void
more_calls_than_are_matched_leave_steps_out(void **state)
{
	bool says;

	(void)state;
	assert_int_equal(steps_with(0, &says), 2);
	assert_false(says);
	assert_int_equal(steps_with(5, &says), 1);
	assert_true(says);
}

/* The bytes of a rank that protobuf-c writes anew. */
static struct tp_slice
packed(const Tp__Rank *r, struct tp_arena *arena)
{
	uint8_t *bytes = tp_arena_alloc(arena, tp__rank__get_packed_size(r));

	return (struct tp_slice){(char *)bytes, tp__rank__pack(r, bytes)};
}

/* Of one rank, whatever the number of steps: made shorter by its bytes it is the same as cut when all was read. */
static void
assert_same_either_way(struct tp_slice bytes, struct tp_arena *arena)
{
	size_t steps = tp_rank_read(bytes, arena)->n_step_names;

	for (size_t kept = 1; kept <= steps + 1; kept++) {
		struct tp_slice first = tp_rank_first_steps(bytes, kept, arena);
		Tp__Rank *cut = tp_rank_read(bytes, arena), *shorter = tp_rank_read(first, arena);

		assert_true(tp_rank_is_sound(cut));
		assert_non_null(shorter);
		assert_true(tp_rank_is_sound(shorter));
		assert_int_equal(first.ptr != bytes.ptr, kept < steps);
		tp_rank_cut(cut, kept);
		struct tp_slice a = packed(cut, arena), b = packed(shorter, arena);

		assert_int_equal(a.len, b.len);
		assert_memory_equal(a.ptr, b.ptr, a.len);
	}
}

static void
steps_are_left_out_without_reading_them(void **state)
{
	struct tp_blob *blob = open_ranks();
	struct tp_rank_set set = {0};
	struct tp_err err;

	assert_int_equal(tp_rank_set_add(&set, tp_blob_bytes(blob), "file", &err), TP_OK);
	assert_int_not_equal(set.parts.count, 0);
	for (size_t i = 0; i < set.parts.count; i++) {
		struct tp_slice bytes;

		assert_true(tp_rank_part_unpack(&tp_rank_set_parts(&set)[i], *state, &bytes));
		assert_same_either_way(bytes, *state);
		/* Not each trace tells what the host did while no device worked. */
		Tp__Rank *divided = tp_rank_read(bytes, *state);

		divided->n_step_host = divided->n_step_names * TP_RANK_HOST_PARTS;
		divided->step_host = tp_new_array(*state, int64_t, divided->n_step_host);
		assert_same_either_way(packed(divided, *state), *state);
		/* What is cut off is no trace as tpreport writes it. */
		for (size_t size = 0; size < bytes.len; size += 7)
			tp_rank_first_steps((struct tp_slice){bytes.ptr, size}, 1, *state);
	}
	tp_rank_set_free(&set);
	tp_blob_close(blob);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_calls_than_are_matched_leave_steps_out),
		ARENA_TEST(steps_are_left_out_without_reading_them),
	};

	return RUN(tests);
}
