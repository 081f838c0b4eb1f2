/* Nodes of the graph in its order, then those that only ran; each with what was measured and what a log adds. */
#include "ingest/tfprof_build.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "codec/pb_field.h"
#include "codec/pb_write.h"
#include "ingest/text_wire.h"
#include "ingest/tfprof_run.h"
#include "ingest/tfprof_texts.h"
#include "model/tfprof_fields.h"
#include "model/tfprof_times.h"

#include <ctype.h>

enum { GRAPH_NODE = 1, DEF_NAME = 1, DEF_OP = 2, DEF_INPUT = 3, DEF_ATTR = 5 };
enum {
	ATTR_LIST = 1,
	ATTR_SHAPE = 7,
	LIST_SHAPE = 7,
	SHAPE_DIM = 2,
	SHAPE_UNKNOWN = 3,
	DIM_SIZE = 1
};
enum { META_STATS = 1, STATS_DEVICE = 1, DEVICE_NAME = 1, DEVICE_NODE = 2, STATS_NAME = 1 };
enum {
	LOG_ENTRY = 1,
	LOG_TEXT = 2,
	ENTRY_NAME = 1,
	ENTRY_FLOPS = 2,
	ENTRY_TYPE = 3,
	ENTRY_CODE = 4
};

struct made {
	struct tp_slice name, op, def; /* def: NodeDef; empty: it only ran */
	struct tp_slice device, code;
	struct tp_buf types, records; /* struct tp_slice, struct tp_tfprof_record */
	int64_t float_ops;
};

struct building {
	struct tp_arena *arena;
	struct tp_map by_name; /* hash → index in nodes */
	struct tp_buf nodes;   /* struct made */
	struct tp_buf texts;   /* entries of the log, bytes */
	bool scheduled, streams, has_trace, any_device;
};

static uint32_t
find(const struct building *b, struct tp_slice name)
{
	return tp_map_get(&b->by_name, tp_hash_bytes(name));
}

static struct made *
at(const struct building *b, uint32_t index)
{
	return &((struct made *)b->nodes.data)[index];
}

static struct made *
add_node(struct building *b, struct tp_slice name, struct tp_slice op, struct tp_slice def)
{
	tp_map_put(&b->by_name, tp_hash_bytes(name), (uint32_t)b->nodes.count);
	struct made *m = tp_buf_new(&b->nodes, struct made);

	*m = (struct made){.name = name, .op = op, .def = def};
	*tp_buf_new(&m->types, struct tp_slice) = op;
	return m;
}

/* The message itself or, of a text, what it stands for; false: it is neither. */
static bool
on_wire(struct tp_arena *arena, struct tp_slice bytes, uint32_t field,
	const struct tp_wire_schema *schema, struct tp_slice *out)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_buf wire = {0};

	*out = bytes;
	while (tp_pb_next(&p))
		;
	if (p.state == TP_PB_END && (bytes.len == 0 || tp_pb_first(bytes, field).len != 0))
		return true;
	struct tp_text_wire w = tp_text_to_wire(bytes, schema, &wire);

	*out = tp_arena_copy(arena, tp_pb_written(&wire));
	tp_buf_free(&wire);
	return w.state == TP_TEXT_END && out->len != 0;
}

bool
tp_tfprof_run_on_wire(struct tp_slice bytes, struct tp_arena *arena, struct tp_slice *wire)
{
	return on_wire(arena, bytes, META_STATS, tp_tfprof_run_text, wire);
}

static void
add_graph(struct building *b, struct tp_slice bytes)
{
	for (struct tp_pb p = tp_pb_open(bytes); tp_pb_next_bytes(&p, GRAPH_NODE);) {
		struct tp_slice name = tp_pb_first(p.bytes, DEF_NAME);

		if (name.len != 0 && find(b, name) == TP_MAP_NONE)
			add_node(b, name, tp_pb_first(p.bytes, DEF_OP), p.bytes);
	}
}

static struct tp_slice
in_small_letters(struct building *b, struct tp_slice s)
{
	struct tp_slice copy = tp_arena_copy(b->arena, s);

	for (size_t i = 0; i < copy.len; i++)
		((char *)copy.ptr)[i] = (char)tolower((unsigned char)copy.ptr[i]);
	return copy;
}

/* A node is on the first device that counts; of others that count nothing is kept. */
static void
add_record(struct made *m, const struct tp_tfprof_record *r, bool any)
{
	if (tp_tfprof_counts_as_run(r->device, any)) {
		if (m->device.len != 0 && !tp_slice_eq(m->device, r->device))
			return;
		if (m->device.len == 0) {
			m->device = r->device;
			*tp_buf_new(&m->types, struct tp_slice) = r->device;
		}
	}
	*tp_buf_new(&m->records, struct tp_tfprof_record) = *r;
}

