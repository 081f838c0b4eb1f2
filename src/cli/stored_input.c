/* Telling reports from profiles by how they begin, and reading them. */
#include "cli/stored_input.h"

#include "base/arena.h"
#include "io/blob.h"
#include "io/peek.h"
#include "stored/stored.h"

size_t
tp_stored_inputs(const char *const *paths, size_t count)
{
	struct tp_arena *arena = tp_arena_new();
	size_t reports = 0;

	for (size_t i = 0; i < count; i++) {
		reports += tp_stored_begins(tp_peek(arena, paths[i]));
		tp_arena_reset(arena);
	}
	tp_arena_free(arena);
	return reports;
}

struct tp_doc *
tp_stored_input_read(const char *path, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_blob *blob = tp_blob_open(path, err);

	if (blob == NULL)
		return NULL;
	struct tp_slice bytes = tp_arena_copy(arena, tp_blob_bytes(blob));

	tp_blob_close(blob);
	return tp_stored_read(bytes, path, arena, err);
}
