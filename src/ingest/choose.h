/* Which files of a run are read: all, or those that the user chose. */
#ifndef TP_INGEST_CHOOSE_H
#define TP_INGEST_CHOOSE_H

#include "base/err.h"
#include "base/slice.h"

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

/* Hosts that left XLA profiles in the run, chosen or not, by the names of their files. */
size_t tp_run_hosts(const struct tp_run *run);

/* What a run of PyTorch can be looked at by: a worker, a span, a span of a worker. */
struct tp_part {
	struct tp_slice worker; /* NUL-terminated; ptr NULL: all */
	unsigned span_number;   /* 0: all */
};

struct tp_parts {
	/* workers first, rank2 before rank10, then spans of all workers, then of one */
	const struct tp_part *parts;
	size_t count;
	size_t workers, most_spans; /* of the run; of one worker */
};

/* The parts of a run as tp_choose_files left it that are less than the whole of it. Workers are told apart by their names
 * alone. Memory from arena. */
struct tp_parts tp_parts_of(const struct tp_run *run, struct tp_arena *arena);

#endif
