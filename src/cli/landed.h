/* Runs that land in a log directory while a job goes on. */
#ifndef TP_CLI_LANDED_H
#define TP_CLI_LANDED_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_session;

struct tp_landed_run {
	const char *name;         /* "2026_11_26_15_04_05" */
	const char *const *files; /* of the profile, NUL-terminated paths; valid as long as the arena */
	size_t file_count;
};

struct tp_landed {
	struct tp_buf known; /* struct known: runs, and of which state */
	bool begun;
};

/* The runs below a log directory that are new or have changed since the last call with take, oldest first; the first time only the newest.
 * by_clock: a run must look the same twice. Files of the job, not of a profile, are passed over. */
size_t tp_landed_look(struct tp_landed *l, const char *logdir, bool by_clock,
	struct tp_landed_run **runs, struct tp_arena *arena);

void tp_landed_free(struct tp_landed *l);

/* Whether a file of a profile was cut off or damaged when it was read: then the run is not complete. */
bool tp_landed_in_part(const struct tp_session *s);

#endif