static void
add_stats(struct building *b, int64_t step, struct tp_slice device, struct tp_slice stats)
{
	struct tp_slice name = tp_pb_first(stats, STATS_NAME);
	const char *colon = name.len != 0 ? memchr(name.ptr, ':', name.len) : NULL;
	const struct tp_tfprof_record record = {step, device, stats};

	name.len = colon != NULL ? (size_t)(colon - name.ptr) : name.len;
	uint32_t index = find(b, name);

	if (index == TP_MAP_NONE) {
		if (tp_slice_eq(name, TP_S("RecvTensor")) || tp_slice_eq(name, TP_S("_SOURCE")) ||
			tp_slice_has(name, TP_S("MEMCPY")) || name.len == 0)
			return;
		index = (uint32_t)b->nodes.count;
		add_node(b, name, name, TP_S(""));
	}
	add_record(at(b, index), &record, b->any_device);
}

static void
add_run(struct building *b, int64_t step, struct tp_slice bytes)
{
	for (struct tp_pb p = tp_pb_open(tp_pb_first(bytes, META_STATS));
		 tp_pb_next_bytes(&p, STATS_DEVICE);) {
		struct tp_slice device = in_small_letters(b, tp_pb_first(p.bytes, DEVICE_NAME));
		struct tp_pb n = tp_pb_open(p.bytes);

		b->scheduled |= tp_slice_has(device, TP_S("gpu"));
		b->streams |= tp_slice_has(device, TP_S("gpu")) && tp_slice_has(device, TP_S("stream:all"));
		while (tp_pb_next_bytes(&n, DEVICE_NODE))
			add_stats(b, step, device, n.bytes);
	}
}

static void
add_entry(struct building *b, struct tp_slice entry)
{
	uint32_t index = find(b, tp_pb_first(entry, ENTRY_NAME));
	int64_t float_ops = tp_pb_number(entry, ENTRY_FLOPS);

	if (index == TP_MAP_NONE)
		return;
	struct made *m = at(b, index);

	for (struct tp_pb p = tp_pb_open(entry); tp_pb_next_bytes(&p, ENTRY_TYPE);)
		*tp_buf_new(&m->types, struct tp_slice) = p.bytes;
	if (float_ops != 0)
		m->float_ops = float_ops;
	if (m->code.len == 0)
		m->code = tp_pb_first(entry, ENTRY_CODE);
	b->has_trace |= m->code.len != 0;
}

static void
add_log(struct building *b, struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES && p.field == LOG_ENTRY)
			add_entry(b, p.bytes);
		else if (p.type == TP_PB_BYTES && p.field == LOG_TEXT)
			tp_pb_put_bytes(&b->texts, TP_PROFILE_TEXT, p.bytes);
	}
}

/* Scalars are [1]; of unknown rank nothing is written. */
static void
put_dims(struct tp_slice message, uint32_t field, struct tp_buf *out)
{
	bool any = false;

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, SHAPE_DIM); any = true)
		tp_pb_put_number(out, field, (uint64_t)tp_pb_number(p.bytes, DIM_SIZE));
	if (!any && tp_pb_number(message, SHAPE_UNKNOWN) == 0)
		tp_pb_put_number(out, field, 1);
}

static void
put_shapes(struct tp_slice list, struct tp_buf *out)
{
	uint64_t place = 0;

	for (struct tp_pb p = tp_pb_open(list); tp_pb_next_bytes(&p, LIST_SHAPE); place++) {
		size_t start = out->count, value;

		tp_pb_put_number(out, 1, place);
		value = out->count;
		put_dims(p.bytes, TP_TUPLE_NUMBER, out);
		tp_pb_wrap(out, 2, out->count - value);
		tp_pb_wrap(out, TP_NODE_OUTPUT_SHAPE, out->count - start);
	}
}

static void
put_attributes(const struct made *m, struct tp_buf *out)
{
	struct tp_pb field;

	for (struct tp_pb p = tp_pb_open(m->def); tp_pb_next_bytes(&p, DEF_ATTR);) {
		struct tp_slice key = tp_pb_first(p.bytes, 1), value = tp_pb_first(p.bytes, 2);

		tp_pb_put_bytes(out, TP_NODE_ATTRIBUTE, p.bytes);
		if (tp_slice_eq(key, TP_S("shape")) && tp_pb_field(value, ATTR_SHAPE, TP_PB_BYTES, &field))
			put_dims(field.bytes, TP_NODE_SHAPE, out);
		else if (tp_slice_eq(key, TP_S("_output_shapes")))
			put_shapes(tp_pb_first(value, ATTR_LIST), out);
	}
}

static void
put_pair(struct tp_buf *out, uint32_t field, uint64_t key, uint64_t value)
{
	size_t start = out->count;

	tp_pb_put_number(out, 1, key);
	tp_pb_put_number(out, 2, value);
	tp_pb_wrap(out, field, out->count - start);
}

