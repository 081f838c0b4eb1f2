/* Rows of two tables: the same name, renamed, split, merged, renumbered, added, gone; sums stay. */
#include "base/arena.h"
#include "compare/rows.h"
#include "report/column.h"
#include "report/doc.h"
#include "report/draft.h"
#include "unit.h"

#include <math.h>

struct op {
	const char *name, *scope;
	double ms;
	const char *category;
};

struct cells {
	struct tp_cell name, scope, self, category;
};

static const struct tp_column columns[] = {
	TP_COLUMN("name", "Name"),
	TP_COLUMN("scope", "Scope"),
	TP_COLUMN("self_ms", "Self", .unit = TP_UNIT_MS),
	TP_COLUMN("category", "Category"),
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static const struct tp_match_rule rule = {
	.names = {"name"},
	.other = {"scope"},
	.measures = {"self_us", "self_ms"},
	.unit = TP_UNIT_MS,
};

static const struct tp_table *
table(struct tp_arena *arena, const struct op *ops, size_t count)
{
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "s", "S");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "t", columns);

	for (size_t i = 0; i < count; i++) {
		struct cells *c = (void *)tp_draft_row(&draft, tp_slice_of(ops[i].name), TP_ROW_NORMAL, 0);

		c->name.value = tp_text_value(tp_slice_of(ops[i].name));
		c->scope.value = tp_text_value(tp_slice_of(ops[i].scope));
		c->self.value = tp_number(ops[i].ms, TP_UNIT_MS);
		c->category.value = tp_text_value(tp_slice_of(ops[i].category));
	}
	return tp_draft_finish(&draft, SIZE_MAX);
}

static const struct tp_matched *
find(const struct tp_matching *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++) {
		if (tp_slice_eq(m->rows[i].name, tp_slice_of(name)))
			return &m->rows[i];
	}
	fail_msg("no row %s", name);
	return NULL;
}

static void
test_matches(void **state)
{
	static const struct op a[] = {
		{"same", "s", 1, ""},
		{"nhwc", "layer4", 2, ""},
		{"whole", "layer5", 4, ""},
		{"part.1", "layer6", 1, ""},
		{"part.2", "layer6", 2, ""},
		{"fusion.12", "", 8, ""},
		{"old", "x", 3, ""},
	};
	static const struct op b[] = {
		{"same", "t", 1.5, ""},
		{"nchw", "layer4", 2.5, ""},
		{"half_a", "layer5", 1, ""},
		{"half_b", "layer5", 2, ""},
		{"joined", "layer6", 5, ""},
		{"fusion.13", "", 8, ""},
		{"new", "y", 7, ""},
	};
	struct tp_arena *arena = tp_arena_new();
	struct tp_matching m;

	(void)state;
	assert_true(tp_match_rows(&rule, table(arena, a, 7), table(arena, b, 7), 1, 1, arena, &m));
	assert_int_equal(m.count, 7);
	assert_int_equal(find(&m, "same")->match, TP_MATCH_NAME);
	assert_int_equal(find(&m, "nchw")->match, TP_MATCH_RENAMED);
	assert_true(tp_slice_eq(find(&m, "nchw")->was, TP_S("nhwc")));
	assert_int_equal(find(&m, "half_a")->match, TP_MATCH_SPLIT);
	assert_int_equal(find(&m, "half_a")->b_rows, 2);
	assert_float_equal(find(&m, "half_a")->b, 3, 0);
	assert_int_equal(find(&m, "joined")->match, TP_MATCH_MERGED);
	assert_float_equal(find(&m, "joined")->a, 3, 0);
	assert_int_equal(find(&m, "fusion.13")->match, TP_MATCH_RENAMED);
	assert_int_equal(find(&m, "new")->match, TP_MATCH_ADDED);
	assert_int_equal(find(&m, "old")->match, TP_MATCH_GONE);
	assert_float_equal(m.a, 21, 1e-12);
	assert_float_equal(m.b, 27, 1e-12);
	assert_float_equal(m.same_share, 2.5 / 48.0, 1e-12);
	/* The largest change first. */
	assert_true(tp_slice_eq(m.rows[0].name, TP_S("new")));
	assert_true(tp_slice_eq(m.rows[1].name, TP_S("old")));
	tp_arena_free(arena);
}

