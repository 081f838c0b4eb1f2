/* The entry without a name lists the variables; each other holds the values of a part of one. */
#include "tfprof/checkpoint_v1.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "codec/pb_field.h"
#include "codec/table.h"
#include "tfprof/checkpoint.h"

enum { SLICES_META = 1, SLICES_DATA = 2, META_TENSOR = 1 };
enum { TENSOR_NAME = 1, TENSOR_SHAPE = 2, TENSOR_TYPE = 3 };
enum { DATA_NAME = 1, DATA_SLICE = 2, DATA_TENSOR = 3, SLICE_EXTENT = 1 };
enum { VALUES_FLOAT = 5, VALUES_DOUBLE = 6, VALUES_INT = 7, VALUES_INT64 = 10, VALUES_BYTES = 4 };
enum { TYPE_FLOAT = 1, TYPE_DOUBLE = 2, TYPE_INT32 = 3, TYPE_INT64 = 9 };

struct reading {
	struct tp_arena *arena;
	struct tp_buf *variables;
	struct tp_map numbers; /* of variables, by name */
};

static void
list(struct reading *r, struct tp_slice meta)
{
	for (struct tp_pb p = tp_pb_open(meta); tp_pb_next_bytes(&p, META_TENSOR);) {
		struct tp_slice tensor = p.bytes, name = tp_pb_first(tensor, TENSOR_NAME);

		if (name.len == 0 || tp_map_get(&r->numbers, tp_hash_bytes(name)) != TP_MAP_NONE)
			continue;
		tp_map_put(&r->numbers, tp_hash_bytes(name), (uint32_t)r->variables->count);
		tp_checkpoint_add(r->variables, name, (unsigned)tp_pb_number(tensor, TENSOR_TYPE),
			tp_pb_first(tensor, TENSOR_SHAPE), r->arena);
	}
}

/* Whether a part is all of its variable: no extent says where it begins or how long it is. */
static bool
is_whole(struct tp_slice slice)
{
	for (struct tp_pb p = tp_pb_open(slice); tp_pb_next_bytes(&p, SLICE_EXTENT);) {
		if (p.bytes.len != 0)
			return false;
	}
	return true;
}

/* Whole numbers are written as short as they are; put back to their size. */
static struct tp_slice
widened(struct tp_slice tensor, uint32_t field, size_t size, struct tp_arena *arena)
{
	struct tp_pb_numbers n = tp_pb_numbers(tensor, field);
	struct tp_buf bytes = {0}; /* char */
	int64_t number;

	while (tp_pb_next_number(&n, &number)) {
		/* The low bytes are first. */
		for (size_t i = 0; i < size; i++)
			*tp_buf_new(&bytes, char) = (char)((uint64_t)number >> (8 * i));
	}
	struct tp_slice all = tp_arena_copy(arena, (struct tp_slice){bytes.data, bytes.count});

	tp_buf_free(&bytes);
	return all;
}

static struct tp_slice
values_of(struct tp_slice tensor, unsigned type, struct tp_arena *arena)
{
	struct tp_slice raw = tp_pb_first(tensor, VALUES_BYTES);

	if (raw.len != 0)
		return tp_arena_copy(arena, raw);
	switch (type) {
	case TYPE_FLOAT:
		return tp_arena_copy(arena, tp_pb_first(tensor, VALUES_FLOAT));
	case TYPE_DOUBLE:
		return tp_arena_copy(arena, tp_pb_first(tensor, VALUES_DOUBLE));
	case TYPE_INT32:
		return widened(tensor, VALUES_INT, 4, arena);
	case TYPE_INT64:
		return widened(tensor, VALUES_INT64, 8, arena);
	default:
		return TP_S("");
	}
}

static void
fill(struct reading *r, struct tp_slice data)
{
	uint32_t at = tp_map_get(&r->numbers, tp_hash_bytes(tp_pb_first(data, DATA_NAME)));

	if (at == TP_MAP_NONE || !is_whole(tp_pb_first(data, DATA_SLICE)))
		return;
	struct tp_variable *v = (struct tp_variable *)r->variables->data + at;

	if (v->bytes.len == 0)
		v->bytes = values_of(tp_pb_first(data, DATA_TENSOR), v->type, r->arena);
}

enum tp_status
tp_checkpoint_v1_read(const char *path, struct tp_slice file, struct tp_arena *arena,
	struct tp_buf *variables, struct tp_err *err)
{
	struct reading r = {.arena = arena, .variables = variables};
	struct tp_table *t = tp_new(arena, struct tp_table);

	tp_map_init(&r.numbers, arena);
	tp_table_open(t, file);
	while (tp_table_next(t)) {
		if (t->key.len == 0)
			list(&r, tp_pb_first(t->value, SLICES_META));
		else
			fill(&r, tp_pb_first(t->value, SLICES_DATA));
	}
	tp_table_close(t);
	return t->state == TP_TABLE_END
		? TP_OK
		: tp_fail_at(err, TP_ERR_FORMAT, path, TP_NO_OFFSET, "%s", tp_checkpoint_fault(t));
}
