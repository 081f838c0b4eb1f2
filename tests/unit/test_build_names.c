/* Names of what was built: a text that many things refer to is made clean once, and stays one. */
#include "unit.h"

#include "base/arena.h"
#include "fixture.h"
#include "model/build.h"
#include "model/torch.h"

#include <string.h>

enum { OPS = 3, LONG = 5000 };

static struct tp_profile *
built_of(struct tp_arena *arena, struct tp_slice category)
{
	struct tp_builder *b = tp_builder_new(arena);

	for (int i = 0; i < OPS; i++) {
		struct tp_op *op;

		tp_build_op(b, &op);
		op->category = category;
	}
	return tp_builder_finish(b);
}

static void
a_text_of_many_is_changed_once(void **state)
{
	char many[LONG];
	const struct tp_slice texts[] = {TP_S("a\xc3("), {many, sizeof many}};

	memset(many, 'c', sizeof many);
	for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
		const struct tp_profile *p = built_of(*state, texts[t]);

		assert_int_equal(p->op_count, OPS);
		assert_false(tp_slice_eq(p->ops[0].category, texts[t]));
		for (int i = 1; i < OPS; i++)
			assert_ptr_equal(p->ops[i].category.ptr, p->ops[0].category.ptr);
	}
}

static void
long_texts_that_differ_at_the_end_stay_different(void **state)
{
	char many[LONG + 1];

	memset(many, 'c', sizeof many);
	struct tp_slice first = built_of(*state, (struct tp_slice){many, LONG})->ops[0].category;
	struct tp_slice second = built_of(*state, (struct tp_slice){many, LONG + 1})->ops[0].category;

	many[LONG - 1] = 'd';
	struct tp_slice third = built_of(*state, (struct tp_slice){many, LONG})->ops[0].category;

	assert_true(first.len < LONG / 2);
	assert_false(tp_slice_eq(first, second));
	assert_false(tp_slice_eq(first, third));
}

static void
a_text_that_is_sound_stays_where_it_is(void **state)
{
	struct tp_slice sound = TP_S("caf\xc3\xa9");

	assert_ptr_equal(built_of(*state, sound)->ops[0].category.ptr, sound.ptr);
}

static void
threads_of_one_name_have_their_numbers(void **state)
{
	static const struct {
		struct tp_line line;
		const char *title;
	} lines[] = {
		{{.kind = TP_LINE_TRACK, .name = TP_S("pool"), .process = TP_S("a"), .thread = 3},
			"pool, thread 3"},
		{{.kind = TP_LINE_TRACK, .name = TP_S("pool"), .process = TP_S("a"), .thread = 4},
			"pool, thread 4"},
		{{.kind = TP_LINE_TRACK, .name = TP_S("pool"), .process = TP_S("b"), .thread = 4}, "pool"},
		{{.kind = TP_LINE_TRACK, .name = TP_S("pool"), .process = TP_S("a")}, "pool"},
		{{.kind = TP_LINE_TRACK, .name = TP_S("main"), .process = TP_S("a"), .thread = 5}, "main"},
		{{.kind = TP_LINE_TORCH, .name = TP_S("main"), .thread = 5}, "main"},
		{{.kind = TP_LINE_TORCH, .name = TP_S("main"), .thread = 5}, "main"},
		{{.kind = TP_LINE_TRACK, .thread = 7}, "without a name, thread 7"},
		{{.kind = TP_LINE_TRACK, .thread = 8}, "without a name, thread 8"},
		{{.kind = TP_LINE_STREAM, .name = TP_S("s"), .thread = 1}, "s"},
		{{.kind = TP_LINE_STREAM, .name = TP_S("s"), .thread = 2}, "s"},
	};
	struct tp_builder *b = tp_builder_new(*state);

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct tp_line line = lines[i].line;

		line.device = TP_NONE;
		tp_build_line(b, &line);
	}
	const struct tp_profile *p = tp_builder_finish(b);

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_text(p->lines[i].title, lines[i].title);
}

/* A thread of this name in each of the traces, in the second one another, too. */
static void
threads_of_several_spans_have_their_numbers(void **state)
{
	static const struct {
		const char *worker, *span;
	} files[] = {{"rank0", "20"}, {"rank0", "10"}, {"rank1", "10"}};
	static const struct tp_slice names[] = {TP_S("main"), TP_S("main"), TP_S("main"), TP_S("pool")};
	static const char *const titles[] = {"main, span 2", "main, span 1", "main", "pool"};
	struct tp_builder *b = tp_builder_new(*state);
	struct tp_torch_lane lanes[4] = {0};

	for (uint32_t i = 0; i < 4; i++)
		lanes[i].line = tp_build_line(b,
			&(struct tp_line){
				.kind = TP_LINE_TORCH, .name = names[i], .host = i / 2, .device = TP_NONE});
	for (uint32_t i = 0; i < 3; i++) {
		struct tp_torch_trace *t = tp_new(*state, struct tp_torch_trace);

		t->worker = tp_slice_of(files[i].worker);
		t->span = tp_slice_of(files[i].span);
		t->host = i / 2;
		t->lanes = lanes + i;
		t->lane_count = i == 2 ? 2 : 1;
		tp_build_torch_trace(b, t);
	}
	const struct tp_profile *p = tp_builder_finish(b);

	for (size_t i = 0; i < 4; i++)
		assert_text(p->lines[i].title, titles[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(a_text_of_many_is_changed_once),
		ARENA_TEST(long_texts_that_differ_at_the_end_stay_different),
		ARENA_TEST(a_text_that_is_sound_stays_where_it_is),
		ARENA_TEST(threads_of_one_name_have_their_numbers),
		ARENA_TEST(threads_of_several_spans_have_their_numbers),
	};

	return RUN(tests);
}
