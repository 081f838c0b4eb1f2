/* Constants of HLO as text. Field numbers are those of xla.LiteralProto in xla_data.proto. */
#include "base/arena.h"
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ELEMENTS = 10 }; /* more are not written */
enum { MOST_PARTS = 2 * MOST_ELEMENTS };

enum kind { PREDICATE, SIGNED, UNSIGNED, FLOAT, DOUBLE, SMALL };

/* Which numbers of a small floating-point type are none: those of the highest exponent, as in IEEE 754; the highest number
 * alone; the one that would be -0; none. */
enum odd { IEEE, HIGHEST, MINUS_ZERO, NO_ODD };

struct small {
	int fraction_bits, bias;
	enum odd odd;
};

/* How elements of a type are stored: one after the other in the bytes of a field (width in bytes), or as numbers (width 0). */
static const struct storage {
	const char *type;
	uint32_t field;
	enum kind kind;
	unsigned width, bits, parts; /* bits: of a part */
	struct small small;
} storages[] = {
	{"pred", 2, PREDICATE, 0, 1, .parts = 1},
	{"s2", 26, SIGNED, 1, 2, .parts = 1},
	{"s4", 21, SIGNED, 1, 4, .parts = 1},
	{"s8", 15, SIGNED, 1, 8, .parts = 1},
	{"s16", 17, SIGNED, 2, 16, .parts = 1},
	{"s32", 4, SIGNED, 0, 64, .parts = 1},
	{"s64", 5, SIGNED, 0, 64, .parts = 1},
	{"u2", 27, UNSIGNED, 1, 2, .parts = 1},
	{"u4", 22, UNSIGNED, 1, 4, .parts = 1},
	{"u8", 3, UNSIGNED, 1, 8, .parts = 1},
	{"u16", 16, UNSIGNED, 2, 16, .parts = 1},
	{"u32", 6, UNSIGNED, 0, 64, .parts = 1},
	{"u64", 7, UNSIGNED, 0, 64, .parts = 1},
	{"f32", 8, FLOAT, 4, 32, .parts = 1},
	{"f64", 9, DOUBLE, 8, 64, .parts = 1},
	{"c64", 12, FLOAT, 8, 32, .parts = 2},
	{"c128", 18, DOUBLE, 16, 64, .parts = 2},
	{"f16", 11, SMALL, 2, 16, 1, {10, 15, IEEE}},
	{"bf16", 13, SMALL, 2, 16, 1, {7, 127, IEEE}},
	{"f8e5m2", 19, SMALL, 1, 8, 1, {2, 15, IEEE}},
	{"f8e4m3", 28, SMALL, 1, 8, 1, {3, 7, IEEE}},
	{"f8e3m4", 29, SMALL, 1, 8, 1, {4, 3, IEEE}},
	{"f8e4m3fn", 20, SMALL, 1, 8, 1, {3, 7, HIGHEST}},
	{"f8e4m3b11fnuz", 23, SMALL, 1, 8, 1, {3, 11, MINUS_ZERO}},
	{"f8e4m3fnuz", 25, SMALL, 1, 8, 1, {3, 8, MINUS_ZERO}},
	{"f8e5m2fnuz", 24, SMALL, 1, 8, 1, {2, 16, MINUS_ZERO}},
	{"f4e2m1fn", 32, SMALL, 1, 4, 1, {1, 1, NO_ODD}},
};

static const struct storage *
storage_of(const struct tp_shape *shape)
{
	struct tp_slice name = tp_element_name(shape->type);

	for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
		if (tp_slice_eq(name, tp_slice_of(storages[i].type)))
			return &storages[i];
	}
	return NULL;
}

/* The elements' bits; false when there are not as many as the shape has. */
static bool
read_elements(
	const struct storage *s, struct tp_slice literal, uint64_t count, uint64_t bits[MOST_PARTS])
{
	unsigned width = s->width / s->parts;
	struct tp_pb p;
	uint64_t at = 0;

	if (s->width == 0) {
		struct tp_pb_numbers numbers = tp_pb_numbers(literal, s->field);
		int64_t number;

		for (; at < count && tp_pb_next_number(&numbers, &number); at++)
			bits[at] = (uint64_t)number;
		return at == count;
	}
	if (!tp_pb_field(literal, s->field, TP_PB_BYTES, &p) || p.bytes.len != count * s->width)
		return false;
	for (; at < count * s->parts; at++) {
		bits[at] = 0;
		memcpy(&bits[at], p.bytes.ptr + at * width, width);
	}
	return true;
}

