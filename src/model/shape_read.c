/* Shapes from xla.ShapeProto (xla_data.proto); HLO modules hold very many, so without an intermediate form. */
#include "model/shape.h"

#include "base/arena.h"
#include "codec/pb_wire.h"

enum { TYPE_TUPLE = 13, TYPE_OPAQUE = 14, TYPE_TOKEN = 17 };

/* Adds the numbers of a repeated field, packed or not; false when there are more than fit or the bytes are damaged. */
static bool
add_numbers(const struct tp_pb *field, int64_t *numbers, uint32_t *count, uint32_t most)
{
	struct tp_pb_list list = tp_pb_list_of(field);
	uint64_t number;

	while (tp_pb_list_next(&list, &number)) {
		if (*count == most)
			return false;
		numbers[(*count)++] = (int64_t)number;
	}
	return list.packed.state == TP_PB_MORE;
}

static enum tp_status
read_tile(struct tp_slice message, struct tp_arena *arena, const struct tp_shape_tile **out,
	struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(message);
	int64_t sizes[TP_SHAPE_DIMS];
	uint32_t count = 0;

	while (tp_pb_next(&p)) {
		if (p.field == 1 && !add_numbers(&p, sizes, &count, TP_SHAPE_DIMS))
			return tp_fail(err, TP_ERR_FORMAT, "a tile has too many dimensions or is damaged");
	}
	/* XLA writes the smallest number for a dimension that is combined with the next. */
	if (p.state != TP_PB_END || count == 0 || sizes[count - 1] < 0)
		return tp_fail(err, TP_ERR_FORMAT, "a tile without sizes, or a damaged one");
	struct tp_shape_tile *t = tp_arena_alloc(arena, sizeof *t + count * sizeof *t->sizes);

	t->count = count;
	for (uint32_t i = 0; i < count; i++) {
		if (sizes[i] == 0)
			return tp_fail(err, TP_ERR_FORMAT, "a tile has the size 0");
		t->sizes[i] = sizes[i] < 0 ? TP_TILE_COMBINE : sizes[i];
	}
	*out = t;
	return TP_OK;
}

/* The fields of a LayoutProto that matter, not yet checked. */
struct layout_fields {
	int64_t order[TP_SHAPE_DIMS];
	uint32_t order_count;
	struct tp_slice tiles[TP_SHAPE_TILES];
	uint32_t tile_count;
	struct tp_layout rest;
};

static enum tp_status
read_layout_fields(struct tp_slice message, struct layout_fields *out, struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(message);
	bool sound = true;

	out->order_count = out->tile_count = 0;
	out->rest = (struct tp_layout){.tail_alignment = 1};
	while (sound && tp_pb_next(&p)) {
		if (p.field == 1)
			sound = add_numbers(&p, out->order, &out->order_count, TP_SHAPE_DIMS);
		else if (p.field == 6 && p.type == TP_PB_BYTES &&
			(sound = out->tile_count < TP_SHAPE_TILES))
			out->tiles[out->tile_count++] = p.bytes;
		else if (p.field == 7 && p.type == TP_PB_VARINT && (sound = p.number <= 1024))
			out->rest.element_bits = (uint32_t)p.number;
		else if (p.field == 8 && p.type == TP_PB_VARINT)
			out->rest.memory_space = (int64_t)p.number;
		else if (p.field == 15 && p.type == TP_PB_VARINT)
			out->rest.prefix_bytes = p.number;
		else if (p.field == 16 && p.type == TP_PB_VARINT && p.number != 0)
			out->rest.tail_alignment = p.number;
	}
	return sound && p.state == TP_PB_END ? TP_OK
										 : tp_fail(err, TP_ERR_FORMAT, "a layout is damaged");
}

static enum tp_status
read_layout(struct tp_slice message, struct tp_arena *arena, struct tp_shape *s, struct tp_err *err)
{
	struct layout_fields f;
	enum tp_status status = read_layout_fields(message, &f, err);

	if (status != TP_OK)
		return status;
	if (f.order_count == 0 && s->rank != 0)
		return TP_OK; /* not known */
	if (f.order_count != s->rank)
		return tp_fail(err, TP_ERR_FORMAT, "a layout orders %u dimensions of an array of %u",
			f.order_count, s->rank);
	struct tp_layout *l = tp_arena_alloc(arena, sizeof *l + s->rank * sizeof *l->minor_to_major);
	const struct tp_shape_tile **tiles =
		tp_new_array(arena, const struct tp_shape_tile *, f.tile_count);
	uint32_t seen = 0;

	*l = f.rest;
	for (uint32_t i = 0; i < s->rank; i++) {
		int64_t dimension = f.order[i];

		if (dimension < 0 || dimension >= s->rank || seen >> dimension & 1)
			return tp_fail(err, TP_ERR_FORMAT, "a layout is not an order of the dimensions");
		seen |= UINT32_C(1) << dimension;
		l->minor_to_major[i] = (uint32_t)dimension;
	}
	for (uint32_t i = 0; status == TP_OK && i < f.tile_count; i++)
		status = read_tile(f.tiles[i], arena, &tiles[i], err);
	l->tiles = tiles;
	l->tile_count = f.tile_count;
	s->layout = l;
	return status;
}

