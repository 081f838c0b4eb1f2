/* What lies under the paths that were given: runs, and the files of each. */
#ifndef TP_INGEST_DISCOVER_H
#define TP_INGEST_DISCOVER_H

#include "base/err.h"
#include "base/slice.h"

struct tp_arena;
struct tp_blob;
struct tp_list_gap;
struct tp_reader;

struct tp_run_file {
	struct tp_slice path; /* NUL-terminated */
	struct tp_slice host; /* from the file's name: "vm" of "vm.xplane.pb" */
	const struct tp_reader *reader;
	unsigned span_number; /* of PyTorch traces (ingest/choose.h); 0: none */
	bool left_out;        /* by the user's choice */
	bool guessed;         /* neither name nor content tell what it is: somebody named it */
	/* of standard input, which can be read only once: its bytes, which the loader takes; NULL: it is to be opened */
	struct tp_blob **held;
	struct tp_run_file *next;
};

/* A file of a profiler that is known but not read. */
struct tp_run_other {
	struct tp_slice path; /* NUL-terminated */
	const char *why;
	struct tp_run_other *next;
};

struct tp_run {
	/* Of its folder, "2026_11_21_02_41_41"; folders merged into it have other names. */
	struct tp_slice name;
	/* The name, or what tells it from others of that name (ingest/run_name.h). */
	struct tp_slice shown;
	struct tp_slice job;    /* of the log directory, "jax_cnn" */
	struct tp_slice folder; /* its path */
	/* Names of folders written within two seconds, taken as the same run; else empty. */
	struct tp_slice merged;
	struct tp_run_file *files, *last_file;
	const struct tp_reader *profiler; /* of its XLA profiles or PyTorch traces; NULL: it has none */
	unsigned file_count;
	struct tp_run_other *others, *last_other; /* beside them, in the same folder */
	const struct tp_list_gap *gaps;           /* of the search that found it (io/list.h) */
	size_t gap_count;
	/* "worker rank0 of 4, span 2 of 3" where not all of it is read; else empty. */
	struct tp_slice chosen;
};

/* Files of a known kind that no reader takes. */
struct tp_not_read {
	struct tp_slice first; /* its path */
	size_t count;
	const char *why;
	struct tp_not_read *next;
};

struct tp_found {
	struct tp_run *runs; /* oldest first (ingest/run_time.h) */
	size_t run_count;
	struct tp_slice searched; /* "37 files in 5 directories" */
	struct tp_slice saw; /* the commonest kinds of other files: "12 *.py, 3 *.log"; may be empty */
	struct tp_not_read *not_read;   /* known kinds among them; NULL: none */
	const struct tp_list_gap *gaps; /* what could not be looked at */
	size_t gap_count;
};

/* Looks below all paths ("-" is standard input). TP_ABSENT, with out filled, when no reader knows any file; TP_ERR_IO
 * when a path cannot be opened at all. Files that are named one by one are one run. */
enum tp_status tp_discover(struct tp_arena *arena, const char *const *paths, size_t path_count,
	struct tp_found *out, struct tp_err *err);

#endif
