/* Operations, operators, kernels, modules and what fills memory, row by row: where the change is. */
#include <math.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "compare/context.h"
#include "compare/look.h"
#include "compare/rows.h"
#include "report/column.h"

/* The tables that are compared. Times are of the whole capture in the reports; here of a step, and of a core or worker. */
static const struct kind {
	const char *id, *title, *from;
	struct tp_match_rule rule;
	bool bytes;        /* of memory; else of time */
	const char *steps; /* the metric that counts the steps in the table */
	const char *cores; /* the one that counts what works side by side; NULL: one */
	const char *what;  /* "operations" */
} kinds[] = {
	{"operations", "Operations", "operations/list",
		{.names = {"name", "program"},
			.other = {"category", "framework_op", "shape"},
			.measures = {"self_ms"},
			.unit = TP_UNIT_MS,
			.calls = "occurrences",
			.kind = "category"},
		false, "step.seen_count", "run.cores", "operations"},
	{"operators", "Operators", "operators/list",
		{.names = {"operator"},
			.measures = {"device_self_us", "host_self_us"},
			.unit = TP_UNIT_MS,
			.calls = "calls"},
		false, "torch.step.count", NULL, "operators"},
	{"kernels", "Kernels", "kernels/by-name",
		{.names = {"name"}, .measures = {"total_us"}, .unit = TP_UNIT_MS, .calls = "calls"}, false,
		"torch.step.count", NULL, "kernels"},
	{"modules", "Modules", "modules/classes",
		{.names = {"class"}, .measures = {"own_ms"}, .unit = TP_UNIT_MS, .calls = "calls"}, false,
		"torch.step.count", NULL, "modules"},
	{"memory", "Memory", "torch-memory/of/*/live",
		{.names = {"operator"},
			.measures = {"live_bytes"},
			.unit = TP_UNIT_BYTES,
			.calls = "pieces"},
		true, NULL, NULL, "bytes live at the peak"},
	{"memory-buffers", "Memory of the largest program", "memory/*/buffers",
		{.names = {"buffer"},
			.other = {"opcode", "framework_op", "shape"},
			.measures = {"size_mib"},
			.unit = TP_UNIT_BYTES,
			.kind = "kind"},
		true, NULL, NULL, "buffers at the peak"},
};

struct cells {
	struct tp_cell name, match, kind, calls_a, calls_b, a, b, change, cumulative;
};

#define COLUMNS(measure)                                                                           \
	TP_COLUMN("name", "Name", .code = true), TP_COLUMN("match", "Match"),                          \
		TP_COLUMN("kind", "Kind"),                                                                 \
		TP_COLUMN("calls_a", "Calls A", .unit = TP_UNIT_COUNT, .decimals = 1),                     \
		TP_COLUMN("calls_b", "Calls B", .unit = TP_UNIT_COUNT, .decimals = 1), measure

