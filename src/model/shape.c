/* Sizes of shapes, their padding, and their text. */
#include "model/shape.h"

#include "base/saturate.h"

/* By number in xla.PrimitiveType. */
static const struct element {
	const char *name;
	uint32_t bits;
} elements[] = {
	[1] = {"pred", 8},
	[2] = {"s8", 8},
	[3] = {"s16", 16},
	[4] = {"s32", 32},
	[5] = {"s64", 64},
	[6] = {"u8", 8},
	[7] = {"u16", 16},
	[8] = {"u32", 32},
	[9] = {"u64", 64},
	[10] = {"f16", 16},
	[11] = {"f32", 32},
	[12] = {"f64", 64},
	[14] = {"opaque", 0},
	[15] = {"c64", 64},
	[16] = {"bf16", 16},
	[17] = {"token", 0},
	[18] = {"c128", 128},
	[19] = {"f8e5m2", 8},
	[20] = {"f8e4m3fn", 8},
	[21] = {"s4", 4},
	[22] = {"u4", 4},
	[23] = {"f8e4m3b11fnuz", 8},
	[24] = {"f8e5m2fnuz", 8},
	[25] = {"f8e4m3fnuz", 8},
	[26] = {"s2", 2},
	[27] = {"u2", 2},
	[28] = {"f8e4m3", 8},
	[29] = {"f8e3m4", 8},
	[30] = {"s1", 1},
	[31] = {"u1", 1},
	[32] = {"f4e2m1fn", 4},
	[33] = {"f8e8m0fnu", 8},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

struct tp_slice
tp_element_name(uint32_t type)
{
	return tp_slice_of(type < ELEMENTS ? elements[type].name : NULL);
}

uint32_t
tp_element_bits(uint32_t type)
{
	return type < ELEMENTS ? elements[type].bits : 0;
}

uint32_t
tp_element_type(struct tp_slice name)
{
	for (uint32_t i = 1; i < ELEMENTS; i++) {
		if (name.len != 0 && tp_slice_eq(name, tp_slice_of(elements[i].name)))
			return i;
	}
	return 0;
}

static uint64_t
tiles_of(uint64_t size, uint64_t tile)
{
	return size / tile + (size % tile != 0);
}

uint64_t
tp_shape_elements(const struct tp_shape *s)
{
	uint64_t count = s->kind == TP_SHAPE_ARRAY;

	for (uint32_t i = 0; i < s->rank; i++) {
		if (s->sizes[i] == 0)
			return 0;
		count = tp_times(count, s->sizes[i]);
	}
	return count;
}

/* A type of less than a byte takes a whole one unless the layout packs it: ShapeUtil::ByteSizeOfElements of XLA. */
static uint64_t
bytes_of(const struct tp_shape *s, uint64_t count)
{
	uint64_t bits = s->layout != NULL ? s->layout->element_bits : 0;

	if (bits == 0)
		return tp_times(count, (tp_element_bits(s->type) + 7) / 8);
	if (count > UINT64_MAX / bits)
		return UINT64_MAX;
	return tiles_of(count * bits, 8);
}

uint64_t
tp_shape_bytes(const struct tp_shape *s)
{
	return s->kind == TP_SHAPE_TUPLE ? tp_times(s->member_count, 8)
									 : bytes_of(s, tp_shape_elements(s));
}

uint64_t
tp_shape_padded_bytes(const struct tp_shape *s)
{
	struct tp_padding_of p;

	if (!tp_shape_pad(s, &p))
		return tp_shape_bytes(s);
	uint64_t align = s->layout->tail_alignment;
	uint64_t count =
		align > 1 ? tp_times(tiles_of(p.padded_elements, align), align) : p.padded_elements;

	return tp_plus(bytes_of(s, count), s->layout->prefix_bytes);
}

/* The array while tiles are applied: how many there are along each axis, major to minor, and which dimension an axis is a
 * part of (its position from the minor end). */
enum { AXES = TP_SHAPE_DIMS * (1 + TP_SHAPE_TILES) };
struct tiling {
	uint32_t count;
	uint64_t size[AXES];
	uint32_t position[AXES];
	uint32_t positions;              /* dimensions, with those that only the first tile has */
	uint32_t part_of[TP_SHAPE_DIMS]; /* combined dimensions: the most minor; else itself */
};

static void
drop_axis(struct tiling *t, uint32_t at)
{
	memmove(&t->size[at], &t->size[at + 1], (t->count - at - 1) * sizeof *t->size);
	memmove(&t->position[at], &t->position[at + 1], (t->count - at - 1) * sizeof *t->position);
	t->count--;
}

static void
add_major_axis(struct tiling *t)
{
	memmove(&t->size[1], &t->size[0], t->count * sizeof *t->size);
	memmove(&t->position[1], &t->position[0], t->count * sizeof *t->position);
	t->size[0] = 1;
	t->position[0] = t->positions;
	t->part_of[t->positions] = t->positions;
	t->positions++;
	t->count++;
}

static void
join(struct tiling *t, uint32_t a, uint32_t b)
{
	for (uint32_t p = 0; p < t->positions; p++) {
		if (t->part_of[p] == a || t->part_of[p] == b)
			t->part_of[p] = a < b ? a : b;
	}
}

/* Joins axes that the tile combines; gives the sizes of the tile that are left, as many as minor axes. */
static uint32_t
combine(struct tiling *t, const struct tp_shape_tile *tile, uint64_t *sizes)
{
	uint32_t left = 0, at = t->count - tile->count;

	for (uint32_t i = 0; i < tile->count; i++) {
		if (tile->sizes[i] != TP_TILE_COMBINE) {
			sizes[left++] = (uint64_t)tile->sizes[i];
			at++;
			continue;
		}
		t->size[at + 1] = tp_times(t->size[at], t->size[at + 1]);
		join(t, t->part_of[t->position[at]], t->part_of[t->position[at + 1]]);
		drop_axis(t, at);
	}
	return left;
}

/* Only a first tile may have more dimensions than there are: scalars and vectors lie in tiles too. */
static bool
apply(struct tiling *t, const struct tp_shape_tile *tile, bool first_tile)
{
	uint64_t sizes[TP_SHAPE_DIMS];

	while (first_tile && t->count < tile->count)
		add_major_axis(t);
	if (t->count < tile->count)
		return false;
	uint32_t covered = combine(t, tile, sizes), first = t->count - covered;

	for (uint32_t i = 0; i < covered; i++) {
		t->size[t->count + i] = sizes[i];
		t->position[t->count + i] = t->position[first + i];
		t->size[first + i] = tiles_of(t->size[first + i], sizes[i]);
	}
	t->count += covered;
	return true;
}

static void
start(struct tiling *t, const struct tp_shape *s, bool ones)
{
	t->count = t->positions = s->rank;
	for (uint32_t i = 0; i < s->rank; i++) {
		t->position[i] = s->rank - 1 - i;
		t->part_of[i] = i;
		t->size[i] = ones ? 1 : s->sizes[s->layout->minor_to_major[t->position[i]]];
	}
}

static bool
tile_all(struct tiling *t, const struct tp_shape *s, bool ones)
{
	bool sound = true;

	start(t, s, ones);
	for (uint32_t i = 0; sound && i < s->layout->tile_count; i++)
		sound = apply(t, s->layout->tiles[i], i == 0);
	return sound;
}

static uint64_t
along(const struct tiling *t, uint32_t position)
{
	uint64_t size = 1;

	for (uint32_t i = 0; i < t->count; i++) {
		if (t->part_of[t->position[i]] == position && t->size[i] == 0)
			return 0;
		if (t->part_of[t->position[i]] == position)
			size = tp_times(size, t->size[i]);
	}
	return size;
}

/* The axis by the first tile: its last size is along lanes, the one before along sublanes. */
static enum tp_axis
axis_of(const struct tp_shape *s, uint32_t nth, uint64_t multiple)
{
	uint32_t covered = 0;

	for (uint32_t i = 0; s->layout->tile_count != 0 && i < s->layout->tiles[0]->count; i++)
		covered += s->layout->tiles[0]->sizes[i] > 0;
	if (nth < 2 && nth < covered)
		return nth == 0 ? TP_AXIS_LANE : TP_AXIS_SUBLANE;
	return multiple > 1 ? TP_AXIS_OTHER : TP_AXIS_NONE;
}

bool
tp_shape_pad(const struct tp_shape *s, struct tp_padding_of *out)
{
	struct tiling tiled, least;

	if (s->kind != TP_SHAPE_ARRAY || s->layout == NULL || !tile_all(&tiled, s, false) ||
		!tile_all(&least, s, true))
		return false;
	out->count = 0;
	out->elements = tp_shape_elements(s);
	out->padded_elements = 1;
	out->tiled = s->layout->tile_count != 0;
	for (uint32_t p = 0; p < tiled.positions; p++) {
		if (tiled.part_of[p] != p)
			continue;
		struct tp_padded_dim *d = &out->dims[out->count];

		*d = (struct tp_padded_dim){.size = 1,
			.dimension = p < s->rank ? s->layout->minor_to_major[p] : p,
			.padded = along(&tiled, p),
			.multiple = along(&least, p)};
		for (uint32_t k = 0; k < tiled.positions; k++) {
			if (tiled.part_of[k] != p)
				continue;
			d->combined++;
			d->size =
				k < s->rank ? tp_times(d->size, s->sizes[s->layout->minor_to_major[k]]) : d->size;
		}
		d->axis = axis_of(s, out->count++, d->multiple);
		out->padded_elements = d->padded == 0 ? 0 : tp_times(out->padded_elements, d->padded);
	}
	return true;
}

bool
tp_shape_tiled(const struct tp_shape *s)
{
	for (uint32_t i = 0; i < s->member_count; i++) {
		if (tp_shape_tiled(&s->members[i]))
			return true;
	}
	return s->layout != NULL && s->layout->tile_count != 0;
}
