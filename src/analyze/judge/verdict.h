/* The verdict: what the first screen's headline says. */
#ifndef TP_ANALYZE_VERDICT_H
#define TP_ANALYZE_VERDICT_H

#include "report/doc.h"

struct tp_pass_ctx;

struct tp_verdict_text {
	/* Its saw without the mark at its end. Without a judge it is as bad as the finding that it is of. */
	struct tp_verdict verdict;
	/* instead of its name, of what is judged by steps: "input-bound" makes "Input-bound:", or "Likely input-bound:" where steps are
	 * not certain */
	const char *steps_are;
	struct tp_text because; /* the sentence below; empty: it is no verdict */
};

/* From this share of a step on what no event covers is the verdict; below it the largest class that is known, and the gap comes
 * second. */
#define TP_GAP_LEADS_SHARE 0.20

/* The verdict of the first open finding that has one, else of what the steps hold, or of what there is without any. */
struct tp_verdict_text tp_verdict_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* The same where no step is known (verdict_without_steps.c). */
struct tp_verdict_text tp_verdict_without_steps(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

#endif
