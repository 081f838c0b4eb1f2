/* When runs were taken: which of a log directory is the newest. */
#ifndef TP_INGEST_RUN_TIME_H
#define TP_INGEST_RUN_TIME_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_run;

/* When a folder named 2026_11_21_02_41_41 was made, by the clock of the profiler that named it. */
struct tp_folder_time {
	bool known; /* not for other names */
	int64_t s;
};

struct tp_folder_time tp_folder_time_of(struct tp_slice name);

/* Sorts runs, oldest first. A run's time is that of its newest file as the file itself says it; where none does, that of
 * its folder's name. Those of which neither is known come first, by the newest file's time of change: what is empty or damaged
 * never hides a run that is not. Equal ones stay in their order. */
void tp_runs_by_time(struct tp_run *runs, size_t count);

#endif
