/* A budget: limits of metrics, and findings that must not occur. It is read from JSON (templates/budget.schema.json), judged over a report,
 * and proposed from good runs. */
#ifndef TP_COMPARE_BUDGET_H
#define TP_COMPARE_BUDGET_H

#include "base/err.h"
#include "base/number.h"
#include "base/slice.h"
#include "compare/compare.h"

struct tp_arena;

/* What there is to be limited. */
struct tp_budget_known {
	const struct tp_doc *doc; /* of an empty profile: all metrics, each missing */
	const struct tp_slice *findings;
	size_t finding_count;
};

/* How far a metric may move from the baseline: a share of it, or an amount in the limit's unit. */
struct tp_budget_step {
	double amount; /* NaN: no limit */
	bool is_share;
};

/* What a limit that cannot be judged counts as. */
enum tp_missing { TP_MISSING_STAYS, TP_MISSING_PASSES, TP_MISSING_FAILS };

/* "pass" or "fail"; false for other words. */
bool tp_missing_read(const char *word, enum tp_missing *out);

struct tp_budget_limit {
	struct tp_slice id;
	enum tp_unit unit; /* of max, min and amounts; NONE: that of the metric */
	double max, min;   /* NaN: no limit */
	struct tp_budget_step increase, decrease;
	enum tp_missing missing;
};

/* Findings that must not occur. */
struct tp_budget_forbidden {
	struct tp_slice pattern; /* an id with * for anything, or "severity:high" */
	enum tp_missing missing;
};

struct tp_budget {
	struct tp_slice name; /* empty: it has none */
	struct tp_budget_limit *limits;
	size_t limit_count;
	struct tp_budget_forbidden *forbidden;
	size_t forbidden_count;
};

/* The budget in a JSON text. NULL and err (USAGE, with what to write instead) when it is none. */
struct tp_budget *tp_budget_read(struct tp_slice json, const char *name,
	const struct tp_budget_known *known, struct tp_arena *arena, struct tp_err *err);

enum tp_budget_status { TP_BUDGET_OUTSIDE, TP_BUDGET_NOT_JUDGED, TP_BUDGET_WITHIN };

/* One limit as it was judged: texts are as people read them, empty where there is nothing to say. */
struct tp_budget_item {
	bool is_finding;
	struct tp_slice id, label;
	struct tp_value base_value, value; /* missing: there is none */
	struct tp_slice base, now, change, limit;
	enum tp_budget_status status;
	enum tp_missing missing; /* of one that cannot be judged: what it counts as */
	struct tp_slice why;     /* not within: why; within: how much could be noise */
};

struct tp_budget_result {
	struct tp_budget_item *items; /* those outside first, then those that cannot be judged */
	size_t count, outside, not_judged;
	size_t passed, failed;          /* of those not judged: that count as within, as outside */
	struct tp_slice not_comparable; /* why; empty: the runs are, or there is no baseline */
};

/* Judges wish->b; wish->a may be NULL where there is no baseline. What decides: a metric within its limits is within. One that went further from
 * the baseline than it may is outside where the noise between baselines, or the floor, does not explain that, and else cannot be judged. What
 * cannot be judged counts as the budget says of it, and else as `missing`. */
void tp_budget_judge(const struct tp_budget *budget, const struct tp_compare_wish *wish,
	enum tp_missing missing, struct tp_arena *arena, struct tp_budget_result *out);

/* A limit for each headline metric that all of these reports have: the worst of them and the margin, a share. */
struct tp_budget *tp_budget_propose(
	const struct tp_doc *const *docs, size_t count, double margin, struct tp_arena *arena);

#endif
