/* The section on the input pipeline: its parts in their order, what the profiler itself said, and what was looked for in vain. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/precomputed.h"
#include "analyze/input/input_words.h"
#include "analyze/steps/steps.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/draft.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first share in a sentence, "84.8%"; NaN: there is none. */
static double
share_in(struct tp_slice sentence)
{
	const char *sign = sentence.len != 0 ? memchr(sentence.ptr, '%', sentence.len) : NULL;
	size_t end = sign != NULL ? (size_t)(sign - sentence.ptr) : 0, begin = end;
	char figure[16];

	while (begin > 0 &&
		(isdigit((unsigned char)sentence.ptr[begin - 1]) || sentence.ptr[begin - 1] == '.'))
		begin--;
	if (begin == end || end - begin >= sizeof figure)
		return NAN;
	memcpy(figure, sentence.ptr + begin, end - begin);
	figure[end - begin] = '\0';
	return strtod(figure, NULL) / 100;
}

/* The statement may be about other steps than those of this report, even where both are from one file. */
static struct tp_text
statement(const struct tp_precomputed *g, struct tp_doc *doc)
{
	const double same_share = 0.01;
	struct tp_text said = TP_SAY(
		doc, text_profiler_said, tp_text_value(g->statement_from), tp_text_value(g->statement));
	struct tp_value waits = tp_doc_value(doc, "input.wait_share");

	if (g->step_count == 0 || !tp_known(waits) ||
		!(fabs(share_in(g->statement) - waits.number) > same_share))
		return said;
	return tp_doc_join(doc, said,
		tp_slice_eq(g->statement_from, g->steps_from)
			? TP_SAY0(doc, text_contradicts)
			: TP_SAY(doc, text_other_steps, tp_text_value(g->steps_from)));
}

/* What the profiler itself said of input, and where its figures are from; false: nothing, for there are none. */
static bool
say_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL)
		return false;
	if (g->statement.len != 0)
		tp_doc_paragraph(
			doc, section, TP_PARAGRAPH_BODY, "input-pipeline/statement", statement(g, doc));
	if (g->input_from.len == 0 && g->step_count == 0)
		return false;
	tp_say_how(ctx, doc, section, "input-pipeline/how", how_precomputed);
	tp_precomputed_source(ctx, doc, section, "input-pipeline/source",
		g->input_from.len != 0 ? g->input_from : g->steps_from);
	return true;
}

static bool
has_threads(const struct tp_profile *p)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_THREAD)
			return true;
	}
	return false;
}

/* What was looked for in vain, and how to make input visible. */
static void
say_looked_for(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_environment *env = tp_result(ctx, &tp_pass_environment);
	enum tp_framework framework = env ? env->framework : TP_FRAMEWORK_UNKNOWN;

	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "input-pipeline/looked-for", title_looked_for);

	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "input-pipeline/events",
		has_threads(ctx->profile) ? TP_SAY0(doc, text_no_stage)
								  : TP_SAY0(doc, text_no_host_threads));
	if (framework == TP_FRAMEWORK_JAX || framework == TP_FRAMEWORK_UNKNOWN)
		tp_doc_paragraph(
			doc, fold, TP_PARAGRAPH_BODY, "input-pipeline/mark-jax", TP_SAY0(doc, text_mark_jax));
	if (framework == TP_FRAMEWORK_UNKNOWN)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "input-pipeline/mark-pytorch",
			TP_SAY0(doc, text_mark_pytorch));
}

void
tp_input_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_input_pipeline *in = result;
	const struct tp_steps *steps = tp_result(ctx, &tp_pass_steps);

	/* PyTorch has no stages of input that its trace could show: the wait for the DataLoader is among the steps. */
	if (ctx->profile->torch != NULL && in->ops.count == 0)
		return;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "input-pipeline", title_input);

	tp_input_say(ctx, in, steps, doc, &section->section);
	if (steps != NULL && steps->inferred)
		section->section.so_what = tp_doc_join(doc, section->section.so_what,
			tp_doc_join(doc, TP_SAY0(doc, text_inferred),
				tp_doc_join(doc, tp_steps_say_inferred(ctx, doc, steps), TP_SAY0(doc, "."))));
	tp_input_steps(ctx, steps, doc, section);
	tp_input_host(ctx, in, doc, section);
	tp_input_stages(ctx, in, doc, section);
	if (say_precomputed(ctx, doc, section))
		return;
	if (in->ops.count == 0)
		say_looked_for(ctx, doc, section);
	if (in->ops.count == 0 && (steps == NULL || !(steps->input_share > 0)))
		return;
	tp_say_how(ctx, doc, section, "input-pipeline/how", how_input);
	tp_say_source(ctx, doc, section, "input-pipeline/source", source_input);
}
