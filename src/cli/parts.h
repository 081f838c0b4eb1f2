/* The report of a run whose traces do not fit into memory together: each is read by itself, and its summary stands for it. */
#ifndef TP_CLI_PARTS_H
#define TP_CLI_PARTS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_args;
struct tp_arena;
struct tp_doc;
struct tp_pass_options;
struct tp_progress;
struct tp_run;
struct tp_run_file;

/* Whether the file is a trace that has a summary of its own. */
bool tp_parts_is_one(const struct tp_run_file *f);

/* Traces of the run that have a summary of their own. Fewer than two: nothing is won by reading them one by one. */
size_t tp_parts_count(const struct tp_run *run);

/* Whether the traces surely need more memory than the limit allows, by the sizes of their files, so that none is read in vain. */
bool tp_parts_are_needed(const struct tp_run *run);

/* How many of them the limit surely suffices for at the same time, by the largest; at least 1. */
unsigned tp_parts_beside(const struct tp_run *run, unsigned most);

/* Reads the files that `run` has, each by itself, and reports on their summaries; other files of it are left out. Warnings of what was
 * damaged are in the report; *partial: there are some. Memory from arena. NULL and err: no trace is of use. */
struct tp_doc *tp_parts_doc(const struct tp_run *run, const struct tp_args *args,
	const struct tp_pass_options *options, struct tp_progress *progress, struct tp_arena *arena,
	bool *partial, struct tp_err *err);

#endif
