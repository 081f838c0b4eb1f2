/* Files of settings and tokens. */
#ifndef TP_IO_SMALL_FILE_H
#define TP_IO_SMALL_FILE_H

#include "base/slice.h"

#include <stdbool.h>

struct tp_arena;

/* What a file holds, up to 1 MiB, in arena; empty: it cannot be read. */
struct tp_slice tp_small_file(struct tp_arena *arena, const char *path);

/* The first line of it, without blanks around. */
struct tp_slice tp_small_line(struct tp_arena *arena, const char *path);

/* Writes it anew for its owner alone, whole or not at all. False: it is as it was. */
bool tp_small_file_write(struct tp_arena *arena, const char *path, struct tp_slice text);

#endif
