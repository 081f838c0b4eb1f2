/* What is asked of nodes of a dump one by one: types, inputs, shapes, call stacks, attributes. */
#include "model/tfprof.h"

#include "base/buf.h"
#include "base/order.h"
#include "codec/pb_field.h"
#include "model/tfprof_fields.h"

#include <stdlib.h>

struct tp_tfprof_types
tp_tfprof_types(const struct tp_tfprof_node *node)
{
	return (struct tp_tfprof_types){tp_pb_open(node->message)};
}

bool
tp_tfprof_next_type(struct tp_tfprof_types *types, struct tp_slice *type)
{
	if (!tp_pb_next_bytes(&types->message, TP_NODE_TYPE))
		return false;
	*type = types->message.bytes;
	return true;
}

TP_ORDER(by_place, struct tp_tfprof_input, TP_UP(place));

/* Of a node that it takes from, which output. */
struct taken {
	uint64_t from;
	int32_t output;
	uint32_t place;
};

TP_ORDER(by_source, struct taken, TP_UP(from), TP_UP(place));

/* In the order of the nodes; of several entries for one the first counts. */
static void
collect_taken(const struct tp_tfprof_node *node, struct tp_buf *list)
{
	uint64_t key, number;

	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_SOURCE_OUTPUT);) {
		tp_tfprof_entry(p.bytes, &key, &number);
		*tp_buf_new(list, struct taken) =
			(struct taken){key, (int32_t)number, (uint32_t)list->count};
	}
	if (list->count > 1)
		qsort(list->data, list->count, sizeof(struct taken), by_source);
}

static int32_t
output_taken(const struct tp_buf *list, uint64_t from)
{
	const struct taken *t = list->data;
	size_t i = TP_FIRST_WHERE(at, list->count, t[at].from >= from);

	return i < list->count && t[i].from == from ? t[i].output : -1;
}

void
tp_tfprof_inputs(
	const struct tp_tfprof *t, const struct tp_tfprof_node *node, struct tp_buf *inputs)
{
	struct tp_buf taken = {0};
	uint64_t place, id;

	inputs->count = 0;
	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_INPUT);) {
		tp_tfprof_entry(p.bytes, &place, &id);
		*tp_buf_new(inputs, struct tp_tfprof_input) = (struct tp_tfprof_input){
			.place = (int32_t)place,
			.node = tp_tfprof_find_id(t, (int64_t)id),
			.output = -1,
		};
	}
	struct tp_tfprof_input *list = inputs->data;

	if (inputs->count > 1)
		qsort(list, inputs->count, sizeof *list, by_place);
	if (inputs->count != 0)
		collect_taken(node, &taken);
	for (size_t i = 0; i < inputs->count; i++) {
		if (list[i].node != TP_MAP_NONE)
			list[i].output = output_taken(&taken, (uint64_t)t->nodes[list[i].node].id);
	}
	tp_buf_free(&taken);
}

void
tp_tfprof_shape(const struct tp_tfprof_node *node, struct tp_buf *dims)
{
	struct tp_pb_numbers sizes = tp_pb_numbers(node->message, TP_NODE_SHAPE);

	dims->count = 0;
	for (int64_t size; tp_pb_next_number(&sizes, &size);)
		*tp_buf_new(dims, int64_t) = size;
}

struct tp_tfprof_frames
tp_tfprof_frames(const struct tp_tfprof *t, const struct tp_tfprof_node *node)
{
	return (struct tp_tfprof_frames){t, tp_pb_open(tp_pb_first(node->message, TP_NODE_CODE))};
}

static struct tp_slice
text_of(const struct tp_tfprof *t, uint64_t number)
{
	uint32_t i = tp_map_get(&t->number, number);

	return i == TP_MAP_NONE ? TP_S("") : t->texts[i];
}

bool
tp_tfprof_next_frame(struct tp_tfprof_frames *frames, struct tp_tfprof_frame *frame)
{
	enum { CODE_TRACE = 1, LINE = 2, FUNCTION_LINE = 5, FILE_ID = 6, FUNCTION_ID = 7 };

	if (!tp_pb_next_bytes(&frames->trace, CODE_TRACE))
		return false;
	struct tp_pb p = tp_pb_open(frames->trace.bytes);

	*frame = (struct tp_tfprof_frame){0};
	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_VARINT)
			continue;
		if (p.field == LINE)
			frame->line = (int32_t)p.number;
		else if (p.field == FUNCTION_LINE)
			frame->function_line = (int32_t)p.number;
		else if (p.field == FILE_ID)
			frame->file_id = p.number;
		else if (p.field == FUNCTION_ID)
			frame->function_id = p.number;
	}
	frame->file = text_of(frames->tfprof, frame->file_id);
	frame->function = text_of(frames->tfprof, frame->function_id);
	return true;
}

/* The AttrValue; empty: there is none, or it has nothing in it. */
static struct tp_slice
attribute(const struct tp_tfprof_node *node, struct tp_slice name)
{
	enum { KEY = 1, VALUE = 2 };

	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_ATTRIBUTE);) {
		if (tp_slice_eq(tp_pb_first(p.bytes, KEY), name))
			return tp_pb_first(p.bytes, VALUE);
	}
	return TP_S("");
}

struct tp_slice
tp_tfprof_text_attribute(const struct tp_tfprof_node *node, struct tp_slice name)
{
	enum { TEXT = 2 };

	return tp_pb_first(attribute(node, name), TEXT);
}

unsigned
tp_tfprof_type_attribute(const struct tp_tfprof_node *node, struct tp_slice name)
{
	enum { TYPE = 6 };
	int64_t type = tp_pb_number(attribute(node, name), TYPE);

	return type > 0 && type < 1000 ? (unsigned)type : 0;
}

bool
tp_tfprof_flag_attribute(const struct tp_tfprof_node *node, struct tp_slice name, bool otherwise)
{
	enum { FLAG = 5 };
	struct tp_slice value = attribute(node, name);
	struct tp_pb field;

	return tp_pb_field(value, FLAG, TP_PB_VARINT, &field) ? field.number != 0 : otherwise;
}

bool
tp_tfprof_ran(const struct tp_tfprof_node *node)
{
	struct tp_pb p = tp_pb_open(node->message);

	return tp_pb_next_bytes(&p, TP_NODE_EXEC);
}
