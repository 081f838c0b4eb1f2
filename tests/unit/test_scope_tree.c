/* Trees of scopes: paths of the framework, sums upwards, the largest change first, names that are too deep. */
#include "base/arena.h"
#include "compare/scope_tree.h"
#include "unit.h"

#include <string.h>

static struct tp_scope_tree
tree_of(struct tp_arena *arena)
{
	static const struct {
		const char *path;
		double a, b;
	} ops[] = {
		{"jit(f)/jvp(a/b)/conv/op", 10, 12},
		{"jit(f)/jvp(a/b)/other", 1, 1},
		{"jit(f)/transpose(jvp(a/b))/conv/op", 20, 17},
		{"jit(f)/add", 3, 3},
		{"net/conv0/Conv2D:Conv2D", 5, 0},
		{"alone", 2, 4},
	};
	struct tp_scope_tree t;

	tp_scope_tree_init(&t, arena);
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		uint32_t scope = tp_scope_of_path(&t, 0, tp_slice_of(ops[i].path));

		tp_scope_add(&t, scope, 0, ops[i].a);
		tp_scope_add(&t, scope, 1, ops[i].b);
	}
	tp_scope_tree_settle(&t);
	return t;
}

static void
test_sums(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_scope_tree t = tree_of(arena);
	const struct tp_scope_node *all = tp_scope_at(&t, 0);

	(void)state;
	assert_float_equal(all->total[0], 41, 1e-12);
	assert_float_equal(all->total[1], 37, 1e-12);
	assert_float_equal(all->own[1], 4, 1e-12); /* "alone" is in no scope */
	assert_int_equal(all->child_count, 2);
	/* The larger change is first: net −5, then jit(f) −1. */
	const struct tp_scope_node *net = tp_scope_child(&t, all, 0), *f = tp_scope_child(&t, all, 1);

	assert_true(tp_slice_eq(net->name, TP_S("net")));
	assert_true(tp_slice_eq(f->name, TP_S("jit(f)")));
	assert_float_equal(f->total[0], 34, 1e-12);
	assert_float_equal(f->own[0], 3, 1e-12);
	assert_float_equal(f->moved, 5, 1e-12);
	assert_int_equal(f->child_count, 2);
	const struct tp_scope_node *back = tp_scope_child(&t, f, 0);

	assert_true(tp_slice_eq(back->name, TP_S("transpose(jvp(a/b))")));
	assert_float_equal(back->total[1] - back->total[0], -3, 1e-12);
	tp_scope_tree_free(&t);
	tp_arena_free(arena);
}

static void
test_too_deep(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_scope_tree t;
	char path[400];

	(void)state;
	memset(path, '/', sizeof path);
	for (size_t i = 0; i < sizeof path; i += 2)
		path[i] = 'x';
	tp_scope_tree_init(&t, arena);
	tp_scope_add(&t, tp_scope_of_path(&t, 0, (struct tp_slice){path, sizeof path}), 0, 7);
	tp_scope_tree_settle(&t);
	assert_int_equal(t.scopes.count, TP_SCOPES_DEEPEST + 1);
	assert_float_equal(tp_scope_at(&t, TP_SCOPES_DEEPEST)->own[0], 7, 0);
	assert_float_equal(tp_scope_at(&t, 0)->total[0], 7, 0);
	tp_scope_tree_free(&t);
	tp_arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_too_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
