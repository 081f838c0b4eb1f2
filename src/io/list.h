/* Walking directories. */
#ifndef TP_IO_LIST_H
#define TP_IO_LIST_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

/* A directory or another entry that could not be looked at, or not to its end. */
struct tp_list_gap {
	struct tp_slice path; /* NUL-terminated */
	struct tp_slice why;  /* "Permission denied" */
	bool dangling;        /* a link that leads nowhere: nothing is lost with it */
};

struct tp_file_list {
	struct tp_slice *paths; /* regular files, sorted bytewise, NUL-terminated */
	size_t count;
	size_t directories; /* walked, the first included */
	struct tp_list_gap *gaps;
	size_t gap_count;
};

/* What a path leads to, here or at an address (io/remote.h). */
enum tp_place { TP_PLACE_NONE, TP_PLACE_FILE, TP_PLACE_FOLDER };

/* TP_PLACE_FILE for everything that is no folder. NONE, with err, where nothing is. */
enum tp_place tp_place_of(const char *path, struct tp_err *err);

struct tp_file_facts {
	uint64_t size_bytes;
	int64_t modified_unix_ns; /* 0: not known */
};

/* False where they are not known. */
bool tp_file_facts(const char *path, struct tp_file_facts *out);

/* How the names of folders begin that tpreport is still writing: they are passed over. */
#define TP_UNDER_WAY ".tpreport-"

/* All files below path, which may be a file itself (then just that). Links are followed, loops are not. */
enum tp_status tp_list_files(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err);

#endif
