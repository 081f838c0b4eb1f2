/* Two reports compared: what differs, whether it is more than noise, and where the time went. */
#ifndef TP_COMPARE_COMPARE_H
#define TP_COMPARE_COMPARE_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_doc;

struct tp_compare_wish {
	const struct tp_doc *a, *b;
	struct tp_slice a_path, b_path; /* as they were given */
	/* earlier runs of the same program, a not among them; with it three make run-to-run noise known */
	const struct tp_doc *const *baselines;
	size_t baseline_count;
	size_t counted_already, incomparable; /* of those given, left out by tp_baselines_settle */
	double level;                         /* of intervals: 0.99 */
	double floor; /* a change up to this share is none, where no noise is known; NaN: nobody said */
	size_t top;   /* rows that stand open */
};

/* What became of a figure from A to B. */
enum tp_change_verdict {
	TP_CHANGE_SAME,
	TP_CHANGE_BETTER,
	TP_CHANGE_WORSE,
	TP_CHANGE_OTHER,     /* changed, for neither better nor worse */
	TP_CHANGE_UNDECIDED, /* it differs, and how much is noise is not known or lies across the edge */
};

struct tp_compare_result {
	struct tp_doc *doc;
	enum tp_change_verdict time,
		memory; /* of the step and of the peak; SAME where there is none of it */
	bool has_time, has_memory;
	bool has_findings;   /* B was checked at all */
	size_t new_findings; /* open in B and not in A */
	/* of each what happened, or why it cannot be judged, on one line: "step time 48.7 ms, 50.7 ms in B (+4.1 %); decided by 4 runs" */
	struct tp_slice time_said, memory_said, findings_said;
};

/* Whether two reports are of one run, whatever their form. */
bool tp_is_same_run(const struct tp_doc *a, const struct tp_doc *b);

/* Leaves out of the baselines what says nothing of the noise between runs: those that are the same run as A, B or another, and those that
 * cannot be compared with A (facts.c). */
void tp_baselines_settle(struct tp_compare_wish *wish, struct tp_arena *arena);

/* The comparison as a document, with all of it in arena; it shares texts with the documents that are compared. */
struct tp_compare_result tp_compare(const struct tp_compare_wish *wish, struct tp_arena *arena);

#endif
