/* A node tells what the operations below it took together; those of operations themselves also say which instruction it is. */
#include "ingest/tools_op_node.h"

#include "base/arena.h"
#include "base/buf.h"
#include "ingest/tools.h"
#include "tools.pb-c.h"

#include <math.h>
#include <stdlib.h>

/* Room for one more node or dimension. */
static bool
has_room(struct tp_op_nodes *all)
{
	all->cut |= all->count == TP_TOOL_MOST_ROWS;
	all->count += !all->cut;
	return !all->cut;
}

static struct tp_op_node *
new_node(struct tp_op_nodes *all)
{
	if (!has_room(all))
		return NULL;
	struct tp_op_node *n = tp_new(all->nodes, struct tp_op_node);

	n->share = n->time_ps = n->flops_share = n->flops = n->hbm_use = n->bytes = NAN;
	return n;
}

double
tp_op_not_negative(double value)
{
	return value >= 0 && isfinite(value) ? value : NAN;
}

/* Older files have names as HLO writes them, "%fusion.1". */
static struct tp_slice
without_sign(struct tp_slice name)
{
	return tp_slice_starts(name, TP_S("%")) ? tp_slice_from(name, 1) : name;
}

static uint64_t
count_of(double value)
{
	return value >= 1 && value < 1e15 ? (uint64_t)value : 0;
}

/* "model.py:42" */
static struct tp_slice
source_text(struct tp_op_nodes *all, struct tp_slice file, double line)
{
	return file.len == 0 || !(line >= 1 && line < 1e9)
		? file
		: tp_arena_printf(all->keep, "%.*s:%.0f", TP_ARG(file), line);
}

/* The first of a list, which is that of HBM; older files have one number. */
static const json_t *
first_of(const json_t *metrics, const char *list, const char *older)
{
	const json_t *value = json_object_get(metrics, list);

	return json_is_array(value) ? json_array_get(value, 0) : json_object_get(metrics, older);
}

static void
metrics_json(const json_t *m, struct tp_op_node *n)
{
	n->has_metrics = true;
	n->share = tp_op_not_negative(tp_json_figure(json_object_get(m, "time")));
	n->time_ps = tp_op_not_negative(tp_json_figure(json_object_get(m, "rawTime")));
	n->flops_share = tp_op_not_negative(tp_json_figure(json_object_get(m, "uncappedFlops")));
	if (!isfinite(n->flops_share))
		n->flops_share = tp_op_not_negative(tp_json_figure(json_object_get(m, "flops")));
	n->flops = tp_op_not_negative(tp_json_figure(json_object_get(m, "rawFlops")));
	n->hbm_use =
		tp_op_not_negative(tp_json_figure(first_of(m, "bandwidthUtils", "memoryBandwidth")));
	n->bytes = tp_op_not_negative(
		tp_json_figure(first_of(m, "rawBytesAccessedArray", "rawBytesAccessed")));
	n->occurrences = count_of(tp_json_figure(json_object_get(m, "occurrences")));
}

static void
layout_json(struct tp_op_nodes *all, const json_t *layout, struct tp_op_node *n)
{
	const json_t *list = json_object_get(layout, "dimensions");
	struct tp_precomputed_dim *dims =
		tp_new_array(all->keep, struct tp_precomputed_dim, json_array_size(list));

	for (size_t i = 0; i < json_array_size(list) && has_room(all); i++) {
		const json_t *d = json_array_get(list, i);

		dims[n->dim_count++] = (struct tp_precomputed_dim){
			.size = count_of(tp_json_figure(json_object_get(d, "size"))),
			.alignment = count_of(tp_json_figure(json_object_get(d, "alignment"))),
			.meaning = tp_json_text(all->keep, json_object_get(d, "semantics")),
		};
	}
	n->dims = dims;
}

static void
instruction_json(struct tp_op_nodes *all, const json_t *xla, struct tp_op_node *n)
{
	struct tp_arena *a = all->keep;
	const json_t *source = json_object_get(xla, "sourceInfo"),
				 *program = json_object_get(xla, "programId"),
				 *expression = json_object_get(xla, "expression");

	n->is_op = true;
	n->opcode = tp_json_text(a, json_object_get(xla, "op"));
	n->expression = tp_tool_long_text(
		a, (struct tp_slice){json_string_value(expression), json_string_length(expression)});
	n->provenance = tp_json_text(a, json_object_get(xla, "provenance"));
	n->category = tp_json_text(a, json_object_get(xla, "category"));
	n->source = source_text(all, tp_json_text(a, json_object_get(source, "fileName")),
		tp_json_figure(json_object_get(source, "lineNumber")));
	if (json_is_string(program))
		n->program_id = strtoull(json_string_value(program), NULL, 10);
	else if (json_is_integer(program))
		n->program_id = (uint64_t)json_integer_value(program);
	layout_json(all, json_object_get(xla, "layout"), n);
}