static void
test_per_step(void **state)
{
	static const struct op ops[] = {{"one", "", 10, ""}, {"two", "", 30, ""}};
	struct tp_arena *arena = tp_arena_new();
	const struct tp_table *t = table(arena, ops, 2);
	struct tp_matching m;

	(void)state;
	assert_true(tp_match_rows(&rule, t, t, 1 / 10.0, 1 / 5.0, arena, &m));
	assert_float_equal(m.a, 4, 1e-12);
	assert_float_equal(m.b, 8, 1e-12);
	assert_true(tp_slice_eq(m.rows[0].name, TP_S("two")));
	static const struct tp_match_rule other = {.names = {"name"}, .measures = {"bytes"}};

	assert_false(tp_match_rows(&other, t, t, 1, 1, arena, &m));
	tp_arena_free(arena);
}

/* A compiler that counts anew: what the rows do tells more than their names. */
static void
test_numbered_anew(void **state)
{
	static const struct tp_match_rule compiled = {
		.names = {"name"},
		.other = {"category", "scope"},
		.looser = {"category", "scope"},
		.least = 2,
		.measures = {"self_ms"},
		.unit = TP_UNIT_MS,
	};
	static const struct op a[] = {
		{"fusion.1", "conv0", 10, "output fusion"},
		{"fusion.2", "conv1", 20, "output fusion"},
		{"copy", "", 1, "data formatting"},
		{"fusion.3", "loss", 5, "loop fusion"},
		{"other", "", 2, "loop fusion"},
	};
	static const struct op b[] = {
		{"fusion.1", "conv1", 21, "output fusion"},
		{"fusion.2", "conv0", 11, "output fusion"},
		{"copy", "", 1, "data formatting"},
		{"fusion.3", "metrics", 5, "loop fusion"},
		{"another", "", 7, "loop fusion"},
	};
	struct tp_arena *arena = tp_arena_new();
	struct tp_matching m;

	(void)state;
	assert_true(tp_match_rows(&compiled, table(arena, a, 5), table(arena, b, 5), 1, 1, arena, &m));
	assert_int_equal(m.count, 6);
	assert_int_equal(find(&m, "fusion.1")->match, TP_MATCH_RENAMED);
	assert_true(tp_slice_eq(find(&m, "fusion.1")->was, TP_S("fusion.2")));
	assert_float_equal(find(&m, "fusion.1")->b - find(&m, "fusion.1")->a, 1, 1e-12);
	assert_int_equal(find(&m, "copy")->match, TP_MATCH_NAME);
	/* Nothing else does what it did: the name is what is left. */
	assert_int_equal(find(&m, "fusion.3")->match, TP_MATCH_NAME);
	/* A category alone is no match. */
	assert_int_equal(find(&m, "another")->match, TP_MATCH_ADDED);
	assert_int_equal(find(&m, "other")->match, TP_MATCH_GONE);
	assert_float_equal(m.same_share, (2 + 10) / 83.0, 1e-12);
	tp_arena_free(arena);
}

/* Rows of one name on one side alone are one. */
static void
test_one_side(void **state)
{
	static const struct op a[] = {{"x", "", 1, ""}, {"y", "", 2, ""}, {"x", "", 4, ""}},
						   b[] = {{"y", "", 2, ""}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_matching m;

	(void)state;
	assert_true(tp_match_rows(&rule, table(arena, a, 3), table(arena, b, 1), 1, 1, arena, &m));
	assert_int_equal(m.count, 2);
	assert_int_equal(find(&m, "x")->match, TP_MATCH_GONE);
	assert_int_equal(find(&m, "x")->a_rows, 2);
	assert_float_equal(find(&m, "x")->a, 5, 0);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches),
		cmocka_unit_test(test_numbered_anew),
		cmocka_unit_test(test_one_side),
		cmocka_unit_test(test_per_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
