/* One table of types, and a walk over the text of shapes. */
#include "analyze/torch_steps/torch_dtype.h"

#include <strings.h>

/* c10/core/ScalarType.h, and the names of the C++ types. */
static const struct {
	const char *name;
	uint32_t bytes;
} types[] = {
	{"float", 4},
	{"double", 8},
	{"half", 2},
	{"bfloat16", 2},
	{"long", 8},
	{"long int", 8},
	{"long long", 8},
	{"int", 4},
	{"short", 2},
	{"short int", 2},
	{"byte", 1},
	{"char", 1},
	{"signed char", 1},
	{"unsigned char", 1},
	{"bool", 1},
	{"unsigned short", 2},
	{"unsigned int", 4},
	{"unsigned long", 8},
	{"uint16", 2},
	{"uint32", 4},
	{"uint64", 8},
	{"complex<half>", 4},
	{"complexhalf", 4},
	{"complex<c10::half>", 4},
	{"complex<float>", 8},
	{"complexfloat", 8},
	{"complex<double>", 16},
	{"complexdouble", 16},
	{"float8_e5m2", 1},
	{"float8_e4m3fn", 1},
	{"float8_e5m2fnuz", 1},
	{"float8_e4m3fnuz", 1},
	{"float8_e8m0fnu", 1},
};

uint32_t
tp_torch_element_bytes(struct tp_slice type)
{
	if (tp_slice_starts(type, TP_S("c10::")))
		type = tp_slice_from(type, strlen("c10::"));
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strlen(types[i].name) == type.len &&
			strncasecmp(types[i].name, type.ptr, type.len) == 0)
			return types[i].bytes;
	}
	return 0;
}

/* The text of the next string of a list, from *at on; empty at its end. */
static struct tp_slice
next_string(struct tp_slice list, size_t *at)
{
	while (*at < list.len && list.ptr[*at] != '"')
		(*at)++;
	size_t from = *at + 1, to = from;

	while (to < list.len && list.ptr[to] != '"')
		to++;
	*at = to + 1;
	return from < list.len ? (struct tp_slice){list.ptr + from, to - from} : TP_S("");
}

/* One tensor's list of sizes, in the innermost brackets. */
struct dims {
	int64_t product, number;
	bool in_number, wrong;
};

static void
take_number(struct dims *d)
{
	if (d->in_number && __builtin_mul_overflow(d->product, d->number, &d->product))
		d->wrong = true;
	d->in_number = false;
	d->number = 0;
}

static void
take_digit(struct dims *d, int digit)
{
	d->in_number = true;
	if (__builtin_mul_overflow(d->number, 10, &d->number) ||
		__builtin_add_overflow(d->number, digit, &d->number))
		d->wrong = true;
}

int64_t
tp_torch_shapes_bytes(struct tp_slice shapes, struct tp_slice type_names)
{
	struct dims d = {.product = 1};
	int64_t sum = -1;
	size_t at = 0, depth = 0;
	uint32_t size = 0;

	for (size_t i = 0; i < shapes.len; i++) {
		char c = shapes.ptr[i];

		if (c >= '0' && c <= '9') {
			take_digit(&d, c - '0');
		} else if (c == '[') {
			if (++depth == 2)
				size = tp_torch_element_bytes(next_string(type_names, &at));
			d = (struct dims){.product = 1};
		} else if (c == ',') {
			take_number(&d);
		} else if (c == ']') {
			take_number(&d);
			/* A list of lists has ended where the brackets are not the innermost. */
			if (depth >= 2 && size != 0 && shapes.ptr[i - 1] != ']' && !d.wrong) {
				int64_t bytes;

				if (!__builtin_mul_overflow(d.product, size, &bytes) &&
					__builtin_add_overflow(sum < 0 ? 0 : sum, bytes, &sum))
					return -1;
			}
			depth -= depth != 0;
		}
	}
	return sum;
}
