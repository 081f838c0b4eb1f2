/* Files that no reader takes. */
#ifndef TP_INGEST_OTHERS_H
#define TP_INGEST_OTHERS_H

#include "base/slice.h"

struct tp_arena;
struct tp_found;

/* Why a file with this name is known but not read; NULL: its kind is not known. */
const char *tp_known_not_read(struct tp_slice name);

/* Puts these files, NUL-terminated paths, beside the runs of `out` in whose folders they lie, and tells their kinds in its
 * `saw` and `not_read`. */
void tp_name_others(
	struct tp_arena *arena, const struct tp_slice *paths, size_t count, struct tp_found *out);

#endif
