/* Which steps are much longer than the others, and what of. */
#ifndef TP_ANALYZE_UNEVEN_STEPS_H
#define TP_ANALYZE_UNEVEN_STEPS_H

struct tp_doc;
struct tp_finding;
struct tp_pass_ctx;
struct tp_steps;

/* Says in finding->saw which steps are long and which class of time grows in them, and has the finding advise on that class. */
void tp_uneven_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	struct tp_finding *finding);

#endif
