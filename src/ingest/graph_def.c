/* Reading GraphDef field by field: nodes, their attributes as far as they matter, functions. */
#include "ingest/graph_def.h"

#include "base/number.h"
#include "base/texts.h"
#include "codec/pb_field.h"
#include "ingest/reader.h"
#include "model/build.h"

enum { GRAPH_NODE = 1, GRAPH_LIBRARY = 2 };
enum { NODE_NAME = 1, NODE_OP = 2, NODE_INPUT = 3, NODE_DEVICE = 4, NODE_ATTR = 5 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };
enum { ATTR_LIST = 1, ATTR_TYPE = 6, ATTR_SHAPE = 7, ATTR_FUNCTION = 10 };
enum { LIST_SHAPE = 7, LIST_FUNCTION = 9, NAMED_FUNCTION = 1 };
enum { SHAPE_DIM = 2, SHAPE_UNKNOWN_RANK = 3, DIM_SIZE = 1 };
enum { LIBRARY_FUNCTION = 1, FUNCTION_SIGNATURE = 1, FUNCTION_NODE = 3, SIGNATURE_NAME = 1 };

void
tp_graph_damage_note(struct tp_graph_damage *damage, const struct tp_pb *p)
{
	if (damage->at != NULL || p->state == TP_PB_END || p->state == TP_PB_MORE)
		return;
	damage->at = p->at;
	damage->cut = p->state == TP_PB_TRUNCATED;
}

/* Pushes the dimensions of a TensorShapeProto; its rank, or TP_GRAPH_UNKNOWN_RANK. */
static uint32_t
read_shape(struct tp_graph_draft *d, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	bool unknown = false;
	uint32_t rank = 0;

	while (tp_pb_next(&p)) {
		if (p.field == SHAPE_UNKNOWN_RANK && p.type == TP_PB_VARINT)
			unknown = p.number != 0;
		if (p.field != SHAPE_DIM || p.type != TP_PB_BYTES)
			continue;
		tp_draft_dim(d, tp_pb_number(p.bytes, DIM_SIZE));
		rank++;
	}
	return unknown ? TP_GRAPH_UNKNOWN_RANK : rank;
}

/* How many elements a variable of this shape has, as its node says them. */
static int64_t
elements_of(struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	int64_t product = 1;

	while (tp_pb_next(&p)) {
		if (p.field == SHAPE_UNKNOWN_RANK && p.type == TP_PB_VARINT && p.number != 0)
			return TP_GRAPH_UNKNOWN_SHAPE;
		if (p.field != SHAPE_DIM || p.type != TP_PB_BYTES)
			continue;
		int64_t size = tp_pb_number(p.bytes, DIM_SIZE);

		if (size < 0 || __builtin_mul_overflow(product, size, &product))
			return TP_GRAPH_UNKNOWN_SHAPE;
	}
	return product;
}

static void
read_output_shapes(struct tp_graph_draft *d, struct tp_slice list)
{
	for (struct tp_pb p = tp_pb_open(list); tp_pb_next_bytes(&p, LIST_SHAPE);)
		tp_draft_shape(d, read_shape(d, p.bytes));
}

/* Branches of Case, and the like. */
static void
read_functions(struct tp_graph_draft *d, struct tp_slice list)
{
	for (struct tp_pb p = tp_pb_open(list); tp_pb_next_bytes(&p, LIST_FUNCTION);)
		tp_draft_call(d, tp_pb_first(p.bytes, NAMED_FUNCTION));
}

bool
tp_graph_is_variable(struct tp_slice op)
{
	return tp_texts_any(op, tp_slice_eq, TP_TEXTS("VarHandleOp", "VariableV2", "Variable"));
}

void
tp_graph_attr_read(struct tp_graph_draft *d, struct tp_graph_draft_node *node, struct tp_slice key,
	struct tp_slice value)
{
	bool is_type =
		tp_slice_eq(key, TP_S("dtype")) || (tp_slice_eq(key, TP_S("T")) && node->type == 0);
	bool is_shape = node->elements != TP_GRAPH_NO_VARIABLE && tp_slice_eq(key, TP_S("shape"));
	bool is_outputs = tp_slice_eq(key, TP_S("_output_shapes"));
	struct tp_pb p = tp_pb_open(value);

