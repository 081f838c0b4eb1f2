/* A folder of files that appears whole or not at all. */
#ifndef TP_IO_FOLDER_H
#define TP_IO_FOLDER_H

#include "base/err.h"
#include "base/slice.h"

struct tp_folder;
struct tp_sink;

/* Makes a folder beside path, which takes its place with tp_folder_commit; of an address one of this machine, whose files that sends. An empty folder that is there already is replaced, and one that
 * was written so: it holds a list of its files and no other. NULL and err where there is something else, or nothing can be made. */
struct tp_folder *tp_folder_open(const char *path, struct tp_err *err);

/* A new file in it, for tp_sink_commit and tp_sink_close before the next. NULL and err when it cannot be made. */
struct tp_sink *tp_folder_file(struct tp_folder *f, const char *name, struct tp_err *err);

/* Shows each file that was written so far, whole; `name` is its path under the folder's. */
enum tp_status tp_folder_each(struct tp_folder *f,
	void (*see)(void *with, const char *name, struct tp_slice bytes), void *with,
	struct tp_err *err);

/* Puts the folder in its place. TP_ERR_IO when that fails; then what was there is as it was, or, of an address, is gone as far as it was
 * replaced: a store has no folders that take their place at once. */
enum tp_status tp_folder_commit(struct tp_folder *f, struct tp_err *err);

/* Closes; without a commit before, nothing is left. NULL is allowed. */
void tp_folder_close(struct tp_folder *f);

#endif
