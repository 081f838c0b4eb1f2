/* The dump that a command is about: a file, or of a folder the one of the highest step. */
#ifndef TP_TFPROF_LOAD_H
#define TP_TFPROF_LOAD_H

#include "base/err.h"
#include "base/slice.h"

struct tp_arena;

/* "dir/profile_100" of "dir"; a file as it is. TP_ABSENT: the folder holds no file of such a name; TP_ERR_IO: it cannot be read. */
enum tp_status tp_tfprof_dump_path(
	const char *path, struct tp_arena *arena, struct tp_slice *dump, struct tp_err *err);

#endif
