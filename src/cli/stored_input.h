/* Paths on the command line that are reports of tpreport. */
#ifndef TP_CLI_STORED_INPUT_H
#define TP_CLI_STORED_INPUT_H

#include "base/err.h"
#include "base/slice.h"
#include "stored/stored.h"

#include <stddef.h>

struct tp_arena;
struct tp_blob;
struct tp_doc;

/* How many of the paths begin as a report does. from_stdin: what "-" holds; NULL: none of them is that. */
size_t tp_stored_inputs(const char *const *paths, size_t count, const struct tp_blob *from_stdin);

/* How many reports lie below the paths, of the first files that begin as one does; the first is put into arena. */
size_t tp_stored_below(
	const char *const *paths, size_t count, struct tp_arena *arena, struct tp_slice *first);

/* The report at path, or in the blob where that is open already; it lives as long as the arena; as tp_stored_read. */
struct tp_doc *tp_stored_input_read(const char *path, const struct tp_blob *open,
	enum tp_stored_part part, struct tp_arena *arena, struct tp_err *err);

#endif
