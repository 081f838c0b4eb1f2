/* Loading a run: every file through its reader into one profile. */
#ifndef TP_INGEST_LOAD_H
#define TP_INGEST_LOAD_H

#include "base/err.h"
#include "base/slice.h"

#include <stddef.h>

struct tp_arena;
struct tp_choice;
struct tp_pool;
struct tp_profile;
struct tp_run;

/* A file that was read and is not in the profile yet. */
struct tp_coming;

struct tp_load_watch {
	/* Told before each file is read. */
	void (*file)(void *with, const char *path, unsigned number, unsigned count);
	/* Told once a file was read, where its reader can do that without the profile: it may be looked at alone until this returns
	 * (tp_load_coming). In any thread, several at a time. May be NULL. */
	void (*came)(void *with, const char *path, const struct tp_coming *coming);
	void *with;
};

/* A profile together with the files that it points into. */
struct tp_loaded;

/* Reads the files of run that the choice leaves, with the threads of the pool (NULL: none); what comes of it is the same however many
 * there are. Files that cannot be used at all are told in the profile's diagnostics;
 * when none can, NULL and the err of the first. The profile is valid until tp_loaded_close. */
struct tp_loaded *tp_load_run(const struct tp_run *run, const struct tp_choice *choice,
	const struct tp_load_watch *watch, struct tp_pool *pool, struct tp_arena *arena,
	struct tp_err *err);

/* The same of a choice that leaves one file, which is this one: it is not read again. The profile must be closed before the call that
 * gave it returns. */
struct tp_loaded *tp_load_coming(const struct tp_coming *coming, const struct tp_run *run,
	const struct tp_choice *choice, struct tp_pool *pool, struct tp_arena *arena,
	struct tp_err *err);

struct tp_profile *tp_loaded_profile(const struct tp_loaded *l);

void tp_loaded_close(struct tp_loaded *l); /* NULL is allowed */

#endif
