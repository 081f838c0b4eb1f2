/* What the parts of a comparison share. */
#ifndef TP_COMPARE_CONTEXT_H
#define TP_COMPARE_CONTEXT_H

#include "compare/compare.h"
#include "compare/noise.h"
#include "report/direction.h"
#include "report/doc.h"
#include "report/draft.h"

/* A metric of both reports. */
struct tp_change {
	struct tp_slice id, label;
	enum tp_direction direction;
	struct tp_value a, b; /* both in b's unit */
	double difference;    /* b − a, in that unit */
	double share;         /* of a; NaN when a is 0 */
	bool has_interval;    /* from the steps within the two runs, as shares */
	struct tp_interval interval;
	bool has_expected; /* from baselines */
	struct tp_expected expected;
	enum tp_change_verdict verdict;
	struct tp_slice decided_by; /* "4 runs", "floor", "same figure"; why not */
};

/* A fact that makes runs comparable or not. */
struct tp_fact {
	struct tp_slice what, a, b;
	bool differs;
	bool decides; /* where it differs, times are not comparable */
};

struct tp_comparison {
	const struct tp_compare_wish *wish;
	struct tp_arena *arena;
	struct tp_doc *doc;
	struct tp_change *changes;
	size_t change_count;
	struct tp_fact *facts;
	size_t fact_count;
	struct tp_slice
		not_comparable; /* "the batch, the number of cores": in what they differ so that times cannot be compared; empty: they can */
};

/* Fills changes (changes.c) and facts (facts.c), the latter first. */
void tp_compare_facts(struct tp_comparison *c);
void tp_compare_metrics(struct tp_comparison *c);

/* The change of a metric; NULL: it is not in both. */
const struct tp_change *tp_change_of(const struct tp_comparison *c, const char *id);

/* The figures of the first screen, the most important first; of those with one label the first that both reports have. */
struct tp_headline {
	const char *id, *label;
};
extern const struct tp_headline tp_headlines[];
extern const size_t tp_headline_count;

/* That of the step's median, and of the peak of memory that the reports judge. */
const struct tp_change *tp_change_of_time(const struct tp_comparison *c);
const struct tp_change *tp_change_of_memory(const struct tp_comparison *c);

/* The parts of the document, in order. */
void tp_compare_summary(struct tp_comparison *c, struct tp_block *summary);
void tp_compare_present_time(struct tp_comparison *c, struct tp_block *summary);
void tp_compare_present_findings(struct tp_comparison *c, struct tp_compare_result *out);
void tp_compare_present_metrics(struct tp_comparison *c);
void tp_compare_present_rows(struct tp_comparison *c);
void tp_compare_present_facts(struct tp_comparison *c);

/* "+2.00 ms", "−4.1 %", "0": a difference as people read it, in the arena. */
struct tp_slice tp_signed_text(const struct tp_comparison *c, struct tp_value value);

/* How a verdict is marked and said, by direction: "slower", "more", "lower" … */
enum tp_judge tp_change_judge(enum tp_change_verdict verdict);
struct tp_slice tp_change_word(const struct tp_change *change);

#endif
