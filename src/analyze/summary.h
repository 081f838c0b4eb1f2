/* The first screen, and page 1 of the PDF: what somebody must know who reads nothing else. */
#ifndef TP_ANALYZE_SUMMARY_H
#define TP_ANALYZE_SUMMARY_H

#include "analyze/pass.h"
#include "report/doc.h"

extern const struct tp_pass tp_pass_summary;

/* The block of tiles (tiles.c). */
void tp_summary_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary);

/* The verdict in words (verdict.c): its judgement, two lines, and the sentence below them. */
struct tp_verdict_text {
	struct tp_verdict verdict;
	struct tp_text because;
};
struct tp_verdict_text tp_verdict_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* The same where no step is known (verdict_without_steps.c). */
struct tp_verdict_text tp_verdict_without_steps(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

#endif
