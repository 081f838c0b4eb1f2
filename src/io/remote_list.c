/* Listings, page by page. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "io/http.h"
#include "io/remote.h"
#include "io/remote_object.h"

#include <stdlib.h>

enum { PAGE_KEYS = 1000, MOST_FILES = 1000000 };

struct listing {
	struct tp_bucket *bucket;
	struct tp_arena *arena; /* for the paths */
	struct tp_buf found;    /* of struct tp_slice */
	bool full;
};

/* Markers of folders, which some programs make, are no files. */
static void
see(void *with, const struct tp_object_seen *seen)
{
	struct listing *l = with;

	if (seen->key.len == 0 || seen->key.ptr[seen->key.len - 1] == '/')
		return;
	l->full |= l->found.count == MOST_FILES;
	if (l->full)
		return;
	struct tp_slice path =
		tp_arena_printf(l->arena, "%.*s/%.*s", TP_ARG(l->bucket->address), TP_ARG(seen->key));

	tp_object_add(l->bucket, path, seen);
	*tp_buf_new(&l->found, struct tp_slice) = path;
}

static enum tp_status
list_pages(struct listing *l, struct tp_slice prefix, const char *shown, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new(), *other = tp_arena_new();
	struct tp_http_reply reply = {0};
	struct tp_page page = {.see = see, .with = l};
	enum tp_status status;

	do {
		struct tp_ask ask = {.op = TP_STORE_LIST,
			.key = prefix,
			.page = page.next,
			.page_keys = PAGE_KEYS,
			.fd = -1};

		status = tp_store_ask(l->bucket, &ask, shown, &reply, err);
		page.next = (struct tp_slice){"", 0};
		/* The name of the next page lives in the arena of the one before. */
		struct tp_arena *swap = arena;

		arena = other;
		other = swap;
		tp_arena_reset(arena);
		if (status == TP_OK)
			status = l->bucket->store->page(l->bucket, tp_http_body(&reply), arena, &page, err);
	} while (status == TP_OK && page.next.len != 0 && !l->full);
	tp_http_free(&reply);
	tp_arena_free(arena);
	tp_arena_free(other);
	return status;
}

static enum tp_status
fail_without_any(const struct tp_object *o, const char *path, struct tp_err *err)
{
	if (o->why_not.status != TP_OK && o->why_not.status != TP_ABSENT) {
		*err = o->why_not;
		return err->status;
	}
	return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET,
		"not found: there is no object of this name, and none below it");
}

TP_ORDER(by_path, struct tp_slice, tp_slice_cmp(*a, *b));

static void
settle(struct listing *l, struct tp_file_list *out)
{
	out->count = l->found.count;
	out->paths = tp_buf_settle(&l->found, sizeof *out->paths, l->arena);
	if (out->count != 0)
		qsort(out->paths, out->count, sizeof *out->paths, by_path);
}

static struct tp_slice
prefix_of(struct tp_arena *arena, const struct tp_object *o)
{
	return o->key.len != 0 ? tp_arena_printf(arena, "%.*s/", TP_ARG(o->key)) : TP_S("");
}

enum tp_status
tp_remote_below(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err)
{
	struct tp_object *o = tp_object_of(path);
	struct listing l = {.bucket = o->bucket, .arena = arena};

	*out = (struct tp_file_list){.directories = true};
	if (o->bucket == NULL || !o->bucket->store->lists)
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, path, TP_NO_OFFSET,
			"no folder of files can be written there: write it here, then copy it");
	enum tp_status status = list_pages(&l, prefix_of(arena, o), path, err);

	settle(&l, out);
	return status;
}

enum tp_status
tp_remote_list(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err)
{
	struct tp_object *o = tp_object_of(path);
	struct listing l = {.bucket = o->bucket, .arena = arena};
	enum tp_place place = tp_remote_place(path, err);
	enum tp_status status = place == TP_PLACE_NONE ? err->status : TP_OK;

	*out = (struct tp_file_list){.directories = place == TP_PLACE_FOLDER};
	if (place == TP_PLACE_FILE)
		*tp_buf_new(&l.found, struct tp_slice) = o->path;
	else if (place == TP_PLACE_FOLDER)
		status = list_pages(&l, prefix_of(arena, o), path, err);
	if (status == TP_OK && l.found.count == 0)
		status = fail_without_any(o, path, err);
	if (status == TP_ABSENT) /* for who searches that means: files, but none to read */
		status = err->status = TP_ERR_IO;
	if (l.full) {
		out->gaps = tp_new(arena, struct tp_list_gap);
		out->gaps->path = o->path;
		out->gaps->why = tp_arena_printf(arena, "limit of %d files reached", MOST_FILES);
		out->gap_count = 1;
	}
	settle(&l, out);
	return status;
}
