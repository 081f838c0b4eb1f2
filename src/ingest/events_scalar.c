/* One number out of a tensorflow.TensorProto: its bytes as they lie in memory, or a list of the type's own. */
#include "ingest/events.h"

#include "codec/pb_wire.h"

#include <math.h>

enum { TENSOR_DTYPE = 1, TENSOR_CONTENT = 4 };
enum {
	FLOAT_VAL = 5,
	DOUBLE_VAL = 6,
	INT_VAL = 7,
	INT64_VAL = 10,
	HALF_VAL = 13,
	UINT32_VAL = 16,
	UINT64_VAL = 17
};
enum {
	DT_FLOAT = 1,
	DT_DOUBLE = 2,
	DT_INT32 = 3,
	DT_INT64 = 9,
	DT_BFLOAT16 = 14,
	DT_HALF = 19,
	DT_UINT32 = 22,
	DT_UINT64 = 23
};

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

static unsigned
size_of(uint64_t dtype)
{
	switch (dtype) {
	case DT_BFLOAT16:
	case DT_HALF:
		return 2;
	case DT_FLOAT:
	case DT_INT32:
	case DT_UINT32:
		return 4;
	case DT_DOUBLE:
	case DT_INT64:
	case DT_UINT64:
		return 8;
	default:
		return 0;
	}
}

/* The number whose bits these are. */
static double
of_bits(uint64_t dtype, uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float f;
	double d;

	switch (dtype) {
	case DT_HALF:
		return half((uint16_t)bits);
	case DT_BFLOAT16:
		low = (uint32_t)bits << 16;
		break;
	case DT_DOUBLE:
		memcpy(&d, &bits, sizeof d);
		return d;
	case DT_INT32:
		return (int32_t)low;
	case DT_INT64:
		return (double)(int64_t)bits;
	case DT_UINT32:
		return low;
	case DT_UINT64:
		return (double)bits;
	default:
		break;
	}
	memcpy(&f, &low, sizeof f);
	return (double)f;
}

/* The list that holds numbers of this type. */
static uint32_t
list_of(uint64_t dtype)
{
	switch (dtype) {
	case DT_FLOAT:
		return FLOAT_VAL;
	case DT_DOUBLE:
		return DOUBLE_VAL;
	case DT_INT32:
		return INT_VAL;
	case DT_INT64:
		return INT64_VAL;
	case DT_BFLOAT16:
	case DT_HALF:
		return HALF_VAL;
	case DT_UINT32:
		return UINT32_VAL;
	case DT_UINT64:
		return UINT64_VAL;
	default:
		return 0;
	}
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
unpack(uint64_t dtype, struct tp_slice list, uint64_t *bits)
{
	struct tp_pb p = tp_pb_open(list);

	if (dtype == DT_FLOAT || dtype == DT_DOUBLE) {
		*bits = bits_in(list);
		return list.len == size_of(dtype) ? 1 : 2;
	}
	return tp_pb_varint(&p, bits) && p.at == p.end ? 1 : 2;
}

bool
tp_events_scalar(struct tp_slice tensor, double *value)
{
	struct tp_pb t = tp_pb_open(tensor);
	uint64_t dtype = 0, bits = 0;
	unsigned numbers = 0;

	while (tp_pb_next(&t)) {
		if (t.field == TENSOR_DTYPE && t.type == TP_PB_VARINT)
			dtype = t.number;
		if (t.field == TENSOR_CONTENT && t.type == TP_PB_BYTES && t.bytes.len != 0) {
			bits = bits_in(t.bytes);
			numbers += t.bytes.len == size_of(dtype) ? 1 : 2;
		}
		if (list_of(dtype) == 0 || t.field != list_of(dtype))
			continue;
		if (t.type == TP_PB_BYTES) {
			numbers += unpack(dtype, t.bytes, &bits);
		} else {
			bits = t.number;
			numbers++;
		}
	}
	if (t.state != TP_PB_END || numbers != 1 || size_of(dtype) == 0)
		return false;
	*value = of_bits(dtype, bits);
	return true;
}
