/* What the parts of a comparison share. */
#ifndef TP_COMPARE_CONTEXT_H
#define TP_COMPARE_CONTEXT_H

#include "compare/compare.h"
#include "compare/noise.h"
#include "compare/signed.h"
#include "report/direction.h"
#include "report/doc.h"
#include "report/draft.h"
#include "report/headline.h"

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
	bool decides; /* times are not comparable for it */
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

/* A fact more, unless neither report tells it. blocks: what runs differ in where times are not comparable for it; NULL: they are. */
void tp_compare_add_fact(struct tp_comparison *c, struct tp_slice what, struct tp_slice a,
	struct tp_slice b, bool differs, const char *blocks);

/* Facts of what ran (programs.c). */
void tp_compare_program_facts(struct tp_comparison *c);

/* The fact of how many convolutions and the like a step takes, by two tables of operators (layers.c). */
void tp_compare_layers(struct tp_comparison *c, const struct tp_table *a, const struct tp_table *b);

/* Fills changes (changes.c) and facts (facts.c), the latter first. */
void tp_compare_facts(struct tp_comparison *c);
void tp_compare_metrics(struct tp_comparison *c);

/* The change of a metric; NULL: it is not in both. */
const struct tp_change *tp_change_of(const struct tp_comparison *c, const char *id);

/* That of the step's median, and of the peak of memory that the reports judge. */
const struct tp_change *tp_change_of_time(const struct tp_comparison *c);
const struct tp_change *tp_change_of_memory(const struct tp_comparison *c);

/* Why it is not known how much runs differ anyway, and what would tell. */
struct tp_slice tp_change_why_unknown(const struct tp_comparison *c);

/* Whether the runs were made on devices of two kinds. */
bool tp_compare_hardware_differs(const struct tp_comparison *c);

/* The parts of the document, in order. */
void tp_compare_summary(struct tp_comparison *c, struct tp_block *summary);
void tp_compare_present_time(struct tp_comparison *c, struct tp_block *summary);
void tp_compare_present_findings(struct tp_comparison *c, struct tp_compare_result *out);
void tp_compare_present_metrics(struct tp_comparison *c);
void tp_compare_present_time_rows(struct tp_comparison *c);
void tp_compare_present_memory_rows(struct tp_comparison *c);
void tp_compare_present_scopes(struct tp_comparison *c);
void tp_compare_present_facts(struct tp_comparison *c);

/* How a verdict is marked and said, by direction: "slower", "more", "lower" … */
enum tp_judge tp_change_judge(enum tp_change_verdict verdict);
struct tp_slice tp_change_word(const struct tp_change *change);

#endif
