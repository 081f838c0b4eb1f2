/* Paths on the command line that are reports of tpreport. */
#ifndef TP_CLI_STORED_INPUT_H
#define TP_CLI_STORED_INPUT_H

#include "base/err.h"

#include <stddef.h>

struct tp_arena;
struct tp_doc;

/* How many of the paths begin as a report does. */
size_t tp_stored_inputs(const char *const *paths, size_t count);

/* The report at path, which lives as long as the arena; as tp_stored_read. */
struct tp_doc *tp_stored_input_read(const char *path, struct tp_arena *arena, struct tp_err *err);

#endif
