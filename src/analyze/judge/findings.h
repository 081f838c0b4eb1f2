/* Findings: a table of rules, each checked against what the other passes measured. */
#ifndef TP_ANALYZE_FINDINGS_H
#define TP_ANALYZE_FINDINGS_H

#include "analyze/core/ctx.h"
#include "analyze/core/limits.h"
#include "report/doc.h"

/* What a rule is about: printed in the section on method. */
struct tp_rule_info {
	const char *id;       /* "TPR-INPUT-001" */
	const char *name;     /* "Waiting for input" */
	const char *share_of; /* what it measures is a share of this, in words */
	double high, medium;  /* from these on a finding; high NaN: never high */
	bool below;           /* a finding when the measured value is below instead */
	enum tp_hue hue;
};

struct tp_finding_rule;

/* An evaluated rule: figures only; its words are made when a document is written. */
struct tp_finding_result {
	const struct tp_finding_rule *rule;
	/* As the rule says it, or as evaluate() puts it instead. */
	const char *name, *title, *passed;
	size_t order;            /* of the rule */
	struct tp_limits limits; /* the rule's, or the user's */
	enum tp_finding_status status;
	enum tp_judge severity;
	double measured; /* NaN: not known */
	double mean; /* the same of the mean step, as the bar of classes draws it; NaN: measured is */
	double told; /* the one of these that is told: measured where cores differ */
	double saving_ps; /* at most, a step; NaN: cannot be bounded */
	double whole_ps;  /* what the saving is of, where that is no step; NaN: a step */
	/* what it is ordered by: the saving, also where that would be a whole step; NaN: unknown */
	double weight_ps;
	/* that it saves at most, where that is no time: those are ordered by it; 0: none */
	int64_t memory_bytes;
	/* number, from 1, of an open one before it that is about the same time, or some of it; 0: none */
	size_t shares_with;
	const struct tp_finding_rule *shared; /* its rule; NULL: none */
	bool shares_saving;                   /* that one has a saving: the two do not add up */
	bool within;                          /* the rule says that all it saves is of that one's */
	bool is_part;                         /* an open one tells the same on the whole */
	bool note;                            /* open, but no problem of its own: told last, as low */
	struct tp_slice reason;               /* why it does not apply or is undecided */
};

struct tp_findings {
	/* open ones first, by severity, then by what they save at most; then notes */
	struct tp_finding_result *results;
	size_t count, open, notes, passed, not_applicable, undecided; /* open: without notes */
};

/* struct tp_findings */
extern const struct tp_pass tp_pass_findings;

enum { TP_UNEVEN_STEPS = 10 }; /* of fewer no spread can be told */

/* The rules in order; NULL behind the last. */
const struct tp_finding_rule *tp_rule_at(size_t index);

/* What a rule came to; NULL: it is not about this profile, or there is none of this id. */
const struct tp_finding_result *tp_finding_of(const struct tp_pass_ctx *ctx, const char *id);

/* How what it measures is judged: by its severity where it is open, GOOD where it passed, else NONE. r may be NULL. */
enum tp_judge tp_finding_judge(const struct tp_finding_result *r);

/* Judges a tile as a check is judged, by the check's id; gives the word for that: of words the one for a high finding, a medium
 * one, or a check that passed; empty where the check says nothing. */
struct tp_value tp_tile_judge(const struct tp_pass_ctx *ctx, const char *rule,
	const char *const words[static 3], struct tp_tile *t);

/* The findings in words, in the order of results; made in doc's arena. */
const struct tp_finding *tp_findings_texts(
	const struct tp_pass_ctx *ctx, const struct tp_findings *f, struct tp_doc *doc);

void tp_findings_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