static uint64_t
low(uint64_t bits, unsigned count)
{
	return bits & (UINT64_MAX >> (64 - count));
}

static double
small_value(const struct storage *s, uint64_t bits)
{
	const struct small *f = &s->small;
	unsigned exponent_bits = s->bits - 1 - (unsigned)f->fraction_bits;
	uint64_t all = low(bits, s->bits), without_sign = low(all, s->bits - 1);
	int exponent = (int)(without_sign >> f->fraction_bits);
	double fraction = ldexp((double)low(all, (unsigned)f->fraction_bits), -f->fraction_bits);
	bool negative = all != without_sign, last = (unsigned)exponent == (1U << exponent_bits) - 1;
	double value =
		exponent == 0 ? ldexp(fraction, 1 - f->bias) : ldexp(1 + fraction, exponent - f->bias);

	if (f->odd == IEEE && last)
		value = fraction == 0 ? INFINITY : NAN;
	if ((f->odd == HIGHEST && without_sign == low(UINT64_MAX, s->bits - 1)) ||
		(f->odd == MINUS_ZERO && negative && without_sign == 0))
		value = NAN;
	return negative ? -value : value;
}

/* So many decimal digits tell all numbers of a type apart. */
static int
digits_of(const struct small *f)
{
	return 2 + (int)((f->fraction_bits + 1) * 0.30103);
}

static float
single(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float value;

	memcpy(&value, &low, sizeof value);
	return value;
}

/* Digits that suffice for most, else as many as tell all numbers of the type apart. */
static void
put_float(struct tp_sink *out, double value, int digits, int most, bool is_single)
{
	char text[40];

	snprintf(text, sizeof text, "%.*g", digits, value);
	double back = is_single ? (double)strtof(text, NULL) : strtod(text, NULL);

	if (back != value)
		snprintf(text, sizeof text, "%.*g", most, value);
	tp_sink_puts(out, text);
}

static void
put_part(struct tp_sink *out, const struct storage *s, uint64_t bits, bool scalar)
{
	double wide;

	switch (s->kind) {
	case PREDICATE:
		tp_sink_puts(out, scalar ? (bits != 0 ? "true" : "false") : (bits != 0 ? "1" : "0"));
		return;
	case SIGNED: /* the sign is that of the width */
		bits = (uint64_t)((int64_t)(bits << (64 - s->bits)) >> (64 - s->bits));
		tp_sink_printf(out, "%lld", (long long)bits);
		return;
	case UNSIGNED:
		tp_sink_printf(out, "%llu", (unsigned long long)low(bits, s->bits));
		return;
	case FLOAT:
		put_float(out, (double)single(bits), 6, 9, true);
		return;
	case DOUBLE:
		memcpy(&wide, &bits, sizeof wide);
		put_float(out, wide, 15, 17, false);
		return;
	case SMALL:
		tp_sink_printf(out, "%.*g", digits_of(&s->small), small_value(s, bits));
		return;
	}
}

/* A complex number is a pair. */
static void
put_element(struct tp_sink *out, const struct storage *s, const uint64_t *bits, bool scalar)
{
	if (s->parts == 1) {
		put_part(out, s, bits[0], scalar);
		return;
	}
	tp_sink_puts(out, "(");
	put_part(out, s, bits[0], scalar);
	tp_sink_puts(out, ", ");
	put_part(out, s, bits[1], scalar);
	tp_sink_puts(out, ")");
}

/* Where an element is stored: `at` counts with the last dimension the fastest, the literal is in the order of its layout. */
static uint64_t
place_of(const struct tp_shape *shape, const struct tp_layout *layout, uint64_t at)
{
	uint64_t index[TP_SHAPE_DIMS], place = 0, stride = 1;

	if (layout == NULL)
		return at;
	for (uint32_t d = shape->rank; d-- > 0; at /= shape->sizes[d])
		index[d] = at % shape->sizes[d];
	for (uint32_t k = 0; k < shape->rank; k++) {
		uint32_t d = layout->minor_to_major[k];

		place += index[d] * stride;
		stride *= shape->sizes[d];
	}
	return place;
}

