/* Two reports into one document that compares them. */
#include "compare/compare.h"

#include <math.h>

#include "base/arena.h"
#include "compare/context.h"

/* Each compared metric has four: a., b., change. and change_share. before its id. */
static void
register_metrics(struct tp_comparison *c)
{
	for (size_t i = 0; i < c->change_count; i++) {
		const struct tp_change *change = &c->changes[i];
		const struct {
			const char *prefix;
			struct tp_value value;
			struct tp_slice how;
		} all[] = {
			{"a.", change->a, TP_S("in A")},
			{"b.", change->b, TP_S("in B")},
			{"change.", tp_number(change->difference, change->b.unit), TP_S("B − A")},
			{"change_share.", tp_number_or(change->share, TP_UNIT_SHARE, TP_S("it is 0 in A")),
				TP_S("B / A − 1")},
		};

		for (size_t k = 0; k < sizeof all / sizeof *all; k++)
			tp_doc_metric(c->doc,
				tp_arena_printf(c->arena, "%s%.*s", all[k].prefix, TP_ARG(change->id)),
				tp_arena_copy(c->arena, change->label).ptr, all[k].value, all[k].how,
				k == 2 ? change->decided_by : TP_S(""));
	}
}

static void
say_method(struct tp_comparison *c)
{
	struct tp_block *section = tp_doc_section(c->doc, NULL, TP_SECTION_MINOR, "method", "Method");

	section->section.answer = TP_SAY0(c->doc, "How changes are distinguished from noise.");
	tp_doc_paragraph(c->doc, section, TP_PARAGRAPH_BODY, "method/noise",
		TP_SAY(c->doc,
			"Steps of one run are not independent samples, so a test over steps calls identical "
			"runs different. What counts is how much whole runs of the same program differ: A and "
			"the runs of --baseline give a prediction interval for one further run, on the "
			"logarithm of each figure, exp(m ± k s √(1 + 1/n)), at a level of {} (Hahn and Meeker, "
			"Statistical Intervals, 1991), with k for noise that follows Student’s t distribution "
			"with 4 degrees of freedom, because other work on the machine delays a run now and "
			"then. A figure of B outside of that interval has changed. With fewer than three runs "
			"noise is unknown, unless --floor says what counts as a change. The range by the steps "
			"of both runs is a moving block bootstrap of their medians (blocks of √n steps, 999 "
			"draws, 95 %).",
			tp_number(c->wish->level, TP_UNIT_SHARE)));
	tp_doc_paragraph(c->doc, section, TP_PARAGRAPH_BODY, "method/program",
		TP_SAY0(c->doc,
			"A changed program is compared; another program is not. Runs of XLA are of other programs where less than 10 % of either's time is in "
			"operations that the framework names alike and fingerprints do not agree, runs of PyTorch where the classes of modules that hold others "
			"have none in common, or without modules where less than 10 % of either's time is in operators that both have. A precision differs "
			"where its share of the time moves by more than 10 points."));
	tp_doc_paragraph(c->doc, section, TP_PARAGRAPH_BODY, "method/rows",
		TP_SAY0(c->doc,
			"Rows match by name where they do the same (category, framework operation), then by "
			"what they do and its shape, then by name alone, then by name without numbers. A row "
			"that is left on one side only was added or removed. Families of kernels come from "
			"their names, categories of operations from the compiler; a scope holds the operations "
			"that its framework names so. Times are self times of a step: the sum over the "
			"capture, divided by its steps and by what works side by side."));
}

static void
say_description(struct tp_comparison *c)
{
	const struct tp_verdict *v = tp_doc_verdict(c->doc);

	c->doc->description = tp_arena_printf(c->arena, "%.*s %.*s %.*s",
		TP_ARG(tp_text_shown(v->name, c->arena)), TP_ARG(tp_text_shown(v->saw, c->arena)),
		TP_ARG(tp_text_shown(v->consequence, c->arena)));
}

/* A figure of both, what became of it, and what decided that. */
static struct tp_slice
change_said(const struct tp_comparison *c, const struct tp_change *change)
{
	char a[TP_VALUE_BUF], b[TP_VALUE_BUF];

	if (change == NULL)
		return TP_S("it is not in both reports");
	struct tp_slice share = isfinite(change->share)
		? tp_signed_text(c->arena, tp_number(change->share, TP_UNIT_SHARE))
		: TP_S("from 0");

	return tp_arena_printf(c->arena, "%.*s %.*s, %.*s in B (%.*s); %s%.*s", TP_ARG(change->id),
		TP_ARG(tp_value_text(change->a, a)), TP_ARG(tp_value_text(change->b, b)), TP_ARG(share),
		change->verdict != TP_CHANGE_UNDECIDED ? "decided by " : "", TP_ARG(change->decided_by));
}

struct tp_compare_result
tp_compare(const struct tp_compare_wish *wish, struct tp_arena *arena)
{
	struct tp_comparison c = {.wish = wish, .arena = arena, .doc = tp_doc_new(arena)};
	struct tp_compare_result result = {.doc = c.doc};
	const struct tp_doc *a = wish->a, *b = wish->b;

	c.doc->about = TP_ABOUT_COMPARISON;
	c.doc->version = b->version;
	c.doc->name = b->name;
	c.doc->run = b->run;
	c.doc->made_unix_s = b->made_unix_s;
	c.doc->title = tp_arena_printf(arena, "%.*s against %.*s", TP_ARG(b->title), TP_ARG(a->title));
	tp_compare_facts(&c);
	tp_compare_metrics(&c);
	register_metrics(&c);
	struct tp_block *summary =
		tp_doc_section(c.doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");

	tp_compare_summary(&c, summary);
	tp_compare_present_time(&c, summary);
	tp_compare_present_findings(&c, &result);
	tp_compare_present_time_rows(&c);
	tp_compare_present_scopes(&c);
	tp_compare_present_memory_rows(&c);
	tp_compare_present_metrics(&c);
	tp_compare_present_facts(&c);
	say_method(&c);
	say_description(&c);
	const struct tp_change *time = tp_change_of_time(&c), *memory = tp_change_of_memory(&c);

	result.has_time = time != NULL;
	result.time = time != NULL ? time->verdict : TP_CHANGE_SAME;
	result.has_memory = memory != NULL;
	result.memory = memory != NULL ? memory->verdict : TP_CHANGE_SAME;
	result.time_said = change_said(&c, time);
	result.memory_said = change_said(&c, memory);
	return result;
}
