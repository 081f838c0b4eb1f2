/* A file of a run on its way into the profile: opened, its reader told by what it holds, and where the reader can do that without the
 * profile, read. Any number of them side by side. */
#ifndef TP_INGEST_COMING_H
#define TP_INGEST_COMING_H

#include "base/err.h"
#include "base/pool.h"
#include "ingest/reader.h"

#include <stdbool.h>

struct tp_blob;
struct tp_builder;
struct tp_choice;
struct tp_load_watch;
struct tp_run_file;

struct tp_coming {
	struct tp_task task;
	const struct tp_run_file *file;
	const struct tp_choice *choice;
	struct tp_pool *pool;
	struct tp_err err;       /* status TP_OK: none */
	struct tp_blob *blob;    /* NULL: of no use, by err, or not wanted */
	bool damaged;            /* as soon as it was opened */
	struct tp_source source; /* its input is not known yet */
	void *taken;             /* of readers that take; NULL: not_taken says why */
	struct tp_err not_taken;
	const struct tp_load_watch *watch; /* NULL: nobody wants to know that it came */
	bool borrowed;                     /* blob and taken are another's */
};

/* The task of a tp_coming, which `with` is: in any thread. */
void tp_come(void *with);

/* What was read goes into the profile, or the file is read into it. */
enum tp_status tp_coming_put(struct tp_coming *c, struct tp_builder *b, struct tp_err *err);

/* Gives back the file and what was read of it. */
void tp_coming_drop(struct tp_coming *c);

#endif
