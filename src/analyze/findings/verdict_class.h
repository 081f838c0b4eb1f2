/* Verdicts that one class of a step's time decides, or one slow core; and what all verdicts say figures with. */
#ifndef TP_ANALYZE_VERDICT_CLASS_H
#define TP_ANALYZE_VERDICT_CLASS_H

#include "analyze/summary.h"
#include "analyze/time_class.h"

struct tp_pod;
struct tp_steps;

/* What is said of a class when it decides. Markup; {} is the share of the step, and the milliseconds of it and of the step. The
 * consequence: what stands before how much faster steps would be. */
struct tp_class_verdict {
	enum tp_class class;
	double from_share;
	const char *name, *saw, *consequence, *because;
	const char *read; /* which section says more */
};

/* The class that costs most among those that cost enough to decide; NULL when none costs more than this. */
const struct tp_class_verdict *tp_class_that_decides(const struct tp_steps *s, double more_than);

struct tp_verdict_text tp_verdict_of_class(const struct tp_pass_ctx *ctx, struct tp_doc *doc,
	const struct tp_steps *s, const struct tp_class_verdict *c);

/* One core, chip or host does more than the others, which wait for it in collectives. */
struct tp_verdict_text tp_verdict_held_up(const struct tp_pass_ctx *ctx, struct tp_doc *doc,
	const struct tp_steps *s, const struct tp_pod *pod);

double tp_class_share(const struct tp_steps *s, enum tp_class c);

/* "hiding it would make steps at most 1.3× faster.", or "… more than 10× faster at best.": what is gained without this share of
 * them. without: all before, plain text. */
struct tp_text tp_say_faster(struct tp_doc *doc, const char *without, double removable_share);

struct tp_value tp_ps_in_ms(double ps);

#endif
