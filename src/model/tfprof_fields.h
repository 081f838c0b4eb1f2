/* Numbers of the fields of tensorflow/core/profiler/tfprof_log.proto, and the two ways in which its maps are met. */
#ifndef TP_MODEL_TFPROF_FIELDS_H
#define TP_MODEL_TFPROF_FIELDS_H

#include "codec/pb_wire.h"

enum {
	TP_PROFILE_NODE = 1,
	TP_PROFILE_TRACE = 2,
	TP_PROFILE_STEP = 3,
	TP_PROFILE_TEXT = 4,
	TP_PROFILE_MISSES = 5,
};
enum {
	TP_NODE_NAME = 1,
	TP_NODE_INPUT = 2,
	TP_NODE_SHAPE = 4,
	TP_NODE_TYPE = 5,
	TP_NODE_DEVICE = 6,
	TP_NODE_HOST_DEVICE = 7,
	TP_NODE_FLOAT_OPS = 8,
	TP_NODE_OP = 9,
	TP_NODE_CODE = 10,
	TP_NODE_ATTRIBUTE = 11,
	TP_NODE_EXEC = 12,
	TP_NODE_ID = 13,
	TP_NODE_SOURCE_OUTPUT = 14,
	TP_NODE_OUTPUT_SHAPE = 15,
};
enum {
	TP_EXEC_RUNS = 1,
	TP_EXEC_START = 2,
	TP_EXEC_END = 3,
	TP_EXEC_ACCELERATOR = 4,
	TP_EXEC_CPU = 5,
	TP_EXEC_DEVICE = 6,
	TP_EXEC_MEMORY = 7,
	TP_EXEC_ALLOCATION = 11,
};
enum {
	TP_MEMORY_AT = 1,
	TP_MEMORY_ACCELERATOR_PERSISTENT = 5,
	TP_MEMORY_REQUESTED = 6,
	TP_MEMORY_PEAK = 7,
	TP_MEMORY_RESIDUAL = 8,
	TP_MEMORY_OUTPUT = 9,
	TP_MEMORY_IN_USE = 10,
};
enum { TP_TIMES_TIME = 1, TP_TUPLE_NUMBER = 1 };

/* An entry of a map with numbers as keys: its key, and its value as bytes or as a number. */
static inline struct tp_slice
tp_tfprof_entry(struct tp_slice message, uint64_t *key, uint64_t *number)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice value = TP_S("");

	*key = *number = 0;
	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_VARINT)
			*key = p.number;
		else if (p.field == 2 && p.type == TP_PB_VARINT)
			*number = p.number;
		else if (p.field == 2 && p.type == TP_PB_BYTES)
			value = p.bytes;
	}
	return value;
}

/* The sum, or the int64 next to it. */
static inline int64_t
tp_tfprof_plus(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return b > 0 ? INT64_MAX : INT64_MIN;
}

#endif
