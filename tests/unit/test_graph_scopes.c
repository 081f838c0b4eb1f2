/* Name scopes of a graph. */
#include "analyze/graph/graph_scopes.h"
#include "base/arena.h"
#include "model/graph.h"
#include "model/profile.h"

#include "unit.h"

enum { MOST = 16 };

struct made {
	struct tp_arena *arena;
	struct tp_profile profile;
	struct tp_graph graph;
	struct tp_graph_function function;
	uint32_t names[MOST];
	struct tp_graph_scopes scopes;
};

/* A graph with these nodes, the last in_function of which are in the function "f". */
static void
make(struct made *m, const char *const *names, uint32_t count, uint32_t in_function)
{
	*m = (struct made){.arena = tp_arena_new()};
	tp_strings_init(&m->profile.strings, m->arena);
	for (uint32_t i = 0; i < count; i++)
		m->names[i] = tp_intern(&m->profile.strings, tp_slice_of(names[i]));
	m->function = (struct tp_graph_function){.name = tp_intern(&m->profile.strings, TP_S("f")),
		.first = count - in_function,
		.count = in_function};
	m->graph = (struct tp_graph){.node = m->names,
		.node_count = count,
		.main_count = count - in_function,
		.functions = &m->function,
		.function_count = in_function != 0};
	m->scopes = tp_graph_scopes(&m->profile, &m->graph, m->arena);
}

/* Parents come before their children and siblings in order; TP_NONE behind the last. */
static uint32_t
scope_after(const struct tp_graph_scopes *s, uint32_t scope)
{
	if (s->scopes[scope].first != TP_NONE)
		return s->scopes[scope].first;
	while (scope != TP_NONE && s->scopes[scope].next == TP_NONE)
		scope = s->scopes[scope].parent;
	return scope == TP_NONE ? TP_NONE : s->scopes[scope].next;
}

/* All of them in order: depth, name, and in brackets nodes with those within and nodes directly in it. */
static void
assert_scopes(const struct made *m, const char *want)
{
	struct tp_slice got = TP_S("");

	for (uint32_t i = 0; i != TP_NONE; i = scope_after(&m->scopes, i)) {
		const struct tp_graph_scope *s = &m->scopes.scopes[i];

		got = tp_arena_printf(m->arena, "%.*s%s%u:%.*s(%u,%u)", TP_ARG(got), got.len ? " " : "",
			s->depth, TP_ARG(s->name), s->nodes, s->own);
	}
	assert_text(got, want);
}

static void
scopes_stand_in_the_order_of_their_first_nodes(void **state)
{
	static const char *const names[] = {"x", "b/y", "a/z", "b", "b/c/w", "b/v", "a/b/u"};
	struct made m;

	(void)state;
	make(&m, names, 7, 0);
	assert_scopes(&m, "0:(7,1) 1:b(4,3) 2:c(1,1) 1:a(2,1) 2:b(1,1)");
	assert_text(tp_graph_scope_path(&m.scopes, m.scopes.scope[4], m.arena), "b/c");
	assert_text(tp_graph_scope_path(&m.scopes, m.scopes.scope[3], m.arena), "b");
	tp_arena_free(m.arena);
}

static void
functions_stand_beside_the_graph(void **state)
{
	static const char *const names[] = {"a/x", "a/x", "y"};
	struct made m;

	(void)state;
	make(&m, names, 3, 2);
	assert_scopes(&m, "0:(1,0) 1:a(1,1) 0:f(2,1) 1:a(1,1)");
	assert_text(tp_graph_scope_path(&m.scopes, m.scopes.scope[1], m.arena), "f/a");
	assert_text(tp_graph_scope_path(&m.scopes, m.scopes.scope[2], m.arena), "f");
	tp_arena_free(m.arena);
}

static void
odd_names_have_scopes_too(void **state)
{
	static const char *const names[] = {"", "/", "//x", "a/"};
	struct made m;

	(void)state;
	make(&m, names, 4, 0);
	assert_scopes(&m, "0:(4,0) 1:(3,1) 2:(2,2) 1:a(1,1)");
	assert_text(tp_graph_scope_path(&m.scopes, m.scopes.scope[2], m.arena), "/");
	tp_arena_free(m.arena);
	make(&m, names, 0, 0);
	assert_scopes(&m, "0:(0,0)");
	tp_arena_free(m.arena);
}

static void
depth_is_bounded(void **state)
{
	static char deep[2 * 100 + 2];
	const char *const names[] = {deep};
	struct made m;

	(void)state;
	for (int i = 0; i < 100; i++) {
		deep[2 * i] = 'a';
		deep[2 * i + 1] = '/';
	}
	deep[200] = 'x';
	make(&m, names, 1, 0);
	assert_int_equal(m.scopes.count, TP_GRAPH_DEEPEST_SCOPE + 1);
	assert_int_equal(m.scopes.scopes[m.scopes.scope[0]].depth, TP_GRAPH_DEEPEST_SCOPE);
	assert_int_equal(m.scopes.scopes[0].nodes, 1);
	tp_arena_free(m.arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scopes_stand_in_the_order_of_their_first_nodes),
		cmocka_unit_test(functions_stand_beside_the_graph),
		cmocka_unit_test(odd_names_have_scopes_too),
		cmocka_unit_test(depth_is_bounded),
	};

	return RUN(tests);
}
