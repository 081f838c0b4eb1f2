/* Operations, operators, kernels, modules and what fills memory, row by row: where the change is. */
#include <math.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "compare/context.h"
#include "compare/groups.h"
#include "compare/look.h"
#include "compare/rows.h"
#include "compare/sums.h"
#include "report/column.h"

/* The tables that are compared. Times are of the whole capture in the reports; here of a step, and of a core or worker. */
static const struct kind {
	const char *id, *title, *from;
	struct tp_match_rule rule;
	bool bytes; /* of memory; else of time */
	/* the metrics that count the steps in the table, the first that is known, and what works side by side in the second's */
	const char *steps[2], *cores;
	const char *whole; /* the metric that the rows are part of */
	const char *group; /* the column that says what rows do, whatever their names; NULL: none */
} kinds[] = {
	{"operations", "Operations", "operations/list",
		{.names = {"name", "program"},
			.other = {"category", "framework_op", "shape"},
			.looser = {"category", "framework_op"},
			.least = 2,
			.measures = {"self_ms"},
			.unit = TP_UNIT_MS,
			.calls = "occurrences",
			.kind = "category"},
		false, {"step.seen_count"}, "run.cores", TP_MEAN_STEP, "category"},
	{"kernels", "Kernels", "kernels/by-name",
		{.names = {"name"},
			.shown = "kernel",
			.measures = {"total_us"},
			.unit = TP_UNIT_MS,
			.calls = "calls",
			.kind = "family"},
		false, {"torch.step.count", "step.seen_count"}, "run.cores", TP_MEAN_STEP, "family"},
	{"operators", "Operators", "operators/list",
		{.names = {"operator"},
			.measures = {"device_self_us", "host_self_us"},
			.unit = TP_UNIT_MS,
			.calls = "calls"},
		false, {"torch.step.count"}, NULL, TP_MEAN_STEP, NULL},
	{"modules", "Modules", "modules/classes",
		{.names = {"class"}, .measures = {"own_ms"}, .unit = TP_UNIT_MS, .calls = "calls"}, false,
		{"torch.step.count"}, NULL, TP_MEAN_STEP, NULL},
	{"memory-measured", "Memory at the measured peak", "memory-over-time/of/*/live",
		{.names = {"framework_op", "shape", "data_type", "region"},
			.other = {"framework_op", "region"},
			.measures = {"total_mib"},
			.unit = TP_UNIT_BYTES,
			.calls = "count",
			.kind = "region"},
		true, {NULL}, NULL, "memory.measured.peak_bytes", NULL},
	{"memory", "Memory", "torch-memory/of/*/live",
		{.names = {"operator"},
			.measures = {"live_bytes"},
			.unit = TP_UNIT_BYTES,
			.calls = "pieces"},
		true, {NULL}, NULL, "torch.memory.peak_bytes", NULL},
	{"memory-buffers", "Memory of the largest program", "memory/*/buffers",
		{.names = {"buffer"},
			.other = {"opcode", "framework_op", "shape"},
			.least = 2,
			.measures = {"size_mib"},
			.unit = TP_UNIT_BYTES,
			.kind = "kind"},
		true, {NULL}, NULL, "memory.peak_bytes", NULL},
};

struct cells {
	struct tp_cell name, a, b, change, cumulative, match, kind, calls_a, calls_b;
};

/* What changed stands beside the name: a phone and a sheet of paper have no room for all. */
#define COLUMNS(...)                                                                               \
	TP_COLUMN("name", "Name", .code = true), __VA_ARGS__, TP_COLUMN("match", "Match"),             \
		TP_COLUMN("kind", "Kind"),                                                                 \
		TP_COLUMN("calls_a", "Calls A", .unit = TP_UNIT_COUNT, .decimals = 1),                     \
		TP_COLUMN("calls_b", "Calls B", .unit = TP_UNIT_COUNT, .decimals = 1)

static const struct tp_column time_columns[] = {
	COLUMNS(TP_COLUMN("a_ms", "A", .unit = TP_UNIT_MS, .decimals = 3),
		TP_COLUMN("b_ms", "B", .unit = TP_UNIT_MS, .decimals = 3),
		TP_COLUMN("change_ms", "Change", .unit = TP_UNIT_MS, .decimals = 3, .change = true),
		TP_COLUMN(
			"cumulative_ms", "Cumulative", .unit = TP_UNIT_MS, .decimals = 3, .change = true)),
};
TP_CELLS_ARE_COLUMNS(struct cells, time_columns);

