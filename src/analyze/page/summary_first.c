/* "Do this first": the findings at the top, and why one that saves more is not above them. */
#include "analyze/page/summary_first.h"

#include "analyze/core/say.h"
#include "analyze/judge/findings.h"
#include "analyze/judge/rule.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

#include <math.h>
#include <string.h>

enum { TOP_FINDINGS = 3 };

/* The first three are the most severe, and of these the most exact: who looks for the largest saving must not take it to be
 * theirs. */
static void
larger_below(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_findings *f)
{
	const struct tp_finding_result *largest = NULL;
	double shown_ps = 0;

	for (size_t i = 0; i < f->open; i++) {
		const struct tp_finding_result *r = &f->results[i];

		if (r->is_part || !isfinite(r->saving_ps))
			continue;
		if (i < TOP_FINDINGS)
			shown_ps = r->saving_ps > shown_ps ? r->saving_ps : shown_ps;
		else if (largest == NULL || r->saving_ps > largest->saving_ps)
			largest = r;
	}
	if (largest == NULL || largest->saving_ps <= shown_ps)
		return;
	tp_doc_paragraph(doc, parent, TP_PARAGRAPH_SMALL, "summary/larger",
		TP_SAY(doc,
			largest->severity == f->results[TOP_FINDINGS - 1].severity
				? "Less specific, but saves more, at most {}: [{}](#{})."
				: "Less severe, but saves more, at most {}: [{}](#{}).",
			tp_number(largest->saving_ps / 1e9, TP_UNIT_MS),
			tp_text_value(tp_arena_printf(ctx->keep, "%zu. %s", (size_t)(largest - f->results) + 1,
				largest->rule->info.name)),
			tp_text_value(tp_slice_of(largest->rule->info.id))));
}

/* What is saved is of another kind: time summed over threads is no time on the clock. */
static bool
same_kind(const struct tp_finding_result *a, const struct tp_finding_result *b)
{
	const char *of_a = a->rule->saves, *of_b = b->rule->saves;

	return of_a == of_b || (of_a != NULL && of_b != NULL && strcmp(of_a, of_b) == 0);
}

/* By more than a reader would take for the same. */
static bool
saves_less(const struct tp_finding_result *a, const struct tp_finding_result *b)
{
	static const double alike = .01;

	return same_kind(a, b) && a->saving_ps < (1 - alike) * b->saving_ps;
}

/* The first one before it that saves less; NULL: none. */
static const struct tp_finding_result *
outranks(const struct tp_findings *f, const struct tp_finding_result *r)
{
	const struct tp_finding_result *before = f->results;

	if (r->is_part || !isfinite(r->saving_ps))
		return NULL;
	while (before < r && !saves_less(before, r))
		before++;
	return before < r ? before : NULL;
}

/* "; 1 and 2 are more severe": what holds for all that stand above; empty where nothing does. */
static struct tp_slice
why_above(const struct tp_pass_ctx *ctx, const struct tp_findings *f, size_t i)
{
	const struct tp_finding_result *own = &f->results[i];
	bool severe = true, more = true;

	for (size_t k = 0; k < i; k++) {
		severe &= f->results[k].severity != own->severity;
		more &= saves_less(own, &f->results[k]);
	}
	if (!severe && !more)
		return TP_S("");
	return tp_arena_printf(ctx->keep, "; %s %s", i == 1 ? "1" : "1 and 2",
		severe       ? (i == 1 ? "is more severe" : "are more severe")
			: i == 1 ? "saves more"
					 : "save more");
}

/* Why the headline names one that stands below others; empty where it names the first, or none of those shown. */
static struct tp_slice
headline_below(const struct tp_pass_ctx *ctx, const struct tp_doc *doc, const struct tp_findings *f)
{
	const struct tp_verdict *verdict = tp_doc_verdict(doc);
	size_t i = 0;

	while (verdict != NULL && i < f->open && i < TOP_FINDINGS &&
		!tp_slice_eq(verdict->finding, tp_slice_of(f->results[i].rule->info.id)))
		i++;
	if (verdict == NULL || i == 0 || i == f->open || i == TOP_FINDINGS)
		return TP_S("");
	return tp_arena_printf(ctx->keep,
		"The headline names %zu, because it says what bounds a step%s", i + 1,
		why_above(ctx, f, i).ptr);
}

/* Why one of those shown that saves more stands below one that saves less: "2 saves more than 1, but is less severe." */
static void
say_order(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_findings *f)
{
	struct tp_slice words = TP_S("");

	for (size_t i = 1; i < f->open && i < TOP_FINDINGS; i++) {
		const struct tp_finding_result *r = &f->results[i], *before = outranks(f, r);

		if (before == NULL)
			continue;
		words = tp_arena_printf(ctx->keep, "%.*s%s%zu saves more than %zu, but is less %s",
			TP_ARG(words), words.len != 0 ? "; " : "", i + 1, (size_t)(before - f->results) + 1,
			before->severity != r->severity ? "severe" : "specific");
	}
	struct tp_slice headline = headline_below(ctx, doc, f);

	if (words.len != 0 || headline.len != 0)
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_SMALL, "summary/order",
			TP_SAY(doc, "{}{}{}.", tp_text_value(headline),
				tp_text_value(headline.len != 0 && words.len != 0 ? TP_S(". ") : TP_S("")),
				tp_text_value(words)));
}

void
tp_summary_first(const struct tp_pass_ctx *ctx, const struct tp_findings *f, struct tp_doc *doc,
	struct tp_block *summary)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_finding *texts = tp_findings_texts(ctx, f, doc);
	struct tp_value scale =
		s ? tp_number(s->time.mean / 1e9, TP_UNIT_MS) : tp_missing(TP_S("no step time"));

	if (f->open == 0)
		return;
	struct tp_block *sub =
		tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/first", "Do this first");

	sub->section.aside = TP_SAY0(doc, "saves at most");
	for (size_t i = 0; i < f->open && i < TOP_FINDINGS; i++) {
		struct tp_block *block = tp_doc_add(doc, sub, TP_BLOCK_FINDING,
			tp_arena_printf(ctx->keep, "summary/%.*s", TP_ARG(texts[i].id)));

		block->finding = (struct tp_finding_block){.finding = &texts[i],
			.number = (unsigned)i + 1,
			.brief = true,
			.scale = isfinite(f->results[i].whole_ps)
				? tp_number(f->results[i].whole_ps / 1e9, TP_UNIT_MS)
				: scale};
	}
	say_order(ctx, doc, sub, f);
	larger_below(ctx, doc, sub, f);
}
