/* Shapes, times and memory of a node. */
#include "ingest/tfprof_node.h"

#include "codec/pb_field.h"

enum { MAP_KEY = 1, MAP_VALUE = 2 };
enum { NODE_SHAPE = 4 };
enum { EXEC_RUNS = 1, EXEC_ACCELERATOR = 4, EXEC_CPU = 5, EXEC_MEMORY = 7, MEMORY_REQUESTED = 6 };
enum { TIMES_TIME = 1, TUPLE_NUMBER = 1 };

struct tp_slice
tp_tfprof_entry(struct tp_slice message, uint64_t *key, uint64_t *number)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice value = TP_S("");

	*key = *number = 0;
	while (tp_pb_next(&p)) {
		if (p.field == MAP_KEY && p.type == TP_PB_VARINT)
			*key = p.number;
		else if (p.field == MAP_VALUE && p.type == TP_PB_VARINT)
			*number = p.number;
		else if (p.field == MAP_VALUE && p.type == TP_PB_BYTES)
			value = p.bytes;
	}
	return value;
}

void
tp_tfprof_shape(struct tp_graph_draft *d, struct tp_slice tuple)
{
	struct tp_pb_numbers sizes = tp_pb_numbers(tuple, TUPLE_NUMBER);
	uint32_t rank = 0;

	for (int64_t size; tp_pb_next_number(&sizes, &size); rank++)
		tp_draft_dim(d, size);
	tp_draft_shape(d, rank != 0 ? rank : TP_GRAPH_UNKNOWN_RANK);
}

int64_t
tp_tfprof_elements(struct tp_slice node)
{
	struct tp_pb_numbers sizes = tp_pb_numbers(node, NODE_SHAPE);
	int64_t product = 1, size;
	bool any = false;

	for (; tp_pb_next_number(&sizes, &size); any = true) {
		if (size < 0 || __builtin_mul_overflow(product, size, &product))
			return TP_GRAPH_UNKNOWN_SHAPE;
	}
	return any ? product : TP_GRAPH_UNKNOWN_SHAPE;
}

/* Σ of the durations of a map from device to its times. */
static uint64_t
durations_of(struct tp_slice map_message)
{
	struct tp_pb p = tp_pb_open(tp_pb_first(map_message, MAP_VALUE));
	uint64_t sum = 0;

	while (tp_pb_next(&p)) {
		if (p.field != TIMES_TIME || p.type != TP_PB_BYTES)
			continue;
		struct tp_pb_numbers tuple = tp_pb_numbers(p.bytes, TUPLE_NUMBER);
		int64_t number;

		for (int i = 0; i < 2 && tp_pb_next_number(&tuple, &number); i++)
			sum += i == 1 && number > 0 ? (uint64_t)number : 0;
	}
	return sum;
}

void
tp_tfprof_exec(struct tp_graph_run *run, struct tp_slice exec)
{
	struct tp_pb p = tp_pb_open(exec);

	run->steps++;
	while (tp_pb_next(&p)) {
		if (p.field == EXEC_RUNS && p.type == TP_PB_VARINT)
			run->runs += p.number;
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == EXEC_ACCELERATOR)
			run->accelerator_us += durations_of(p.bytes);
		else if (p.field == EXEC_CPU)
			run->cpu_us += durations_of(p.bytes);
		if (p.field != EXEC_MEMORY)
			continue;
		struct tp_pb memory = tp_pb_open(p.bytes);

		while (tp_pb_next(&memory)) {
			if (memory.field == MEMORY_REQUESTED && memory.type == TP_PB_VARINT &&
				(int64_t)memory.number > 0)
				run->requested_bytes += memory.number;
		}
	}
}
