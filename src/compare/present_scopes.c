/* Where the change is in the program or the model: name scopes of operations, and modules, as a tree. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "compare/context.h"
#include "compare/look.h"
#include "compare/scope_tree.h"
#include "compare/sums.h"
#include "report/column.h"

struct cells {
	struct tp_cell name, a, b, change, own;
};

#define COLUMNS(title)                                                                             \
	{                                                                                              \
		TP_COLUMN("name", title, .code = true),                                                    \
			TP_COLUMN("a_ms", "A", .unit = TP_UNIT_MS, .decimals = 3),                             \
			TP_COLUMN("b_ms", "B", .unit = TP_UNIT_MS, .decimals = 3),                             \
			TP_COLUMN("change_ms", "Change", .unit = TP_UNIT_MS, .decimals = 3, .change = true),   \
			TP_COLUMN("own_change_ms", "Self change", .unit = TP_UNIT_MS, .decimals = 3,           \
				.change = true),                                                                   \
	}

static const struct tp_column scope_columns[] = COLUMNS("Scope");
static const struct tp_column module_columns[] = COLUMNS("Module");
TP_CELLS_ARE_COLUMNS(struct cells, scope_columns);
TP_CELLS_ARE_COLUMNS(struct cells, module_columns);

/* A tree that both reports have. */
struct scopes {
	struct tp_comparison *c;
	struct tp_scope_tree tree;
	struct tp_draft draft;
	double least_moved, least_ms; /* below both, scopes are summed up with their like */
	bool of_captures;             /* times are of the whole captures */
};

static void
put(struct scopes *s, struct tp_slice name, enum tp_row_role role, int depth, const double total[2],
	double own)
{
	struct cells *cells = (void *)tp_draft_row(&s->draft, name, role, depth);

	cells->name.value = tp_text_value(name);
	cells->a.value = tp_number(total[0], TP_UNIT_MS);
	cells->b.value = tp_number(total[1], TP_UNIT_MS);
	cells->change.value = tp_number(total[1] - total[0], TP_UNIT_MS);
	cells->own.value = tp_number_or(own, TP_UNIT_MS, TP_S("a sum"));
}

static bool
is_small(const struct scopes *s, const struct tp_scope_node *scope)
{
	return scope->moved <= s->least_moved && fmax(scope->total[0], scope->total[1]) <= s->least_ms;
}

static void show_children(struct scopes *s, const struct tp_scope_node *parent, int depth);

/* A scope that holds one other and nothing else stands with it in one row: "jit(f)/jit(main)". */
static void
show(struct scopes *s, const struct tp_scope_node *scope, int depth)
{
	struct tp_slice name = scope->name;

	while (scope->child_count == 1 && scope->own[0] == 0 && scope->own[1] == 0) {
		scope = tp_scope_child(&s->tree, scope, 0);
		name = tp_arena_printf(s->c->arena, "%.*s/%.*s", TP_ARG(name), TP_ARG(scope->name));
	}
	put(s, name, scope->child_count != 0 ? TP_ROW_GROUP : TP_ROW_NORMAL, depth, scope->total,
		scope->own[1] - scope->own[0]);
	show_children(s, scope, depth + 1);
}

/* As deep as the tree at most, which is TP_SCOPES_DEEPEST. */
static void
show_children(struct scopes *s, const struct tp_scope_node *parent, int depth)
{
	enum { MOST = 12 };
	double rest[2] = {0, 0};
	uint32_t left = 0, shown = 0;

	for (uint32_t i = 0; i < parent->child_count; i++) {
		const struct tp_scope_node *child = tp_scope_child(&s->tree, parent, i);

		if (shown < MOST && !is_small(s, child)) {
			shown++;
			show(s, child, depth);
			continue;
		}
		left++;
		rest[0] += child->total[0];
		rest[1] += child->total[1];
	}
	if (rest[0] != 0 || rest[1] != 0)
		put(s, tp_arena_printf(s->c->arena, "%u more", left), TP_ROW_NORMAL, depth, rest,
			rest[1] - rest[0]);
}

/* The scope whose own change is largest. */
static const struct tp_scope_node *
most_changed(const struct tp_scope_tree *t)
{
	const struct tp_scope_node *most = tp_scope_at(t, 0);

	for (uint32_t i = 1; i < t->scopes.count; i++) {
		const struct tp_scope_node *s = tp_scope_at(t, i);

		if (fabs(s->own[1] - s->own[0]) > fabs(most->own[1] - most->own[0]))
			most = s;
	}
	return most;
}

