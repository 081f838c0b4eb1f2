/* Of version 2: an index, a table from names to where values are, and files of values side by side. */
#include "tfprof/checkpoint.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "codec/pb_field.h"
#include "codec/table.h"
#include "io/blob.h"
#include "model/tfprof.h"
#include "tfprof/checkpoint_v1.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ENTRY_TYPE = 1, ENTRY_SHAPE = 2, ENTRY_SHARD = 3, ENTRY_OFFSET = 4, ENTRY_SIZE = 5 };
enum { ENTRY_SLICE = 7, HEADER_SHARDS = 1 };
enum { MOST_SHARDS = 100000 };

struct reading {
	const char *prefix;
	struct tp_arena *arena;
	struct tp_buf variables, blobs;
	struct tp_blob **shards; /* by number; NULL: not opened */
	int64_t shard_count;
};

static struct tp_blob *
open_blob(struct reading *r, const char *path, struct tp_err *err)
{
	struct tp_blob *blob = tp_blob_open(path, err);

	if (blob != NULL)
		*tp_buf_new(&r->blobs, struct tp_blob *) = blob;
	return blob;
}

static struct tp_slice
bytes_of(struct reading *r, struct tp_slice entry)
{
	int64_t shard = tp_pb_number(entry, ENTRY_SHARD), offset = tp_pb_number(entry, ENTRY_OFFSET);
	int64_t size = tp_pb_number(entry, ENTRY_SIZE);

	if (shard < 0 || shard >= r->shard_count || offset < 0 || size < 0 ||
		tp_pb_first(entry, ENTRY_SLICE).len != 0)
		return TP_S("");
	if (r->shards[shard] == NULL)
		r->shards[shard] = open_blob(r,
			tp_arena_printf(r->arena, "%s.data-%05lld-of-%05lld", r->prefix, (long long)shard,
				(long long)r->shard_count)
				.ptr,
			NULL);
	if (r->shards[shard] == NULL)
		return TP_S("");
	struct tp_slice file = tp_blob_bytes(r->shards[shard]);

	if ((uint64_t)offset > file.len || (uint64_t)size > file.len - (uint64_t)offset)
		return TP_S("");
	return (struct tp_slice){file.ptr + offset, (size_t)size};
}

static void
add(struct reading *r, struct tp_slice name, struct tp_slice entry)
{
	tp_checkpoint_add(&r->variables, name, (unsigned)tp_pb_number(entry, ENTRY_TYPE),
		tp_pb_first(entry, ENTRY_SHAPE), r->arena);
	((struct tp_variable *)r->variables.data)[r->variables.count - 1].bytes = bytes_of(r, entry);
}

/* The entry without a name is about all of them. */
static void
take(struct reading *r, const struct tp_table *t)
{
	if (t->key.len != 0) {
		add(r, t->key, t->value);
		return;
	}
	r->shard_count = tp_pb_number(t->value, HEADER_SHARDS);
	if (r->shard_count < 0 || r->shard_count > MOST_SHARDS)
		r->shard_count = 0;
	r->shards = tp_new_array(r->arena, struct tp_blob *, (size_t)r->shard_count);
}

static enum tp_status
read_index(struct reading *r, struct tp_err *err)
{
	struct tp_slice path = tp_arena_printf(r->arena, "%s.index", r->prefix);
	struct tp_blob *index = open_blob(r, path.ptr, err);
	struct tp_table *t = tp_new(r->arena, struct tp_table);

	if (index == NULL)
		return err->status;
	tp_table_open(t, tp_blob_bytes(index));
	while (tp_table_next(t))
		take(r, t);
	tp_table_close(t);
	return t->state == TP_TABLE_END
		? TP_OK
		: tp_fail_at(err, TP_ERR_FORMAT, path.ptr, TP_NO_OFFSET, "%s", tp_checkpoint_fault(t));
}

