/* Figures of the job's sessions: the ten of the original tool, and those of all sessions. */
#include "analyze/job/end_to_end.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "report/doc.h"

/* Of all sessions, which the ten figures are not. */
static void
session_metrics(const struct tp_e2e *e, struct tp_slice skipped, struct tp_doc *doc)
{
	static const struct {
		const char *took, *took_label, *count, *count_label;
		struct tp_slice none;
	} kinds[TP_PHASE_SESSIONS] = {
		{"sessions.training_ms", "Time in training sessions", "sessions.training",
			"Training sessions", TP_LIT("no training session")},
		{"sessions.eval_ms", "Time in evaluation sessions", "sessions.eval", "Evaluation sessions",
			TP_LIT("no eval session")},
		{"sessions.predict_ms", "Time in prediction sessions", "sessions.predict",
			"Prediction sessions", TP_LIT("no predict session")},
	};

	for (int i = 0; i < TP_PHASE_SESSIONS; i++) {
		enum tp_phase phase = (enum tp_phase)i;

		tp_doc_metric(doc, tp_slice_of(kinds[i].took), kinds[i].took_label,
			e == NULL                  ? tp_missing(skipped)
				: e->times[phase] == 0 ? tp_missing(kinds[i].none)
									   : tp_e2e_took(e, phase),
			TP_S("from the begins of all such sessions to their ends, those at once counted once; "
				 "without an end, to the last mark or scalar"),
			TP_S(""));
		tp_doc_metric(doc, tp_slice_of(kinds[i].count), kinds[i].count_label,
			e != NULL ? tp_count(e->times[phase]) : tp_missing(skipped),
			TP_S("begins that the profile logger marked"), TP_S(""));
	}
}

void
tp_e2e_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_e2e *e = result;
	struct tp_slice skipped = tp_skipped(ctx, &tp_pass_end_to_end);

	for (int c = 0; c < TP_E2E_COUNT; c++) {
		const struct tp_e2e_category_info *info = tp_e2e_category_info((enum tp_e2e_category)c);

		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "e2e.%s_ms", info->key),
			tp_arena_printf(ctx->keep, "End to end: %s", info->label).ptr,
			e != NULL ? tp_number(e->category_ms[c], TP_UNIT_MS) : tp_missing(skipped),
			TP_S("as TensorBoard's end-to-end tool worked it out, where an absent session is 0 and "
				 "training holds what comes before its steps again"),
			TP_S(""));
	}
	session_metrics(e, skipped, doc);
}
