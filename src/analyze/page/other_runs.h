/* The other runs of a log directory, which this report is not about. */
#ifndef TP_ANALYZE_OTHER_RUNS_H
#define TP_ANALYZE_OTHER_RUNS_H

#include "base/slice.h"

struct tp_other_run {
	struct tp_slice name;  /* as --run takes it */
	struct tp_slice holds; /* "2 XLA profiles, 1 event file" */
	size_t number;         /* likewise, counted from the newest */
};

struct tp_other_runs {
	const struct tp_other_run *runs; /* newest first; those that a page should hold */
	size_t count;
	size_t all;    /* runs of the log directory, this one among them */
	size_t number; /* of this one */
};

#endif