static enum tp_status
read_v1(struct reading *r, const char *path, struct tp_err *err)
{
	struct tp_blob *blob = open_blob(r, path, err);

	return blob == NULL
		? err->status
		: tp_checkpoint_v1_read(path, tp_blob_bytes(blob), r->arena, &r->variables, err);
}

/* A pattern of its parts; of what glob takes for patterns the path has none. */
static const char *
parts_pattern(struct reading *r)
{
	struct tp_buf text = {0};

	for (const char *at = r->prefix; *at != '\0'; at++) {
		if (strchr("*?[\\", *at) != NULL)
			*tp_buf_new(&text, char) = '\\';
		*tp_buf_new(&text, char) = *at;
	}
	struct tp_slice escaped = {text.data, text.count};
	const char *pattern =
		tp_arena_printf(r->arena, "%.*s-[0-9][0-9][0-9][0-9][0-9]-of-*", TP_ARG(escaped)).ptr;

	tp_buf_free(&text);
	return pattern;
}

/* Version 1 has no index: one file, or several side by side. Without any the message is that of version 2. */
static enum tp_status
read_checkpoint(struct reading *r, struct tp_err *err)
{
	enum tp_status status = TP_OK;
	glob_t parts = {0};

	if (access(tp_arena_printf(r->arena, "%s.index", r->prefix).ptr, F_OK) == 0)
		return read_index(r, err);
	if (access(r->prefix, F_OK) == 0)
		return read_v1(r, r->prefix, err);
	if (glob(parts_pattern(r), 0, NULL, &parts) != 0 || parts.gl_pathc > MOST_SHARDS) {
		globfree(&parts);
		return read_index(r, err);
	}
	for (size_t i = 0; i < parts.gl_pathc && status == TP_OK; i++)
		status = read_v1(r, parts.gl_pathv[i], err);
	globfree(&parts);
	return status;
}

TP_ORDER(by_name, struct tp_variable, tp_slice_cmp(a->name, b->name));

enum tp_status
tp_checkpoint_open(
	const char *prefix, struct tp_arena *arena, struct tp_checkpoint *c, struct tp_err *err)
{
	struct reading r = {.prefix = prefix, .arena = arena};
	enum tp_status status = read_checkpoint(&r, err);

	c->count = (uint32_t)r.variables.count;
	c->variables = tp_buf_settle(&r.variables, sizeof *c->variables, arena);
	c->blob_count = (uint32_t)r.blobs.count;
	c->blobs = tp_buf_settle(&r.blobs, sizeof *c->blobs, arena);
	if (c->count != 0)
		qsort(c->variables, c->count, sizeof *c->variables, by_name);
	return status;
}

void
tp_checkpoint_close(struct tp_checkpoint *c)
{
	for (uint32_t i = 0; i < c->blob_count; i++)
		tp_blob_close(c->blobs[i]);
	*c = (struct tp_checkpoint){0};
}

const struct tp_variable *
tp_checkpoint_find(const struct tp_checkpoint *c, struct tp_slice name)
{
	size_t count = c != NULL ? c->count : 0;
	size_t i = TP_FIRST_WHERE(at, count, tp_slice_cmp(c->variables[at].name, name) >= 0);

	return i < count && tp_slice_eq(c->variables[i].name, name) ? &c->variables[i] : NULL;
}

void
tp_checkpoint_mark(const struct tp_checkpoint *c, struct tp_tfprof *t, struct tp_arena *arena)
{
	/* ProfileNode.op_types, field 5: behind those that the node has. */
	static const char type[] = "\x2a\x15_checkpoint_variables";

	for (uint32_t i = 0; i < t->node_count; i++) {
		struct tp_tfprof_node *n = &t->nodes[i];

		if (tp_checkpoint_find(c, n->name) == NULL)
			continue;
		char *bytes = tp_new_array(arena, char, n->message.len + sizeof type - 1);

		memcpy(bytes, n->message.ptr, n->message.len);
		memcpy(bytes + n->message.len, type, sizeof type - 1);
		n->message = (struct tp_slice){bytes, n->message.len + sizeof type - 1};
	}
}