/* "layer4/conv2", from the third scope above on. */
static struct tp_slice
short_path(const struct scopes *s, const struct tp_scope_node *scope)
{
	enum { PARTS = 3 };
	struct tp_slice path = scope->name;

	for (int i = 1; i < PARTS && scope->parent != 0; i++) {
		scope = tp_scope_at(&s->tree, scope->parent);
		path = tp_arena_printf(s->c->arena, "%.*s/%.*s", TP_ARG(scope->name), TP_ARG(path));
	}
	return path;
}

static struct tp_slice
signed_ms(const struct scopes *s, double ms)
{
	return tp_signed_text(s->c->arena, tp_number(ms, TP_UNIT_MS));
}

static void
present(struct scopes *s, const char *id, const char *title, const struct tp_column *columns,
	const char *caption)
{
	struct tp_comparison *c = s->c;
	struct tp_scope_tree *t = &s->tree;

	tp_scope_tree_settle(t);
	const struct tp_scope_node *all = tp_scope_at(t, 0), *most = most_changed(t);
	double change = all->total[1] - all->total[0], own = most->own[1] - most->own[0];

	if (t->scopes.count < 3)
		return;
	struct tp_block *section = tp_doc_section(c->doc, NULL, TP_SECTION_MAIN, id, title);
	struct tp_slice table = tp_arena_printf(c->arena, "%s/changes", id);

	section->section.key_figure = tp_text_value(signed_ms(s, change));
	section->section.answer = own == 0
		? TP_SAY0(c->doc, "Nothing changes.")
		: TP_SAY(c->doc, "All together {}; most in `{}`, {}.", section->section.key_figure,
			  tp_text_value(most == all ? TP_S("no scope") : short_path(s, most)),
			  tp_text_value(signed_ms(s, own)));
	s->least_moved = 0.005 * all->moved;
	s->least_ms = 0.05 * fmax(all->total[0], all->total[1]);
	s->draft = tp_draft_table(
		c->doc, section, table.ptr, columns, sizeof scope_columns / sizeof *scope_columns);
	if (all->own[0] != 0 || all->own[1] != 0)
		put(s, TP_S("(no scope)"), TP_ROW_NORMAL, 0, all->own, all->own[1] - all->own[0]);
	show_children(s, all, 0);
	struct tp_sum sums[TP_SUMS];
	size_t count = tp_compare_sums(
		c, s->of_captures ? NULL : TP_MEAN_STEP, TP_UNIT_MS, all->total[0], all->total[1], sums);

	for (size_t i = 0; i < count; i++)
		put(s, sums[i].name, TP_ROW_TOTAL, 0, (const double[]){sums[i].a, sums[i].b}, NAN);
	struct tp_table *out = tp_draft_finish(&s->draft, SIZE_MAX);

	out->tree = true;
	out->open_depth = 3;
	out->shown = tp_table_open_rows(out, 3 * c->wish->top);
	out->caption =
		tp_arena_printf(c->arena, "%s%s, largest change first; each holds those below it", caption,
			s->of_captures ? ", whole captures" : ", mean step");
}

/* Times of both reports are of a step, or of the whole captures where one has none. */
static void
set_times(struct scopes *s, double times[2])
{
	s->of_captures = !isfinite(times[0]) || !isfinite(times[1]);
	for (size_t side = 0; side < 2; side++)
		times[side] = s->of_captures ? 1 : times[side];
}

/* Operations: the scopes of the framework's names. */

static bool
is_named(const struct tp_table *t)
{
	size_t column = tp_look_column(t, "framework_op");

	for (size_t i = 0; i < t->row_count; i++) {
		if (tp_slice_has(tp_look_cell(t, i, column), TP_S("/")))
			return true;
	}
	return false;
}

static void
add_operations(
	struct scopes *s, const struct tp_table *t, size_t side, bool by_program, double times)
{
	size_t name = tp_look_column(t, "framework_op"), program = tp_look_column(t, "program");
	size_t self = tp_look_column(t, "self_ms");

	for (size_t i = 0; i < t->row_count; i++) {
		double ms = tp_look_number(t, i, self, TP_UNIT_MS);
		struct tp_slice path = tp_look_cell(t, i, name), of = tp_look_cell(t, i, program);
		uint32_t scope = by_program && of.len != 0 ? tp_scope_below(&s->tree, 0, of) : 0;

		if (t->rows[i].role != TP_ROW_NORMAL || !isfinite(ms))
			continue;
		tp_scope_add(&s->tree, tp_scope_of_path(&s->tree, scope, path), side, ms * times);
	}
}

