/* An index, a table from names to where values are, and files of values side by side. */
#include "tfprof/checkpoint.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "codec/pb_field.h"
#include "codec/table.h"
#include "io/blob.h"

#include <stdio.h>
#include <stdlib.h>

enum { ENTRY_TYPE = 1, ENTRY_SHAPE = 2, ENTRY_SHARD = 3, ENTRY_OFFSET = 4, ENTRY_SIZE = 5 };
enum { ENTRY_SLICE = 7, SHAPE_DIM = 2, DIM_SIZE = 1, HEADER_SHARDS = 1 };
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
	struct tp_variable *v = tp_buf_new(&r->variables, struct tp_variable);
	struct tp_buf dims = {0};
	struct tp_slice shape = tp_pb_first(entry, ENTRY_SHAPE);

	for (struct tp_pb p = tp_pb_open(shape); tp_pb_next_bytes(&p, SHAPE_DIM);)
		*tp_buf_new(&dims, int64_t) = tp_pb_number(p.bytes, DIM_SIZE);
	*v = (struct tp_variable){
		.name = tp_arena_copy(r->arena, name),
		.type = (unsigned)tp_pb_number(entry, ENTRY_TYPE),
		.rank = (uint32_t)dims.count,
		.bytes = bytes_of(r, entry),
	};
	v->dims = tp_buf_settle(&dims, sizeof(int64_t), r->arena);
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
	if (t->state == TP_TABLE_END)
		return TP_OK;
	return tp_fail_at(err, t->state == TP_TABLE_COMPRESSED ? TP_ERR_UNSUPPORTED : TP_ERR_FORMAT,
		path.ptr, TP_NO_OFFSET, "%s",
		t->state == TP_TABLE_COMPRESSED ? "its blocks are compressed by Snappy, which is not read"
										: "not the index of a checkpoint, or damaged");
}

TP_ORDER(by_name, struct tp_variable, tp_slice_cmp(a->name, b->name));

enum tp_status
tp_checkpoint_open(
	const char *prefix, struct tp_arena *arena, struct tp_checkpoint *c, struct tp_err *err)
{
	struct reading r = {.prefix = prefix, .arena = arena};
	enum tp_status status = read_index(&r, err);

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
