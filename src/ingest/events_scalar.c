/* One number out of a tensorflow.TensorProto: its bytes as they lie in memory, or a list of the type's own. */
#include "ingest/events.h"

#include "codec/pb_wire.h"

#include <math.h>

enum { TENSOR_DTYPE = 1, TENSOR_CONTENT = 4 };
/* How a type's numbers lie in memory, and which list of the tensor holds them. */
enum form { SIGNED, UNSIGNED, FLOAT, DOUBLE, HALF, BFLOAT16 };
struct type {
	unsigned size; /* of a number, in bytes; 0: no type of numbers */
	enum form form;
	uint32_t list;
};

/* By DataType (tensorflow/core/framework/types.proto). */
static const struct type types[] = {
	[1] = {4, FLOAT, 5},
	[2] = {8, DOUBLE, 6},
	[3] = {4, SIGNED, 7},
	[4] = {1, UNSIGNED, 7},
	[5] = {2, SIGNED, 7},
	[6] = {1, SIGNED, 7},
	[9] = {8, SIGNED, 10},
	[10] = {1, UNSIGNED, 11}, /* bool */
	[14] = {2, BFLOAT16, 13},
	[17] = {2, UNSIGNED, 7},
	[19] = {2, HALF, 13},
	[22] = {4, UNSIGNED, 16},
	[23] = {8, UNSIGNED, 17},
};

static struct type
type_of(uint64_t dtype)
{
	return dtype < sizeof types / sizeof *types ? types[dtype] : (struct type){0};
}

/* IEEE 754 half precision. */
static double
half(uint16_t bits)
{
	uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
	double sign = bits >> 15 ? -1 : 1;

	if (exponent == 31)
		return fraction != 0 ? NAN : sign * INFINITY;
	if (exponent == 0)
		return sign * ldexp(fraction, -24);
	return sign * ldexp(fraction + 1024, (int)exponent - 25);
}

static double
single(uint32_t bits)
{
	float number;

	memcpy(&number, &bits, sizeof number);
	return (double)number;
}

/* The number whose bits these are; what is above its size counts for nothing. */
static double
of_bits(struct type type, uint64_t bits)
{
	unsigned above = 64 - 8 * type.size;
	double number;

	switch (type.form) {
	case SIGNED:
		return (double)((int64_t)(bits << above) >> above);
	case UNSIGNED:
		return (double)(bits << above >> above);
	case FLOAT:
		return single((uint32_t)bits);
	case HALF:
		return half((uint16_t)bits);
	case BFLOAT16:
		return single((uint32_t)bits << 16);
	case DOUBLE:
		break;
	}
	memcpy(&number, &bits, sizeof number);
	return number;
}

static uint64_t
bits_in(struct tp_slice bytes)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < bytes.len && i < 8; i++)
		bits |= (uint64_t)(uint8_t)bytes.ptr[i] << 8 * i;
	return bits;
}

/* Numbers of a packed list, which are fixed or varints. */
static unsigned
unpack(struct type type, struct tp_slice list, uint64_t *bits)
{
	struct tp_pb p = tp_pb_open(list);

	if (type.form == FLOAT || type.form == DOUBLE) {
		*bits = bits_in(list);
		return list.len == type.size ? 1 : 2;
	}
	return tp_pb_varint(&p, bits) && p.at == p.end ? 1 : 2;
}

bool
tp_events_scalar(struct tp_slice tensor, double *value)
{
	struct tp_pb t = tp_pb_open(tensor);
	struct type type = {0};
	uint64_t bits = 0;
	unsigned numbers = 0;

	while (tp_pb_next(&t)) {
		if (t.field == TENSOR_DTYPE && t.type == TP_PB_VARINT)
			type = type_of(t.number);
		if (t.field == TENSOR_CONTENT && t.type == TP_PB_BYTES && t.bytes.len != 0) {
			bits = bits_in(t.bytes);
			numbers += t.bytes.len == type.size ? 1 : 2;
		}
		if (type.size == 0 || t.field != type.list)
			continue;
		if (t.type == TP_PB_BYTES) {
			numbers += unpack(type, t.bytes, &bits);
		} else {
			bits = t.number;
			numbers++;
		}
	}
	if (t.state != TP_PB_END || numbers != 1 || type.size == 0)
		return false;
	*value = of_bits(type, bits);
	return true;
}