struct array {
	const struct tp_shape *shape;
	const struct tp_layout *layout;
	const struct storage *storage;
	const uint64_t *bits;
};

/* The beginning of what is within a dimension: the innermost one stands close around a single element; of more than three
 * dimensions those between are numbered. */
static void
open_brace(struct tp_sink *out, const struct tp_shape *shape, uint32_t dimension, uint64_t index)
{
	bool innermost = dimension + 1 == shape->rank;

	tp_sink_puts(out, "{");
	if (shape->rank > 3 && dimension != 0 && !innermost)
		tp_sink_printf(out, " /*i%u=%llu*/%s", dimension - 1, (unsigned long long)index,
			shape->sizes[dimension] != 0 ? " " : "");
	else if (shape->rank > 1 && (!innermost || shape->sizes[dimension] > 1))
		tp_sink_puts(out, " ");
}

static void
close_brace(struct tp_sink *out, const struct tp_shape *shape, uint32_t dimension)
{
	bool innermost = dimension + 1 == shape->rank;

	tp_sink_puts(out, shape->rank > 1 && (!innermost || shape->sizes[dimension] > 1) ? " }" : "}");
}

/* From this dimension on; at: of the element, counted with the last dimension the fastest; index: in the dimension before.
 * Goes no deeper than arrays have dimensions. */
static void
put_elements(
	struct tp_sink *out, const struct array *a, uint32_t dimension, uint64_t at, uint64_t index)
{
	const struct tp_shape *shape = a->shape;

	if (dimension == shape->rank) {
		uint64_t place = place_of(shape, a->layout, at);

		put_element(out, a->storage, &a->bits[place * a->storage->parts], false);
		return;
	}
	open_brace(out, shape, dimension, index);
	for (uint64_t i = 0; i < shape->sizes[dimension]; i++) {
		tp_sink_puts(out, i != 0 ? ", " : "");
		put_elements(out, a, dimension + 1, at * shape->sizes[dimension] + i, i);
	}
	close_brace(out, shape, dimension);
}

/* Whether an array of no element has few empty lists. */
static bool
is_short(const struct tp_shape *shape)
{
	uint64_t lists = 1;

	for (uint32_t d = 0; d < shape->rank && lists <= MOST_ELEMENTS && shape->sizes[d] != 0; d++)
		lists = shape->sizes[d] <= MOST_ELEMENTS ? lists * shape->sizes[d] : MOST_ELEMENTS + 1;
	return lists <= MOST_ELEMENTS;
}

/* The literal's own layout, which its constant need not have; NULL: the last dimension is the fastest. */
static const struct tp_layout *
layout_of(const struct tp_hlo_writing *w, const struct tp_shape *shape, struct tp_slice literal)
{
	struct tp_shape own;
	struct tp_pb p;

	if (!tp_pb_field(literal, 1, TP_PB_BYTES, &p))
		return shape->layout;
	if (tp_shape_read(p.bytes, w->scratch, &own, NULL) != TP_OK || own.rank != shape->rank)
		return NULL;
	return own.layout;
}

void
tp_hlo_put_literal(
	const struct tp_hlo_writing *w, const struct tp_shape *shape, struct tp_slice literal)
{
	const struct storage *s = shape->kind == TP_SHAPE_ARRAY ? storage_of(shape) : NULL;
	uint64_t count = tp_shape_elements(shape), bits[MOST_PARTS];

	if (s == NULL || count > MOST_ELEMENTS || !is_short(shape) ||
		(count != 0 && !read_elements(s, literal, count, bits)))
		tp_sink_puts(w->out, "{...}");
	else if (shape->rank == 0)
		put_element(w->out, s, bits, true);
	else
		put_elements(
			w->out, &(struct array){shape, layout_of(w, shape, literal), s, bits}, 0, 0, 0);
}
