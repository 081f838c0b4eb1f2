/* The files of a command line of tfprof: a dump, or what one is made of. */
#ifndef TP_CLI_TFPROF_FILES_H
#define TP_CLI_TFPROF_FILES_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_tfprof;

/* Paths as they are given; NULL: none. run_meta: several with commas between. */
struct tp_tfprof_files {
	const char *profile, *graph, *run_meta, *op_log, *checkpoint;
};

/* What they are called, each with one dash or two; ended by NULL. */
extern const char *const tp_tfprof_path_options[];

/* Fills t, whose texts are of blobs (struct tp_blob *), which live as long and are the caller's to close, whatever comes back. */
enum tp_status tp_tfprof_files_read(const struct tp_tfprof_files *files, struct tp_arena *arena,
	struct tp_buf *blobs, struct tp_tfprof *t, struct tp_err *err);

/* The same of a dump for a command that needs no more of it than tp_tfprof_read_figures gives: less time and memory. */
enum tp_status tp_tfprof_files_read_figures(const struct tp_tfprof_files *files, int64_t step,
	bool types, struct tp_arena *arena, struct tp_tfprof *t, struct tp_err *err);

#endif
