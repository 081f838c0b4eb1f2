/* Telling reports from profiles by how they begin, and reading them. */
#include "cli/stored_input.h"

#include "base/arena.h"
#include "cli/merged.h"
#include "io/blob.h"
#include "io/list.h"
#include "io/peek.h"

static bool
begins(struct tp_slice head)
{
	return tp_stored_begins(head) || tp_is_rank_set(head);
}

size_t
tp_stored_inputs(const char *const *paths, size_t count, const struct tp_blob *from_stdin)
{
	struct tp_arena *arena = tp_arena_new();
	size_t reports = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_stdin = from_stdin != NULL && strcmp(paths[i], "-") == 0;
		struct tp_slice head = is_stdin ? tp_blob_bytes(from_stdin) : tp_peek(arena, paths[i]);

		head.len = head.len < TP_PEEK_BYTES ? head.len : TP_PEEK_BYTES;
		reports += begins(head);
		tp_arena_reset(arena);
	}
	tp_arena_free(arena);
	return reports;
}

/* A page or a PDF of another program begins likewise, and does not hold a report. */
static bool
is_report(const char *path)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_err err;
	bool is = begins(tp_peek(scratch, path)) &&
		tp_stored_input_read(path, NULL, TP_STORED_WHOLE, scratch, &err) != NULL;

	tp_arena_free(scratch);
	return is;
}

size_t
tp_stored_below(
	const char *const *paths, size_t count, struct tp_arena *arena, struct tp_slice *first)
{
	enum { MOST_LOOKED_AT = 100 };
	size_t reports = 0, looked_at = 0;

	for (size_t i = 0; i < count; i++) {
		struct tp_file_list list = {0};
		struct tp_err err;

		if (tp_list_files(arena, paths[i], &list, &err) != TP_OK)
			continue;
		for (size_t k = 0; k < list.count && looked_at++ < MOST_LOOKED_AT; k++) {
			bool is = is_report(list.paths[k].ptr);

			if (is && reports == 0)
				*first = list.paths[k];
			reports += is;
		}
	}
	return reports;
}

/* A set of ranks has no document yet: it is worked out. */
static struct tp_doc *
read_bytes(struct tp_slice bytes, const char *path, enum tp_stored_part part,
	struct tp_arena *arena, struct tp_err *err)
{
	return tp_is_rank_set(bytes) ? tp_merged_read(bytes, path, arena, err)
								 : tp_stored_read(bytes, path, part, arena, err);
}

struct tp_doc *
tp_stored_input_read(const char *path, const struct tp_blob *open, enum tp_stored_part part,
	struct tp_arena *arena, struct tp_err *err)
{
	if (open != NULL)
		return read_bytes(tp_arena_copy(arena, tp_blob_bytes(open)), path, part, arena, err);
	struct tp_blob *blob = tp_blob_open(path, err);

	if (blob == NULL)
		return NULL;
	struct tp_slice bytes = tp_arena_copy(arena, tp_blob_bytes(blob));

	tp_blob_close(blob);
	return read_bytes(bytes, path, part, arena, err);
}
