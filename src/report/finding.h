/* A finding: a check of the profile, whatever came of it. */
#ifndef TP_REPORT_FINDING_H
#define TP_REPORT_FINDING_H

#include "base/number.h"
#include "base/slice.h"
#include "report/judge.h"
#include "report/text.h"

enum tp_finding_status {
	TP_FINDING_OPEN,
	TP_FINDING_PASSED,
	TP_FINDING_NOT_APPLICABLE,
	TP_FINDING_UNDECIDED
};

/* What we saw → why it matters → do this → check. Passed checks are findings too. */
struct tp_finding {
	struct tp_slice id; /* "TPR-INPUT-001" */
	enum tp_finding_status status;
	enum tp_judge severity; /* OPEN: BAD high, WARN medium, NONE low */
	struct tp_slice name;   /* the check in a few words: "Waiting for input" */
	/* OPEN: one sentence with its number; else why it passed, does not apply or is undecided */
	struct tp_text title;
	struct tp_text brief; /* OPEN: one line of what to do */
	struct tp_text saw, matters;
	const struct tp_text *actions; /* 1–3 concrete steps */
	size_t action_count;
	struct tp_text check;    /* which metric should move, and where to */
	struct tp_text evidence; /* links */
	struct tp_value measured, limit;
	/* at most, a step (ms), or memory (bytes); MISSING with the reason when it cannot be bounded */
	struct tp_value saving;
	struct tp_slice saving_note; /* "a step", "a step, after 1", "of memory" */
	bool saving_needed;          /* so much has to be saved; else it is the most that can be */
	enum tp_hue hue;             /* of the class of time that it would save; NONE: of several */
	int tint; /* 0, or TP_TINT_UNUSED, TP_TINT_UNRECORDED, where that part of the class is meant */
};

struct tp_block;

/* "saves at most", "must save": before the saving. */
const char *tp_finding_saves(const struct tp_finding *f);

/* The last of the findings from this one on that passed, do not apply or are undecided for the same reason, which is said once;
 * the block itself where it is none of these. */
const struct tp_block *tp_finding_last_alike(const struct tp_block *block);

#endif