/* "node", "node:1" and "^node" alike. Released builds of the original drop the number: they always take the shape of output 0. */
static void
put_inputs(const struct building *b, const struct made *m, struct tp_buf *out)
{
	uint64_t place = 0;

	for (struct tp_pb p = tp_pb_open(m->def); tp_pb_next_bytes(&p, DEF_INPUT); place++) {
		struct tp_slice name = p.bytes;
		const char *colon = name.len != 0 ? memchr(name.ptr, ':', name.len) : NULL;
		uint64_t output = 0;

		if (colon != NULL) {
			for (const char *c = colon + 1;
				 c < name.ptr + name.len && isdigit((unsigned char)*c) && output < 1000000; c++)
				output = output * 10 + (uint64_t)(*c - '0');
			name.len = (size_t)(colon - name.ptr);
		}
		if (name.len != 0 && *name.ptr == '^')
			name = tp_slice_from(name, 1);
		uint32_t index = find(b, name);

		/* What is not in the graph has a number that no node has. */
		put_pair(out, TP_NODE_INPUT, place, index != TP_MAP_NONE ? index : UINT32_MAX);
		if (index != TP_MAP_NONE)
			put_pair(out, TP_NODE_SOURCE_OUTPUT, index, output);
	}
}

/* ".../device:gpu:0" is with ".../device:cpu:0". */
static struct tp_slice
host_of(const struct building *b, struct tp_slice device)
{
	const char *gpu = device.len != 0 ? memmem(device.ptr, device.len, "gpu:", 4) : NULL;

	if (gpu == NULL)
		return device;
	return tp_arena_printf(b->arena, "%.*scpu:0", (int)(gpu - device.ptr), device.ptr);
}

static void
put_node(struct building *b, uint32_t index, struct tp_buf *out)
{
	struct made *m = at(b, index);
	const struct tp_slice *types = m->types.data;
	size_t start = out->count, value;

	tp_pb_put_number(out, 1, index);
	value = out->count;
	tp_pb_put_bytes(out, TP_NODE_NAME, m->name);
	tp_pb_put_bytes(out, TP_NODE_OP, m->op);
	tp_pb_put_number(out, TP_NODE_ID, index);
	for (size_t i = 0; i < m->types.count; i++)
		tp_pb_put_bytes(out, TP_NODE_TYPE, types[i]);
	if (m->device.len != 0) {
		tp_pb_put_bytes(out, TP_NODE_DEVICE, m->device);
		tp_pb_put_bytes(out, TP_NODE_HOST_DEVICE, host_of(b, m->device));
	}
	if (m->float_ops != 0)
		tp_pb_put_number(out, TP_NODE_FLOAT_OPS, (uint64_t)m->float_ops);
	if (m->code.len != 0)
		tp_pb_put_bytes(out, TP_NODE_CODE, m->code);
	put_attributes(m, out);
	put_inputs(b, m, out);
	tp_tfprof_put_execs(m->records.data, m->records.count, m->device, b->any_device, out);
	tp_pb_wrap(out, 2, out->count - value);
	tp_pb_wrap(out, TP_PROFILE_NODE, out->count - start);
	tp_buf_free(&m->types);
	tp_buf_free(&m->records);
}

static int64_t
step_of(const struct tp_tfprof_parts *parts, size_t run)
{
	return parts->steps != NULL ? parts->steps[run] : (int64_t)run;
}

static enum tp_status
add_all(struct building *b, const struct tp_tfprof_parts *parts, struct tp_err *err)
{
	struct tp_slice bytes;

	if (!on_wire(b->arena, parts->graph, GRAPH_NODE, tp_tfprof_graph_text, &bytes))
		return tp_fail(err, TP_ERR_FORMAT, "%.*s: not a TensorFlow graph", TP_ARG(parts->names[0]));
	add_graph(b, bytes);
	for (size_t i = 0; i < parts->run_meta_count; i++) {
		if (!tp_tfprof_run_on_wire(parts->run_metas[i], b->arena, &bytes) || bytes.len == 0)
			return tp_fail(err, TP_ERR_FORMAT, "%.*s: not RunMetadata with statistics of a step",
				TP_ARG(parts->names[1]));
		add_run(b, step_of(parts, i), bytes);
	}
	if (parts->op_log.len != 0 && tp_pb_first(parts->op_log, LOG_ENTRY).len == 0)
		return tp_fail(err, TP_ERR_FORMAT, "%.*s: not a tfprof op log", TP_ARG(parts->names[2]));
	add_log(b, parts->op_log);
	return TP_OK;
}

enum tp_status
tp_tfprof_build(const struct tp_tfprof_parts *parts, struct tp_arena *arena, struct tp_slice *dump,
	struct tp_err *err)
{
	struct building b = {.arena = arena, .any_device = parts->any_device};
	struct tp_buf out = {0};

	tp_map_init(&b.by_name, arena);
	enum tp_status status = add_all(&b, parts, err);

	for (uint32_t i = 0; i < b.nodes.count; i++)
		put_node(&b, i, &out);
	for (size_t i = 0; i < parts->run_meta_count; i++)
		tp_pb_put_number(&out, TP_PROFILE_STEP, (uint64_t)step_of(parts, i));
	tp_pb_put_raw(&out, tp_pb_written(&b.texts));
	tp_pb_put_number(&out, TP_PROFILE_TRACE, b.has_trace);
	tp_pb_put_number(&out, TP_PROFILE_MISSES, b.scheduled && !b.streams);
	*dump = tp_arena_copy(arena, tp_pb_written(&out));
	tp_buf_free(&out);
	tp_buf_free(&b.texts);
	tp_buf_free(&b.nodes);
	return status;
}
