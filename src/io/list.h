/* Walking directories. */
#ifndef TP_IO_LIST_H
#define TP_IO_LIST_H

#include "base/err.h"
#include "base/slice.h"

struct tp_arena;

struct tp_file_list {
	struct tp_slice *paths; /* regular files, sorted bytewise, NUL-terminated */
	size_t count;
	size_t directories; /* walked, the first included */
	size_t unreadable;  /* directories or entries that could not be looked at */
	bool cut;           /* stopped at a limit */
};

/* All files below path, which may be a file itself (then just that). Links are followed, loops are not. */
enum tp_status tp_list_files(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err);

#endif
