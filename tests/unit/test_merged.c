/* Merged ranks: what a report is made of where they hold more collectives than are matched. */
#include "cli/merged.h"

#include <stdlib.h>

#include "analyze/core/ctx.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "io/blob.h"
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
	struct tp_doc *doc = tp_merged_doc(&set, &options, &wish, NULL, arena, &err);

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_calls_than_are_matched_leave_steps_out),
	};

	return RUN(tests);
}
