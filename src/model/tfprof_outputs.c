/* Lists of outputs, in order of their numbers. */
#include "model/tfprof_outputs.h"

#include "base/arena.h"
#include "base/order.h"
#include "codec/pb_field.h"
#include "model/tfprof_fields.h"

#include <stdlib.h>

struct output {
	int32_t number;
	uint32_t place;
	struct tp_slice shape; /* Tuple */
};
TP_ORDER(by_number, struct output, TP_UP(number), TP_UP(place));

struct list {
	const struct output *outputs;
	size_t count;
};

void
tp_tfprof_outputs_open(const struct tp_tfprof *t, struct tp_tfprof_outputs *outputs)
{
	*outputs = (struct tp_tfprof_outputs){.tfprof = t, .arena = tp_arena_new()};
	tp_map_init(&outputs->nodes, outputs->arena);
}

void
tp_tfprof_outputs_close(struct tp_tfprof_outputs *outputs)
{
	tp_buf_free(&outputs->lists);
	tp_arena_free(outputs->arena);
}

static struct list
read_list(const struct tp_tfprof_node *node, struct tp_arena *arena)
{
	struct tp_buf found = {0};
	uint64_t key, number;

	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_OUTPUT_SHAPE);) {
		struct tp_slice shape = tp_tfprof_entry(p.bytes, &key, &number);

		TP_PUSH(&found, struct output, (int32_t)key, (uint32_t)found.count, shape);
	}
	if (found.count > 1)
		qsort(found.data, found.count, sizeof(struct output), by_number);
	size_t count = found.count;

	return (struct list){tp_buf_settle(&found, sizeof(struct output), arena), count};
}

static struct list
list_of(struct tp_tfprof_outputs *outputs, uint32_t node)
{
	uint32_t number;

	if (tp_map_number(&outputs->nodes, node, &number))
		*tp_buf_new(&outputs->lists, struct list) =
			read_list(&outputs->tfprof->nodes[node], outputs->arena);
	return ((const struct list *)outputs->lists.data)[number];
}

/* Of several entries for one output the first counts. */
void
tp_tfprof_input_shape(
	struct tp_tfprof_outputs *outputs, const struct tp_tfprof_input *input, struct tp_buf *dims)
{
	dims->count = 0;
	if (input->node == TP_MAP_NONE || input->output < 0)
		return;
	struct list list = list_of(outputs, input->node);
	size_t i = TP_FIRST_WHERE(at, list.count, list.outputs[at].number >= input->output);

	if (i == list.count || list.outputs[i].number != input->output)
		return;
	struct tp_pb_numbers sizes = tp_pb_numbers(list.outputs[i].shape, TP_TUPLE_NUMBER);

	for (int64_t size; tp_pb_next_number(&sizes, &size);)
		*tp_buf_new(dims, int64_t) = size;
}