static enum tp_status
keep_sizes(const int64_t *sizes, struct tp_arena *arena, struct tp_shape *s, struct tp_err *err)
{
	uint64_t *kept = tp_new_array(arena, uint64_t, s->rank);

	for (uint32_t i = 0; i < s->rank; i++) {
		if (sizes[i] < 0)
			return tp_fail(err, TP_ERR_FORMAT, "an array has a dimension without a size");
		kept[i] = (uint64_t)sizes[i];
	}
	s->sizes = kept;
	return TP_OK;
}

static enum tp_status read_shape(struct tp_slice message, struct tp_arena *arena, unsigned depth,
	struct tp_shape *s, struct tp_err *err);

static enum tp_status
read_members(struct tp_slice message, struct tp_arena *arena, unsigned depth, uint32_t count,
	struct tp_shape *s, struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_shape *members = tp_new_array(arena, struct tp_shape, count);
	enum tp_status status = TP_OK;

	s->members = members;
	while (status == TP_OK && s->member_count < count && tp_pb_next_bytes(&p, 4))
		status = read_shape(p.bytes, arena, depth + 1, &members[s->member_count++], err);
	return status;
}

/* What a ShapeProto says, its parts not yet read. */
struct shape_fields {
	uint64_t type;
	int64_t sizes[TP_SHAPE_DIMS], dynamic[TP_SHAPE_DIMS];
	uint32_t rank, dynamic_count, members;
	struct tp_slice layout;
	bool has_layout;
};

static enum tp_status
read_fields(struct tp_slice message, struct shape_fields *f, struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(message);
	bool sound = true;

	f->type = f->rank = f->dynamic_count = f->members = 0;
	f->has_layout = false;
	while (sound && tp_pb_next(&p)) {
		if (p.field == 2 && p.type == TP_PB_VARINT)
			f->type = p.number;
		else if (p.field == 3)
			sound = add_numbers(&p, f->sizes, &f->rank, TP_SHAPE_DIMS);
		else if (p.field == 4 && p.type == TP_PB_BYTES)
			sound = ++f->members < UINT32_MAX;
		else if (p.field == 5 && p.type == TP_PB_BYTES) {
			f->layout = p.bytes;
			f->has_layout = true;
		} else if (p.field == 6)
			sound = add_numbers(&p, f->dynamic, &f->dynamic_count, TP_SHAPE_DIMS);
	}
	if (!sound || p.state != TP_PB_END)
		return tp_fail(
			err, TP_ERR_FORMAT, "a shape is damaged or has more than %d dimensions", TP_SHAPE_DIMS);
	return TP_OK;
}

static enum tp_status
read_shape(struct tp_slice message, struct tp_arena *arena, unsigned depth, struct tp_shape *s,
	struct tp_err *err)
{
	struct shape_fields f;
	enum tp_status status = read_fields(message, &f, err);

	if (status != TP_OK)
		return status;
	if (depth > TP_SHAPE_DEEPEST)
		return tp_fail(err, TP_ERR_FORMAT, "tuples of tuples deeper than %d", TP_SHAPE_DEEPEST);
	*s = (struct tp_shape){
		.kind = TP_SHAPE_ARRAY, .type = f.type > UINT32_MAX ? UINT32_MAX : (uint32_t)f.type};
	if (f.type == TYPE_TOKEN || f.type == TYPE_OPAQUE) {
		s->kind = f.type == TYPE_TOKEN ? TP_SHAPE_TOKEN : TP_SHAPE_OPAQUE;
		return TP_OK;
	}
	/* A buffer is the array within it, in a place that is fixed. */
	if (f.type == TYPE_TUPLE || f.type == TP_SHAPE_BUFFER) {
		s->kind = TP_SHAPE_TUPLE;
		return read_members(message, arena, depth, f.members, s, err);
	}
	s->rank = f.rank;
	for (uint32_t i = 0; i < f.dynamic_count && i < f.rank; i++)
		s->dynamic |= (uint32_t)(f.dynamic[i] != 0) << i;
	status = keep_sizes(f.sizes, arena, s, err);
	return status == TP_OK && f.has_layout ? read_layout(f.layout, arena, s, err) : status;
}

enum tp_status
tp_shape_read(
	struct tp_slice message, struct tp_arena *arena, struct tp_shape *out, struct tp_err *err)
{
	return read_shape(message, arena, 0, out, err);
}
