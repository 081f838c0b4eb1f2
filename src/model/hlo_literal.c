/* Constants of HLO as text. Field numbers are those of xla.LiteralProto in xla_data.proto. */
#include "base/arena.h"
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ELEMENTS = 10 }; /* more are not written */

enum kind { PREDICATE, SIGNED, UNSIGNED, FLOAT, DOUBLE, HALF, BRAIN };

/* How elements of a type are stored: one after the other in the bytes of a field (width in bytes), or as numbers (width 0). */
static const struct storage {
	const char *type;
	uint32_t field;
	enum kind kind;
	unsigned width;
} storages[] = {
	{"pred", 2, PREDICATE, 0},
	{"u8", 3, UNSIGNED, 1},
	{"s32", 4, SIGNED, 0},
	{"s64", 5, SIGNED, 0},
	{"u32", 6, UNSIGNED, 0},
	{"u64", 7, UNSIGNED, 0},
	{"f32", 8, FLOAT, 4},
	{"f64", 9, DOUBLE, 8},
	{"f16", 11, HALF, 2},
	{"bf16", 13, BRAIN, 2},
	{"s8", 15, SIGNED, 1},
	{"u16", 16, UNSIGNED, 2},
	{"s16", 17, SIGNED, 2},
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
	const struct storage *s, struct tp_slice literal, uint64_t count, uint64_t bits[MOST_ELEMENTS])
{
	struct tp_pb p;
	uint64_t at = 0;

	if (s->width == 0) {
		struct tp_hlo_numbers numbers = tp_hlo_numbers(literal, s->field);
		int64_t number;

		for (; at < count && tp_hlo_next_number(&numbers, &number); at++)
			bits[at] = (uint64_t)number;
		return at == count;
	}
	if (!tp_hlo_field(literal, s->field, TP_PB_BYTES, &p) || p.bytes.len != count * s->width)
		return false;
	for (; at < count; at++) {
		bits[at] = 0;
		memcpy(&bits[at], p.bytes.ptr + at * s->width, s->width);
	}
	return true;
}

static double
half(uint64_t bits)
{
	int exponent = (int)(bits >> 10 & 31);
	double fraction = (double)(bits & 1023) / 1024, value;

	if (exponent == 31)
		value = fraction == 0 ? INFINITY : NAN;
	else
		value = exponent == 0 ? ldexp(fraction, -14) : ldexp(1 + fraction, exponent - 15);
	return bits >> 15 & 1 ? -value : value;
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
put_element(struct tp_sink *out, const struct storage *s, uint64_t bits, bool scalar)
{
	double wide;

	switch (s->kind) {
	case PREDICATE:
		tp_sink_puts(out, scalar ? (bits != 0 ? "true" : "false") : (bits != 0 ? "1" : "0"));
		return;
	case SIGNED:
		if (s->width != 0) /* the sign is that of the width */
			bits = (uint64_t)((int64_t)(bits << (64 - 8 * s->width)) >> (64 - 8 * s->width));
		tp_sink_printf(out, "%lld", (long long)bits);
		return;
	case UNSIGNED:
		tp_sink_printf(out, "%llu", (unsigned long long)bits);
		return;
	case FLOAT:
		put_float(out, (double)single(bits), 6, 9, true);
		return;
	case DOUBLE:
		memcpy(&wide, &bits, sizeof wide);
		put_float(out, wide, 15, 17, false);
		return;
	case HALF:
		tp_sink_printf(out, "%.5g", half(bits));
		return;
	case BRAIN:
		tp_sink_printf(out, "%.4g", (double)single(bits << 16));
		return;
	}
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

/* Braces of a list stand close to what is in it, as do the innermost around one element; all others with a blank between. */
static void
put_braces(struct tp_sink *out, const struct tp_shape *shape, uint32_t count, bool close)
{
	bool alone = shape->sizes[shape->rank - 1] <= 1;

	for (uint32_t k = 0; k < count; k++) {
		bool innermost = k == (close ? 0 : count - 1);

		if (shape->rank == 1 || (innermost && alone))
			tp_sink_puts(out, close ? "}" : "{");
		else
			tp_sink_puts(out, close ? " }" : "{ ");
	}
}

static void
put_elements(struct tp_sink *out, const struct tp_shape *shape, const struct tp_layout *layout,
	const struct storage *s, const uint64_t *bits)
{
	uint64_t count = tp_shape_elements(shape);

	for (uint64_t at = 0; at < count; at++) {
		uint32_t begin = 0, end = 0; /* dimensions, at this element */
		uint64_t block = 1;

		for (uint32_t d = shape->rank; d-- > 0;) {
			block *= shape->sizes[d];
			begin += at % block == 0;
			end += (at + 1) % block == 0;
		}
		tp_sink_puts(out, at != 0 ? ", " : "");
		put_braces(out, shape, begin, false);
		put_element(out, s, bits[place_of(shape, layout, at)], false);
		put_braces(out, shape, end, true);
	}
}

/* The literal's own layout, which its constant need not have; NULL: the last dimension is the fastest. */
static const struct tp_layout *
layout_of(const struct tp_hlo_writing *w, const struct tp_shape *shape, struct tp_slice literal)
{
	struct tp_shape own;
	struct tp_pb p;

	if (!tp_hlo_field(literal, 1, TP_PB_BYTES, &p))
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
	uint64_t count = tp_shape_elements(shape), bits[MOST_ELEMENTS];

	/* From rank 4 on XLA adds comments. */
	if (s == NULL || count > MOST_ELEMENTS || shape->rank > 3 ||
		!read_elements(s, literal, count, bits))
		tp_sink_puts(w->out, "{...}");
	else if (shape->rank == 0)
		put_element(w->out, s, bits[0], true);
	else if (count == 0)
		tp_sink_puts(w->out, "{}");
	else
		put_elements(w->out, shape, layout_of(w, shape, literal), s, bits);
}
