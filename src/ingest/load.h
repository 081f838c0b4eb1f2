/* Loading a run: every file through its reader into one profile. */
#ifndef TP_INGEST_LOAD_H
#define TP_INGEST_LOAD_H

#include "base/err.h"
#include "base/slice.h"

#include <stddef.h>

struct tp_arena;
struct tp_choice;
struct tp_profile;
struct tp_run;

/* Told before each file is read. */
struct tp_load_watch {
	void (*file)(void *with, const char *path, unsigned number, unsigned count);
	void *with;
};

/* A profile together with the files that it points into. */
struct tp_loaded;

/* Reads the files of run that the choice leaves. Files that cannot be used at all are told in the profile's diagnostics;
 * when none can, NULL and the err of the first. The profile is valid until tp_loaded_close. */
struct tp_loaded *tp_load_run(const struct tp_run *run, const struct tp_choice *choice,
	const struct tp_load_watch *watch, struct tp_arena *arena, struct tp_err *err);

struct tp_profile *tp_loaded_profile(const struct tp_loaded *l);

void tp_loaded_close(struct tp_loaded *l); /* NULL is allowed */

#endif
