/* The part "Do this first" of the first screen. */
#ifndef TP_ANALYZE_SUMMARY_FIRST_H
#define TP_ANALYZE_SUMMARY_FIRST_H

struct tp_block;
struct tp_doc;
struct tp_findings;
struct tp_pass_ctx;

/* Adds it to the summary, unless no finding is open. */
void tp_summary_first(const struct tp_pass_ctx *ctx, const struct tp_findings *f,
	struct tp_doc *doc, struct tp_block *summary);

#endif
