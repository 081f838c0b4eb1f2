/* The folder of a run that is being captured: it appears in a log directory whole or not at all. */
#ifndef TP_LIVE_RUN_FOLDER_H
#define TP_LIVE_RUN_FOLDER_H

#include "base/err.h"

#include <stdint.h>

struct tp_run_folder;
struct tp_sink;

/* A run of now, 2026_11_26_15_04_05, in logdir/plugins/profile; what of that is not there is made. NULL: in a folder of its own, which is
 * removed with it. One at a time. NULL and err when it cannot be made. */
struct tp_run_folder *tp_run_folder_open(const char *logdir, struct tp_err *err);

/* As profilers name them that write by themselves: the absolute path of plugins/profile, and the folder below it. */
const char *tp_run_folder_root(const struct tp_run_folder *f);
const char *tp_run_folder_session(const struct tp_run_folder *f);

/* A new file in it; an open one without a name, −1 and err: none; the size of one that is there, 0: none. Safe in any thread. */
struct tp_sink *tp_run_folder_file(struct tp_run_folder *f, const char *name, struct tp_err *err);
int tp_run_folder_spool(struct tp_run_folder *f, struct tp_err *err);
uint64_t tp_run_folder_size(const struct tp_run_folder *f, const char *name);

/* Removes all files in it. */
void tp_run_folder_clear(struct tp_run_folder *f);

/* Puts it in its place, and says where: valid until it is closed. NULL and err: that failed. */
const char *tp_run_folder_commit(struct tp_run_folder *f, struct tp_err *err);

/* Closes; without a commit before, nothing is left of it, and of one of its own neither after. NULL is allowed. */
void tp_run_folder_close(struct tp_run_folder *f);

#endif
