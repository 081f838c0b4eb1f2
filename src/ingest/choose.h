/* Which files of a run are read: all, or those that the user chose. */
#ifndef TP_INGEST_CHOOSE_H
#define TP_INGEST_CHOOSE_H

#include "base/err.h"

#include <stddef.h>

struct tp_arena;
struct tp_run;

/* What of a run is wanted; nothing named: all. */
struct tp_choice {
	const char *const *hosts; /* by file name or as the profile says */
	size_t host_count;
	const char *const *workers; /* of PyTorch traces */
	size_t worker_count;
	/* of PyTorch traces: number within its worker, or as the file is named; "all"; NULL: all */
	const char *span;
	unsigned span_number; /* likewise, the number alone; 0: as `span` says */
};

/* A copy of the run with the files that the choice leaves: workers and spans are chosen here, by the names of files (hosts
 * when files are read). Spans get their numbers, those of all of the run. TP_ERR_USAGE when a worker or span is not there,
 * with those that are. Files that are no PyTorch traces are left out as soon as a worker or span is chosen. */
enum tp_status tp_choose_files(const struct tp_run *run, const struct tp_choice *choice,
	struct tp_arena *arena, struct tp_run *out, struct tp_err *err);

#endif