static const struct tp_column memory_columns[] = {
	COLUMNS(TP_BYTES_COLUMN("a_bytes", "A"), TP_BYTES_COLUMN("b_bytes", "B"),
		TP_BYTES_COLUMN("change_bytes", "Change", .change = true),
		TP_BYTES_COLUMN("cumulative_bytes", "Cumulative", .change = true)),
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

/* "nhwc → nchw", "fusion.1 and 2 more → fusion.4"; of kernels that differ in what their short names leave out that alone. */
static struct tp_slice
arrow(const struct tp_comparison *c, const struct tp_matched *m, struct tp_slice was,
	struct tp_slice is)
{
	if (was.len == 0 || (tp_slice_eq(was, is) && m->a_rows == 1 && m->b_rows == 1))
		return is;
	if (m->a_rows > 1)
		was = tp_arena_printf(c->arena, "%.*s and %zu more", TP_ARG(was), m->a_rows - 1);
	if (m->b_rows > 1)
		is = tp_arena_printf(c->arena, "%.*s and %zu more", TP_ARG(is), m->b_rows - 1);
	return tp_arena_printf(c->arena, "%.*s → %.*s", TP_ARG(was), TP_ARG(is));
}

static struct tp_slice
name_of(const struct tp_comparison *c, const struct tp_matched *m)
{
	return arrow(c, m, m->shown_was, m->shown);
}

static void
put(struct tp_comparison *c, struct tp_draft *draft, const struct kind *kind,
	const struct tp_matched *m, double cumulative)
{
	struct cells *cells = (void *)tp_draft_row(draft, m->name, TP_ROW_NORMAL, 0);
	enum tp_unit unit = kind->rule.unit;
	struct tp_slice not_there = TP_S("it is not in this run");

	struct tp_slice shown = name_of(c, m), full = arrow(c, m, m->was, m->name);

	cells->name.value = tp_text_value(shown);
	cells->name.full = tp_slice_eq(shown, full) ? TP_S("") : full;
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
put_sum(struct tp_draft *draft, enum tp_unit unit, const struct tp_sum *sum, double cumulative)
{
	struct cells *cells = (void *)tp_draft_row(draft, sum->name, TP_ROW_TOTAL, 0);

	cells->name.value = tp_text_value(sum->name);
	cells->calls_a.value = cells->calls_b.value = tp_missing(TP_S("a sum"));
	cells->a.value = tp_number(sum->a, unit);
	cells->b.value = tp_number(sum->b, unit);
	cells->change.value = tp_number(sum->b - sum->a, unit);
	cells->cumulative.value = tp_number(cumulative, unit);
}

/* Names of kernels may be as long as a page is wide. */
static struct tp_slice
short_name(const struct tp_comparison *c, const struct tp_matched *m)
{
	enum { MOST = 60 };

	return tp_utf8_shorten(c->arena, name_of(c, m), MOST);
}

/* "Matched: 48 same name, 2 renamed, 1 added": those that there are. */
static struct tp_slice
matches_told(const struct tp_comparison *c, const size_t matches[static TP_MATCH_GONE + 1])
{
	struct tp_slice text = TP_S("Matched");
	const char *before = ":";

	for (size_t i = 0; i <= TP_MATCH_GONE; i++) {
		if (matches[i] == 0)
			continue;
		text = tp_arena_printf(c->arena, "%.*s%s %zu %.*s", TP_ARG(text), before, matches[i],
			TP_ARG(match_word((enum tp_match)i)));
		before = ",";
	}
	return text;
}

/* "All together +81 µs; most in `attn_fwd`, +76 µs." */
static void
say_most(struct tp_comparison *c, struct tp_block *section, enum tp_unit unit, struct tp_slice name,
	double change)
{
	section->section.answer = change == 0
		? TP_SAY0(c->doc, "Nothing changes.")
		: TP_SAY(c->doc, "All together {}; most in `{}`, {}.", section->section.key_figure,
			  tp_text_value(name),
			  tp_text_value(tp_signed_text(c->arena, tp_number(change, unit))));
}

/* How rows were matched, and what they leave of the step or the peak. */
static void
say_matches(struct tp_comparison *c, struct tp_block *section, const struct kind *kind,
	const struct tp_matching *m, bool of_captures)
{
	size_t matches[TP_MATCH_GONE + 1] = {0};
	struct tp_sum sums[TP_SUMS];
	size_t count =
		tp_compare_sums(c, of_captures ? NULL : kind->whole, kind->rule.unit, m->a, m->b, sums);
	struct tp_section *s = &section->section;

	for (size_t i = 0; i < m->count; i++)
		matches[m->rows[i].match]++;
	s->so_what = TP_SAY(c->doc, "{}.", tp_text_value(matches_told(c, matches)));
	if (count == TP_SUMS)
		TP_SAY_MORE(c->doc, s->so_what, " The rest of the {}: {}.",
			tp_text_value(kind->bytes ? TP_S("peak") : TP_S("mean step")),
			tp_text_value(
				tp_signed_text(c->arena, tp_number(sums[1].b - sums[1].a, kind->rule.unit))));
}

/* Rows of a table and of the capture in A and B; the measures of both reports are of a step, or of the whole captures where one has no
 * steps. */
static struct tp_row_pair
pair_of(const struct tp_comparison *c, const struct kind *kind)
{
	const struct tp_doc *docs[] = {c->wish->a, c->wish->b};
	struct tp_row_pair p = {.of_captures = false};

	for (size_t side = 0; side < 2; side++) {
		p.table[side] = tp_look_table(docs[side], kind->from);
		bool is_first = kind->bytes ||
			isfinite(tp_look_metric(docs[side], kind->steps[0], TP_UNIT_COUNT)) ||
			kind->steps[1] == NULL;
		const char *steps = kind->steps[is_first ? 0 : 1];
		const char *cores = is_first && kind->steps[1] != NULL ? NULL : kind->cores;

		p.times[side] = kind->bytes ? 1 : tp_compare_per_step(docs[side], steps, cores);
		p.by_core = p.by_core || cores != NULL;
		p.of_captures = p.of_captures || isnan(p.times[side]);
	}
	for (size_t side = 0; side < 2 && p.of_captures; side++)
		p.times[side] = 1;
	return p;
}

static void
put_rows(struct tp_comparison *c, struct tp_block *section, const struct kind *kind,
	const struct tp_row_pair *pair, const struct tp_matching *m)
{
	struct tp_slice id = tp_arena_printf(c->arena, "%s/changes", kind->id);
	struct tp_draft draft = tp_draft_table(c->doc, section, id.ptr,
		kind->bytes ? memory_columns : time_columns, sizeof time_columns / sizeof *time_columns);
	struct tp_sum sums[TP_SUMS];
	double cumulative = 0;

	for (size_t i = 0; i < m->count; i++) {
		cumulative += m->rows[i].b - m->rows[i].a;
		put(c, &draft, kind, &m->rows[i], cumulative);
	}
	size_t count = tp_compare_sums(
		c, pair->of_captures ? NULL : kind->whole, kind->rule.unit, m->a, m->b, sums);

	for (size_t i = 0; i < count; i++)
		put_sum(&draft, kind->rule.unit, &sums[i],
			i == 0 ? cumulative : sums[count - 1].b - sums[count - 1].a);
	struct tp_table *t = tp_draft_finish(&draft, c->wish->top);

	t->caption = tp_arena_printf(c->arena, "%s%s, largest change first%s", kind->title,
		kind->bytes             ? ""
			: pair->of_captures ? " of the whole captures, because a report has no steps"
			: pair->by_core     ? " of the mean step, a core"
								: " of the mean step",
		count == 1 ? ""
			: kind->bytes
			? "; the remainder is the part of the peak outside them"
			: "; the remainder is the part of the step without them, below 0 where they overlap");
	tp_table_drop_missing(c->doc, t, TP_COLUMN_OF(struct cells, kind));
}

/* The name of a program tells operations apart where a report has several; else it only stands in the way when it changes. */
static struct tp_match_rule
rule_of(const struct kind *kind, const struct tp_row_pair *pair)
{
	struct tp_match_rule rule = kind->rule;
	bool is_one = rule.names[1] != NULL && strcmp(rule.names[1], "program") == 0;

	for (size_t side = 0; side < 2 && is_one; side++)
		is_one = tp_look_is_one(pair->table[side], "program");
	if (is_one)
		rule.names[1] = NULL;
	return rule;
}

/* Names of two kinds of hardware have little in common: what rows do comes first then. */
static void
present(struct tp_comparison *c, const struct kind *kind)
{
	struct tp_row_pair pair = pair_of(c, kind);
	struct tp_matching m;

	if (pair.table[0] == NULL || pair.table[1] == NULL)
		return;
	struct tp_match_rule rule = rule_of(kind, &pair);

	if (!tp_match_rows(
			&rule, pair.table[0], pair.table[1], pair.times[0], pair.times[1], c->arena, &m) ||
		m.count == 0)
		return;
	struct tp_block *section = tp_doc_section(c->doc, NULL, TP_SECTION_MAIN, kind->id, kind->title);
	bool is_grouped = kind->group != NULL;
	bool groups_first = is_grouped && (tp_compare_hardware_differs(c) || m.same_share < 0.5);
	struct tp_group_change most = {.change_ms = 0};

	section->section.key_figure =
		tp_text_value(tp_signed_text(c->arena, tp_number(m.b - m.a, kind->rule.unit)));
	if (groups_first)
		most = tp_compare_present_groups(
			c, section, kind->id, kind->group, kind->whole, &kind->rule, &pair);
	put_rows(c, section, kind, &pair, &m);
	if (is_grouped && !groups_first)
		tp_compare_present_groups(
			c, section, kind->id, kind->group, kind->whole, &kind->rule, &pair);
	if (most.name.len != 0)
		say_most(c, section, kind->rule.unit, most.name, most.change_ms);
	else
		say_most(c, section, kind->rule.unit, short_name(c, m.rows), m.rows->b - m.rows->a);
	say_matches(c, section, kind, &m, pair.of_captures);
}

static void
present_all(struct tp_comparison *c, bool bytes)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (kinds[i].bytes == bytes)
			present(c, &kinds[i]);
	}
}

void
tp_compare_present_time_rows(struct tp_comparison *c)
{
	present_all(c, false);
}

void
tp_compare_present_memory_rows(struct tp_comparison *c)
{
	present_all(c, true);
}