	node->outside |= tp_slice_eq(key, TP_S("_xla_outside_compilation"));
	while (tp_pb_next(&p)) {
		if (is_type && p.field == ATTR_TYPE && p.type == TP_PB_VARINT && p.number <= UINT8_MAX)
			node->type = (uint8_t)p.number;
		else if (is_shape && p.field == ATTR_SHAPE && p.type == TP_PB_BYTES)
			node->elements = elements_of(p.bytes);
		else if (is_outputs && p.field == ATTR_LIST && p.type == TP_PB_BYTES)
			read_output_shapes(d, p.bytes);
		else if (p.field == ATTR_LIST && p.type == TP_PB_BYTES)
			read_functions(d, p.bytes);
		else if (p.field == ATTR_FUNCTION && p.type == TP_PB_BYTES)
			tp_draft_call(d, tp_pb_first(p.bytes, NAMED_FUNCTION));
	}
}

static void
read_attr(struct tp_graph_draft *d, struct tp_graph_draft_node *node, struct tp_slice entry)
{
	struct tp_pb p = tp_pb_open(entry);
	struct tp_slice key = TP_S(""), value = TP_S("");

	while (tp_pb_next(&p)) {
		if (p.field == MAP_KEY && p.type == TP_PB_BYTES)
			key = p.bytes;
		else if (p.field == MAP_VALUE && p.type == TP_PB_BYTES)
			value = p.bytes;
	}
	tp_graph_attr_read(d, node, key, value);
}

/* Fields may come in any order, so that what names the node is looked for first. */
static void
read_node(struct tp_graph_draft *d, struct tp_slice message, struct tp_graph_damage *damage)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice name = TP_S(""), op = TP_S(""), device = TP_S("");

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == NODE_NAME)
			name = p.bytes;
		else if (p.field == NODE_OP)
			op = p.bytes;
		else if (p.field == NODE_DEVICE)
			device = p.bytes;
	}
	tp_graph_damage_note(damage, &p);
	if (p.state != TP_PB_END || name.len == 0) {
		damage->lost++;
		return;
	}
	struct tp_graph_draft_node *node = tp_draft_node(d, name, op, device);

	if (node == NULL)
		return;
	if (tp_graph_is_variable(op))
		node->elements = TP_GRAPH_UNKNOWN_SHAPE;
	p = tp_pb_open(message);
	while (tp_pb_next(&p)) {
		if (p.field == NODE_INPUT && p.type == TP_PB_BYTES)
			tp_draft_input(d, p.bytes);
		else if (p.field == NODE_ATTR && p.type == TP_PB_BYTES)
			read_attr(d, node, p.bytes);
	}
}

static void
read_function(struct tp_graph_draft *d, struct tp_slice message, struct tp_graph_damage *damage)
{
	struct tp_pb p = tp_pb_open(message);

	tp_draft_function(d, tp_pb_first(tp_pb_first(message, FUNCTION_SIGNATURE), SIGNATURE_NAME));
	while (tp_pb_next_bytes(&p, FUNCTION_NODE))
		read_node(d, p.bytes, damage);
	tp_graph_damage_note(damage, &p);
}

/* Functions come after all nodes of the graph, wherever the file has them. */
static void
read_fields(struct tp_graph_draft *d, struct tp_slice message, uint32_t field,
	struct tp_graph_damage *damage)
{
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next_bytes(&p, field)) {
		if (field == GRAPH_NODE) {
			read_node(d, p.bytes, damage);
			continue;
		}
		struct tp_pb library = tp_pb_open(p.bytes);

		while (tp_pb_next_bytes(&library, LIBRARY_FUNCTION))
			read_function(d, library.bytes, damage);
		tp_graph_damage_note(damage, &library);
	}
	tp_graph_damage_note(damage, &p);
}

void
tp_graph_def_read(struct tp_graph_draft *d, struct tp_slice message, struct tp_graph_damage *damage)
{
	read_fields(d, message, GRAPH_NODE, damage);
	read_fields(d, message, GRAPH_LIBRARY, damage);
}

void
tp_graph_damage_tell(
	const struct tp_source *in, struct tp_builder *out, const struct tp_graph_damage *damage)
{
	const uint8_t *start = (const uint8_t *)in->bytes.ptr;
	bool inside = damage->at >= start && damage->at <= start + in->bytes.len;

	if (damage->at == NULL)
		return;
	tp_built_input(out, in->input)->partial = true;
	tp_diag_at(&tp_builder_profile(out)->diags, TP_DIAG_WARNING, in->path,
		inside ? in->bytes_at + (uint64_t)(damage->at - start) : TP_NO_OFFSET,
		damage->cut ? "the graph is cut off here: %u %s left out, everything before is kept"
					: "not a graph from here on: %u %s left out, everything before is kept",
		damage->lost, tp_plural(damage->lost, "node", "nodes"));
}