static void
present_operations(struct tp_comparison *c)
{
	const struct tp_doc *docs[] = {c->wish->a, c->wish->b};
	const struct tp_table *tables[2];
	struct scopes s = {.c = c};
	double times[2];
	bool by_program = false;

	for (size_t side = 0; side < 2; side++) {
		tables[side] = tp_look_table(docs[side], "operations/list");
		if (tables[side] == NULL || !is_named(tables[side]))
			return;
		times[side] = tp_compare_per_step(docs[side], "step.seen_count", "run.cores");
		/* Of one program alone the name, which may differ, says nothing. */
		by_program |= !tp_look_is_one(tables[side], "program");
	}
	set_times(&s, times);
	tp_scope_tree_init(&s.tree, c->arena);
	for (size_t side = 0; side < 2; side++)
		add_operations(&s, tables[side], side, by_program, times[side]);
	present(&s, "scopes", "Name scopes", scope_columns,
		"Self times of operations by name scope of the framework");
	tp_scope_tree_free(&s.tree);
}

/* Modules: the tree of a report's table, of the first trace. */

/* "12 more": what a report sums up in one row. */
static bool
is_rest(struct tp_slice name)
{
	return name.len != 0 && isdigit((unsigned char)name.ptr[0]) != 0 &&
		tp_slice_ends(name, TP_S(" more"));
}

/* What is directly in a module is its time without that of the rows below it. */
static void
add_modules(struct scopes *s, const struct tp_table *t, size_t side, const char *key, double times)
{
	uint32_t above[TP_SCOPES_DEEPEST + 1] = {0};
	size_t column = tp_look_column(t, key), name = tp_look_column(t, "name");
	int deepest = 0;

	for (size_t i = 0; i < t->row_count; i++) {
		double ms = tp_look_number(t, i, column, TP_UNIT_MS) * times;
		struct tp_slice of = tp_look_cell(t, i, name);
		int depth = t->rows[i].depth < deepest ? t->rows[i].depth : deepest;

		if (t->rows[i].role == TP_ROW_TOTAL || !isfinite(ms))
			continue;
		uint32_t parent = depth > 0 ? above[depth - 1] : 0;
		uint32_t scope = tp_scope_below(&s->tree, parent, is_rest(of) ? TP_S("(others)") : of);

		above[depth] = scope;
		deepest = depth + 1 < TP_SCOPES_DEEPEST ? depth + 1 : TP_SCOPES_DEEPEST - 1;
		tp_scope_add(&s->tree, scope, side, ms);
		if (parent != 0)
			tp_scope_add(&s->tree, parent, side, -ms);
	}
}

static bool
is_timed(const struct tp_table *t, const char *key)
{
	size_t column = tp_look_column(t, key);

	for (size_t i = 0; i < t->row_count; i++) {
		if (tp_look_number(t, i, column, TP_UNIT_MS) > 0)
			return true;
	}
	return false;
}

/* Steps of one trace: workers and spans have one each. */
static double
per_step_of_trace(const struct tp_doc *doc)
{
	size_t traces = 0;

	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next)
		traces += tp_slice_starts(m->id, TP_S("torch.step.count@worker="));
	return tp_compare_per_step(doc, "torch.step.count", NULL) * (traces != 0 ? (double)traces : 1);
}

static void
present_modules(struct tp_comparison *c)
{
	const struct tp_table *a = tp_look_table(c->wish->a, "modules/*/tree");
	const struct tp_table *b = tp_look_table(c->wish->b, "modules/*/tree");
	struct scopes s = {.c = c};
	double times[] = {per_step_of_trace(c->wish->a), per_step_of_trace(c->wish->b)};

	if (a == NULL || b == NULL)
		return;
	bool device = is_timed(a, "device_ms") && is_timed(b, "device_ms");
	const char *key = device ? "device_ms" : "host_ms";

	set_times(&s, times);
	tp_scope_tree_init(&s.tree, c->arena);
	add_modules(&s, a, 0, key, times[0]);
	add_modules(&s, b, 1, key, times[1]);
	present(&s, "module-tree", "Modules by caller", module_columns,
		device ? "Device time of the modules of the first trace"
			   : "Host time of the modules of the first trace");
	tp_scope_tree_free(&s.tree);
}

void
tp_compare_present_scopes(struct tp_comparison *c)
{
	present_operations(c);
	present_modules(c);
}
