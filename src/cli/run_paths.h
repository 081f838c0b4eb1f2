/* With --run all each run has reports of its own: what they are called. */
#ifndef TP_CLI_RUN_PATHS_H
#define TP_CLI_RUN_PATHS_H

#include "base/slice.h"

struct tp_arena;
struct tp_outputs;
struct tp_session;

/* The path of each output of each run, no two the same: out->count of the first run, then those of the second … One run alone
 * gets the paths as they were given. */
const struct tp_slice *tp_run_paths(
	const struct tp_outputs *out, const struct tp_session *s, struct tp_arena *arena);

#endif
