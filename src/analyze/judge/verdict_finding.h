/* Verdicts of findings (a rule's verdict), and what all verdicts say figures with. */
#ifndef TP_ANALYZE_VERDICT_FINDING_H
#define TP_ANALYZE_VERDICT_FINDING_H

#include "analyze/core/time_class.h"
#include "analyze/judge/verdict.h"

struct tp_finding_result;
struct tp_pass_ctx;
struct tp_steps;

#define TP_VERDICT_OF_FINDING(name)                                                                \
	struct tp_verdict_text name(                                                                   \
		const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)

/* One class of a step's time is high: idle, collectives, launches, output, compiling (verdict_class.c). */
TP_VERDICT_OF_FINDING(tp_verdict_of_class);
/* One core, chip or host does more than the others, which wait for it in collectives. */
TP_VERDICT_OF_FINDING(tp_verdict_held_up);
/* Waiting for input; time that no event covers; copies; memory (verdict_finding.c). */
TP_VERDICT_OF_FINDING(tp_verdict_input);
TP_VERDICT_OF_FINDING(tp_verdict_unrecorded);
TP_VERDICT_OF_FINDING(tp_verdict_copies);
TP_VERDICT_OF_FINDING(tp_verdict_memory);

double tp_class_share(const struct tp_steps *s, enum tp_class c);

/* "hiding it would make steps at most 1.3× faster.", or "… more than 10× faster at best.": what is gained without this share of
 * them. without: all before, plain text. */
struct tp_text tp_say_speedup(struct tp_doc *doc, const char *without, double removable_share);

/* How much of a step the finding bounds what is gained without what it found; all of it where it is a whole step. */
double tp_removable_share(const struct tp_finding_result *r, const struct tp_steps *s);

#endif
