/* Figures that the profiler worked out itself, in place of those that cannot be worked out. */
#include "analyze/facts/precomputed.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>

const struct tp_precomputed *
tp_precomputed(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;

	return p->event_count == 0 && p->host_count != 0 ? p->precomputed : NULL;
}

void
tp_precomputed_fill(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const char *id,
	struct tp_value value, const char *field, struct tp_slice file)
{
	struct tp_metric *m = doc->metrics;

	while (m != NULL && !tp_slice_eq(m->id, tp_slice_of(id)))
		m = m->next;
	if (m == NULL || tp_known(m->value) || !tp_known(value))
		return;
	m->value = value;
	m->how =
		tp_arena_printf(ctx->keep, "precomputed by the profiler: %s of %.*s", field, TP_ARG(file));
}

void
tp_precomputed_source(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, struct tp_slice file)
{
	(void)ctx;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, id,
		TP_SAY(doc, "Precomputed by the profiler (`{}`), as there are no events.",
			tp_text_value(file)));
}

double
tp_precomputed_mean_ms(const struct tp_precomputed *g)
{
	double sum = 0;

	for (size_t i = 0; i < g->step_count; i++)
		sum += g->steps[i].time_ms;
	return g->step_count != 0 ? sum / (double)g->step_count : NAN;
}

double
tp_precomputed_pod_mean_ms(const struct tp_precomputed_pod *pod)
{
	double sum = 0;

	for (size_t s = 0; s < pod->step_count; s++) {
		double longest = 0;

		for (size_t c = 0; c < pod->core_count; c++) {
			const double *us = pod->us + (s * pod->core_count + c) * TP_PRECOMPUTED_POD_PART_COUNT;
			double total = 0;

			for (int k = 0; k < TP_PRECOMPUTED_POD_PART_COUNT; k++)
				total += us[k];
			longest = fmax(longest, total);
		}
		sum += longest / 1e3;
	}
	return sum / (double)pod->step_count;
}

/* A pod viewer's step is as long as on its longest core, so that it may differ by some from the mean step of an overview. */
#define SAME_CAPTURE_SHARE 0.25

bool
tp_precomputed_differ(const struct tp_precomputed *g)
{
	if (g == NULL || g->pod == NULL)
		return false;
	double mean = tp_precomputed_mean_ms(g), pod = tp_precomputed_pod_mean_ms(g->pod);

	return fabs(mean - pod) > SAME_CAPTURE_SHARE * fmax(mean, pod);
}

void
tp_precomputed_captures(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section, const char *id)
{
	const struct tp_precomputed *g = ctx->profile->precomputed;

	if (!tp_precomputed_differ(g))
		return;
	double mean = tp_precomputed_mean_ms(g), pod = tp_precomputed_pod_mean_ms(g->pod);
	struct tp_block *block = tp_doc_add(doc, section, TP_BLOCK_NOTICE, tp_slice_of(id));

	block->notice.judge = TP_JUDGE_WARN;
	block->notice.text = TP_SAY(doc,
		"The tool files are of different captures: steps take {} on average in `{}`, and {} in `{}`. "
		"[Distributed](#distributed) is about the latter, all else about the former.",
		tp_number(mean, TP_UNIT_MS), tp_text_value(g->steps_from), tp_number(pod, TP_UNIT_MS),
		tp_text_value(g->pod->from));
}