static struct tp_op_node *
node_json(struct tp_op_nodes *all, const json_t *json, unsigned depth)
{
	const json_t *children = json_object_get(json, "children"),
				 *metrics = json_object_get(json, "metrics"), *xla = json_object_get(json, "xla");
	struct tp_op_node *n = json_is_object(json) && depth <= all->deepest ? new_node(all) : NULL;

	if (n == NULL)
		return NULL;
	struct tp_op_node **end = &n->first;

	n->name = without_sign(tp_json_text(all->keep, json_object_get(json, "name")));
	n->all_children = count_of(tp_json_figure(json_object_get(json, "numChildren")));
	if (metrics != NULL)
		metrics_json(metrics, n);
	if (xla != NULL)
		instruction_json(all, xla, n);
	for (size_t i = 0; i < json_array_size(children); i++) {
		*end = node_json(all, json_array_get(children, i), depth + 1);
		end = *end != NULL ? &(*end)->next : end;
	}
	return n;
}

/* The first double of a repeated field, packed or not. */
static void
first_double(const struct tp_pb *p, double *out)
{
	if (isfinite(*out))
		return;
	if (p->type == TP_PB_FIXED64)
		*out = tp_op_not_negative(tp_pb_double(p));
	else if (p->type == TP_PB_BYTES && p->bytes.len >= sizeof(double)) {
		memcpy(out, p->bytes.ptr, sizeof *out);
		*out = tp_op_not_negative(*out);
	}
}

/* Metrics: 1, 3 and 13 are of older files. */
static void
metrics_pb(struct tp_slice message, struct tp_op_node *n)
{
	struct tp_pb p = tp_pb_open(message);
	double value;

	n->has_metrics = true;
	while (tp_pb_next(&p)) {
		if (p.field == 16 && p.type == TP_PB_VARINT && p.number < UINT32_MAX)
			n->occurrences = p.number;
		else if (p.field == 3 || p.field == 5)
			first_double(&p, &n->hbm_use);
		else if (p.field == 13 || p.field == 15)
			first_double(&p, &n->bytes);
		else if (tp_tool_number(&p, &value) && p.field == 1)
			n->share = value;
		else if (tp_tool_number(&p, &value) && p.field == 2)
			n->flops_share = value;
		else if (tp_tool_number(&p, &value) && p.field == 11)
			n->time_ps = value;
		else if (tp_tool_number(&p, &value) && p.field == 12)
			n->flops = value;
	}
}

static struct tp_precomputed_dim
dim_pb(struct tp_op_nodes *all, struct tp_slice message)
{
	Tp__OpDimension m = TP__OP_DIMENSION__INIT;

	tp_pb_message(&m.base, message);
	return (struct tp_precomputed_dim){
		.size = count_of((double)m.size),
		.alignment = count_of((double)m.alignment),
		.meaning = tp_tool_pb_text(all->keep, m.semantics),
	};
}

static void
layout_pb(struct tp_op_nodes *all, struct tp_slice message, struct tp_op_node *n)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf dims = {0};

	while (tp_pb_next_bytes(&p, 1)) {
		if (has_room(all))
			*tp_buf_new(&dims, struct tp_precomputed_dim) = dim_pb(all, p.bytes);
	}
	n->dim_count = dims.count;
	n->dims = tp_buf_settle(&dims, sizeof *n->dims, all->keep);
}

static struct tp_slice
source_pb(struct tp_op_nodes *all, struct tp_slice message)
{
	Tp__OpSource m = TP__OP_SOURCE__INIT;

	tp_pb_message(&m.base, message);
	return source_text(all, tp_tool_pb_text(all->keep, m.file_name), (double)m.line_number);
}

static void
instruction_pb(struct tp_op_nodes *all, struct tp_slice message, struct tp_op_node *n)
{
	Tp__OpInstruction m = TP__OP_INSTRUCTION__INIT;

	tp_pb_message(&m.base, message);
	n->is_op = true;
	n->opcode = tp_tool_long_text(all->keep, tp_pb_slice(m.op));
	n->expression = tp_tool_long_text(all->keep, tp_pb_slice(m.expression));
	n->provenance = tp_tool_long_text(all->keep, tp_pb_slice(m.provenance));
	n->category = tp_tool_long_text(all->keep, tp_pb_slice(m.category));
	n->program_id = m.program_id;
	n->source = source_pb(all, tp_pb_slice(m.source_info));
	layout_pb(all, tp_pb_slice(m.layout), n);
}

/* Of a node that is cut nothing is used. */
static struct tp_op_node *
node_pb(struct tp_op_nodes *all, struct tp_slice message, unsigned depth)
{
	struct tp_op_node *n = depth <= all->deepest ? new_node(all) : NULL;
	struct tp_pb p = tp_pb_open(message);

	if (n == NULL)
		return NULL;
	struct tp_op_node **end = &n->first;

	while (tp_pb_next(&p)) {
		if (p.field == 6 && p.type == TP_PB_VARINT)
			n->all_children = count_of((double)p.number);
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == 1) {
			n->name = without_sign(tp_tool_text(all->keep, p.bytes));
		} else if (p.field == 2) {
			metrics_pb(p.bytes, n);
		} else if (p.field == 3) {
			*end = node_pb(all, p.bytes, depth + 1);
			end = *end != NULL ? &(*end)->next : end;
		} else if (p.field == 5) {
			instruction_pb(all, p.bytes, n);
		}
	}
	return p.state == TP_PB_END ? n : NULL;
}

struct tp_op_node *
tp_op_node_json(struct tp_op_nodes *all, const json_t *json)
{
	return node_json(all, json, 0);
}

struct tp_op_node *
tp_op_node_pb(struct tp_op_nodes *all, struct tp_slice message)
{
	return node_pb(all, message, 0);
}
