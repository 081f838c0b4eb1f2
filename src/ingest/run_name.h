/* How runs of a log directory are called. */
#ifndef TP_INGEST_RUN_NAME_H
#define TP_INGEST_RUN_NAME_H

struct tp_arena;
struct tp_found;

/* Fills `shown` of each run: its name, or where others have that name too the end of its path that tells it from them,
 * "a/2026_11_21_02_41_41". */
void tp_name_runs(struct tp_arena *arena, struct tp_found *found);

#endif