static const struct tp_column time_columns[] = {
	COLUMNS(TP_COLUMN("a_ms", "A", .unit = TP_UNIT_MS, .decimals = 3)),
	TP_COLUMN("b_ms", "B", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("change_ms", "Change", .unit = TP_UNIT_MS, .decimals = 3, .change = true),
	TP_COLUMN("cumulative_ms", "Cumulative", .unit = TP_UNIT_MS, .decimals = 3, .change = true),
};
TP_CELLS_ARE_COLUMNS(struct cells, time_columns);

static const struct tp_column memory_columns[] = {
	COLUMNS(TP_BYTES_COLUMN("a_bytes", "A")),
	TP_BYTES_COLUMN("b_bytes", "B"),
	TP_BYTES_COLUMN("change_bytes", "Change", .change = true),
	TP_BYTES_COLUMN("cumulative_bytes", "Cumulative", .change = true),
};
TP_CELLS_ARE_COLUMNS(struct cells, memory_columns);

static struct tp_slice
match_word(enum tp_match match)
{
	static const char *const words[] = {
		[TP_MATCH_NAME] = "same name",
		[TP_MATCH_RENAMED] = "renamed",
		[TP_MATCH_SPLIT] = "split",
		[TP_MATCH_MERGED] = "merged",
		[TP_MATCH_REGROUPED] = "regrouped",
		[TP_MATCH_ADDED] = "added",
		[TP_MATCH_GONE] = "gone",
	};

	return tp_slice_of(words[match]);
}

/* "nhwc → nchw", "fusion.1 and 2 more → fusion.4". */
static struct tp_slice
name_of(const struct tp_comparison *c, const struct tp_matched *m)
{
	struct tp_slice was = m->was, is = m->name;

	if (was.len == 0)
		return is;
	if (m->a_rows > 1)
		was = tp_arena_printf(c->arena, "%.*s and %zu more", TP_ARG(was), m->a_rows - 1);
	if (m->b_rows > 1)
		is = tp_arena_printf(c->arena, "%.*s and %zu more", TP_ARG(is), m->b_rows - 1);
	return tp_arena_printf(c->arena, "%.*s → %.*s", TP_ARG(was), TP_ARG(is));
}

static void
put(struct tp_comparison *c, struct tp_draft *draft, const struct kind *kind,
	const struct tp_matched *m, double cumulative)
{
	struct cells *cells = (void *)tp_draft_row(draft, m->name, TP_ROW_NORMAL, 0);
	enum tp_unit unit = kind->rule.unit;
	struct tp_slice not_there = TP_S("it is not in this run");

	cells->name.value = tp_text_value(name_of(c, m));
	cells->match.value = tp_text_value(match_word(m->match));
	cells->kind.value = tp_text_value(m->kind);
	cells->calls_a.value = tp_number_or(
		m->a_rows != 0 && kind->rule.calls != NULL ? m->a_calls : NAN, TP_UNIT_COUNT, not_there);
	cells->calls_b.value = tp_number_or(
		m->b_rows != 0 && kind->rule.calls != NULL ? m->b_calls : NAN, TP_UNIT_COUNT, not_there);
	cells->a.value = tp_number_or(m->a_rows != 0 ? m->a : NAN, unit, not_there);
	cells->b.value = tp_number_or(m->b_rows != 0 ? m->b : NAN, unit, not_there);
	cells->change.value = tp_number(m->b - m->a, unit);
	cells->cumulative.value = tp_number(cumulative, unit);
}

static void
put_total(struct tp_draft *draft, const struct kind *kind, const struct tp_matching *m)
{
	struct cells *cells = (void *)tp_draft_row(draft, TP_S("all"), TP_ROW_TOTAL, 0);
	enum tp_unit unit = kind->rule.unit;
	struct tp_slice sum = TP_S("a sum of all rows");

	cells->name.value = tp_text_value(TP_S("All"));
	cells->calls_a.value = cells->calls_b.value = tp_missing(sum);
	cells->a.value = tp_number(m->a, unit);
	cells->b.value = tp_number(m->b, unit);
	cells->change.value = cells->cumulative.value = tp_number(m->b - m->a, unit);
}

/* What the measures of a report are multiplied by to be of one step; 1 where its steps are not known. */
static double
per_step(const struct tp_doc *doc, const struct kind *kind)
{
	double steps = kind->steps != NULL ? tp_look_metric(doc, kind->steps, TP_UNIT_COUNT) : NAN;
	double cores = kind->cores != NULL ? tp_look_metric(doc, kind->cores, TP_UNIT_COUNT) : NAN;

	return steps > 0 ? 1 / (steps * (cores > 0 ? cores : 1)) : NAN;
}

/* Names of kernels may be as long as a page is wide. */
static struct tp_slice
short_name(const struct tp_comparison *c, const struct tp_matched *m)
{
	enum { MOST = 60 };
	struct tp_slice name = name_of(c, m);

	return name.len <= MOST
		? name
		: tp_arena_printf(c->arena, "%.*s…", (int)tp_utf8_fit(name, MOST), name.ptr);
}

/* "48 match by name, 2 were renamed, 1 was added": those that there are. */
static struct tp_slice
matches_told(const struct tp_comparison *c, const size_t matches[static TP_MATCH_GONE + 1])
{
	static const char *const words[] = {
		[TP_MATCH_NAME] = "by name",
		[TP_MATCH_RENAMED] = "renamed",
		[TP_MATCH_SPLIT] = "split",
		[TP_MATCH_MERGED] = "merged",
		[TP_MATCH_REGROUPED] = "regrouped",
		[TP_MATCH_ADDED] = "added",
		[TP_MATCH_GONE] = "gone",
	};
	struct tp_slice text = TP_S("Matched");

	for (size_t i = 0; i <= TP_MATCH_GONE; i++) {
		if (matches[i] != 0)
			text = tp_arena_printf(c->arena, "%.*s%s %zu %s", TP_ARG(text),
				text.len == sizeof "Matched" - 1 ? ":" : ",", matches[i], words[i]);
	}
	return text;
}

static void
say_answer(struct tp_comparison *c, struct tp_block *section, const struct kind *kind,
	const struct tp_matching *m)
{
	size_t matches[TP_MATCH_GONE + 1] = {0};
	enum tp_unit unit = kind->rule.unit;
	const struct tp_matched *first = m->rows;

	for (size_t i = 0; i < m->count; i++)
		matches[m->rows[i].match]++;
	section->section.key_figure = tp_text_value(tp_signed_text(c, tp_number(m->b - m->a, unit)));
	if (first->a == first->b) {
		section->section.answer = TP_SAY0(c->doc, "Nothing changes.");
		return;
	}
	section->section.answer = TP_SAY(c->doc, "All together {}; most in `{}`, {}.",
		section->section.key_figure, tp_text_value(short_name(c, first)),
		tp_text_value(tp_signed_text(c, tp_number(first->b - first->a, unit))));
	section->section.so_what = TP_SAY(c->doc, "{}.", tp_text_value(matches_told(c, matches)));
}

static void
present(struct tp_comparison *c, const struct kind *kind, const struct tp_table *a,
	const struct tp_table *b)
{
	double a_times = kind->bytes ? 1 : per_step(c->wish->a, kind);
	double b_times = kind->bytes ? 1 : per_step(c->wish->b, kind);
	bool whole = !isfinite(a_times) || !isfinite(b_times);
	struct tp_matching m;
	double cumulative = 0;

	if (!tp_match_rows(&kind->rule, a, b, whole ? 1 : a_times, whole ? 1 : b_times, c->arena, &m) ||
		m.count == 0)
		return;
	struct tp_block *section = tp_doc_section(c->doc, NULL, TP_SECTION_MAIN, kind->id, kind->title);
	struct tp_slice id = tp_arena_printf(c->arena, "%s/changes", kind->id);
	struct tp_draft draft = tp_draft_table(c->doc, section, id.ptr,
		kind->bytes ? memory_columns : time_columns, sizeof time_columns / sizeof *time_columns);

	say_answer(c, section, kind, &m);
	for (size_t i = 0; i < m.count; i++) {
		cumulative += m.rows[i].b - m.rows[i].a;
		put(c, &draft, kind, &m.rows[i], cumulative);
	}
	put_total(&draft, kind, &m);
	struct tp_table *t = tp_draft_finish(&draft, c->wish->top);

	t->caption = kind->bytes ? tp_arena_printf(c->arena, "%s, largest change first", kind->title)
		: whole
		? tp_arena_printf(c->arena,
			  "%s of the whole captures, largest change first: of a report without steps no step can be told",
			  kind->title)
		: tp_arena_printf(c->arena, "%s, in a step%s, largest change first", kind->title,
			  kind->cores != NULL ? " and core" : "");
	tp_table_drop_missing(c->doc, t, 3);
}

void
tp_compare_present_rows(struct tp_comparison *c)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct tp_table *a = tp_look_table(c->wish->a, kinds[i].from);
		const struct tp_table *b = tp_look_table(c->wish->b, kinds[i].from);

		if (a != NULL && b != NULL)
			present(c, &kinds[i], a, b);
	}
}
