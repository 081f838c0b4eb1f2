/* How runs of a log directory are called and asked for. */
#ifndef TP_INGEST_RUN_NAME_H
#define TP_INGEST_RUN_NAME_H

#include "base/slice.h"

#include <stddef.h>

struct tp_arena;
struct tp_found;
struct tp_run;

/* Fills `shown` of each run: its name, or where others have that name too the end of its path that tells it from them,
 * "a/2026_11_21_02_41_41". */
void tp_name_runs(struct tp_arena *arena, struct tp_found *found);

/* The runs that a wish means: those of that name, else those whose path ends so, else the one of that number, counted from the
 * newest. Puts their indices into `out`, which has room for all runs, oldest first; returns how many there are. */
size_t tp_runs_meant(const struct tp_found *found, const char *wish, size_t *out);

/* "2 XLA profiles, 1 event file": what it was made of. */
struct tp_slice tp_run_kinds(struct tp_arena *arena, const struct tp_run *run);

#endif
