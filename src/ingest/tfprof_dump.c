/* The reader of dumps of tfprof (profile_100, written by ProfileContext and tf.profiler): a ProfileProto of
 * tensorflow/core/profiler/tfprof_log.proto, the graph with what every node did in the steps that were traced. */
#include "ingest/graph_def.h"

#include "base/arena.h"
#include "base/order.h"
#include "base/path.h"
#include "base/texts.h"
#include "base/utf8.h"
#include "codec/pb_field.h"
#include "ingest/reader.h"
#include "ingest/tfprof_code.h"
#include "ingest/tfprof_dump.h"
#include "model/build.h"
#include "model/tfprof.h"

#include <stdlib.h>

enum { PROFILE_NODE = 1, PROFILE_STEP = 3, PROFILE_TEXTS = 4 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };
enum {
	NODE_NAME = 1,
	NODE_INPUT = 2,
	NODE_TYPE = 5,
	NODE_DEVICE = 6,
	NODE_OP = 9,
	NODE_CODE = 10,
	NODE_ATTR = 11,
	NODE_EXEC = 12,
	NODE_SOURCE_OUTPUT = 14,
	NODE_OUTPUT_SHAPE = 15,
};

/* Nodes of a map come in any order; by their ids they are in that of the graph. */
struct entry {
	uint64_t id;
	struct tp_slice name, message;
};

struct dump {
	const struct tp_source *in;
	struct tp_graph_draft draft;
	struct tp_graph_damage damage;
	struct tp_tfprof_code code;
	struct tp_buf entries, runs; /* runs: struct tp_graph_run by node */
	struct tp_map by_id;         /* id → entry */
	int64_t counted;             /* which steps are: tp_tfprof_steady */
};

enum { NODE_SHAPE = 4 };
enum { EXEC_RUNS = 1, EXEC_ACCELERATOR = 4, EXEC_CPU = 5, EXEC_MEMORY = 7, MEMORY_REQUESTED = 6 };
enum { TIMES_TIME = 1, TUPLE_NUMBER = 1 };

/* An entry of a map with numbers as keys: its key, and its value as bytes or as a number. */
static struct tp_slice
entry_of(struct tp_slice message, uint64_t *key, uint64_t *number)
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

/* tfprof writes scalars as [1], and nothing for what is not known. */
static void
push_shape(struct tp_graph_draft *d, struct tp_slice tuple)
{
	struct tp_pb_numbers sizes = tp_pb_numbers(tuple, TUPLE_NUMBER);
	uint32_t rank = 0;

	for (int64_t size; tp_pb_next_number(&sizes, &size); rank++)
		tp_draft_dim(d, size);
	tp_draft_shape(d, rank != 0 ? rank : TP_GRAPH_UNKNOWN_RANK);
}

/* Of a node that is a variable. */
static int64_t
elements_of(struct tp_slice node)
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
	uint64_t sum = 0;

	for (struct tp_pb p = tp_pb_open(tp_pb_first(map_message, MAP_VALUE));
		 tp_pb_next_bytes(&p, TIMES_TIME);) {
		struct tp_pb_numbers tuple = tp_pb_numbers(p.bytes, TUPLE_NUMBER);
		int64_t number;

		for (int i = 0; i < 2 && tp_pb_next_number(&tuple, &number); i++)
			sum += i == 1 && number > 0 ? (uint64_t)number : 0;
	}
	return sum;
}

/* What a step, an ExecProfile, says of a node. */
static void
add_step(const struct dump *d, struct tp_graph_run *run, struct tp_slice entry)
{
	uint64_t step, number;
	struct tp_slice exec = entry_of(entry, &step, &number);

	if (!tp_tfprof_counts(d->counted, (int64_t)step))
		return;

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

/* Whether only the run knows the node, which then has its name as its operation: a name that no operation of a graph has. */
static bool
is_of_run_alone(struct tp_slice name, struct tp_slice op)
{
	if (!tp_slice_eq(name, op) || op.len == 0)
		return false;
	if (*op.ptr < 'A' || *op.ptr > 'Z')
		return true;
	return memchr(op.ptr, '/', op.len) != NULL;
}

static void
read_details(struct dump *d, struct tp_graph_draft_node *node, struct tp_slice message)
{
	struct tp_graph_run *run = tp_buf_add(&d->runs, sizeof *run);
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == NODE_TYPE)
			node->trained |= tp_slice_eq(p.bytes, TP_S("_trainable_variables"));
		else if (p.field == NODE_ATTR)
			tp_graph_attr_read(
				&d->draft, node, tp_pb_first(p.bytes, MAP_KEY), tp_pb_first(p.bytes, MAP_VALUE));
		else if (p.field == NODE_EXEC)
			add_step(d, run, p.bytes);
	}
	/* Optimizers' own variables are in the collection of none. */
	d->draft.graph->trained_known |= node->trained;
}

/* An entry of a map by a number: what is at a place. */
struct placed {
	uint64_t place, number;
	struct tp_slice value;
};

TP_ORDER(by_place, struct placed, TP_UP(place));

/* The entries of a map in the order of their places. */
static const struct placed *
in_order(struct tp_slice message, uint32_t field, struct tp_buf *list)
{
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, field);) {
		struct placed e;

		e.value = entry_of(p.bytes, &e.place, &e.number);
		*tp_buf_new(list, struct placed) = e;
	}
	if (list->count != 0)
		qsort(list->data, list->count, sizeof(struct placed), by_place);
	return list->data;
}

/* Of outputs between others nothing may be known. */
static void
read_output_shapes(struct dump *d, struct tp_slice message)
{
	struct tp_buf list = {0};
	const struct placed *shapes = in_order(message, NODE_OUTPUT_SHAPE, &list);

	for (size_t i = 0; i < list.count && shapes[i].place == i; i++)
		push_shape(&d->draft, shapes[i].value);
	tp_buf_free(&list);
}

/* inputs: place → id of the node; source_outputs: id → which output of it. */
static void
read_inputs(struct dump *d, struct tp_slice message)
{
	struct tp_buf list = {0}, output_list = {0};
	const struct placed *inputs = in_order(message, NODE_INPUT, &list),
						*outputs = in_order(message, NODE_SOURCE_OUTPUT, &output_list);
	const struct entry *entries = d->entries.data;

	for (size_t i = 0; i < list.count; i++) {
		uint32_t at = tp_map_get(&d->by_id, inputs[i].number);
		struct placed wanted = {.place = inputs[i].number};
		const struct placed *output = output_list.count == 0
			? NULL
			: bsearch(&wanted, outputs, output_list.count, sizeof wanted, by_place);

		tp_draft_input_named(&d->draft, at != TP_MAP_NONE ? entries[at].name : TP_S(""),
			output != NULL && output->number < TP_GRAPH_CONTROL ? (uint32_t)output->number : 0);
	}
	tp_buf_free(&list);
	tp_buf_free(&output_list);
}

/* A node that is not of the graph; what it took is not lost. */
static void
pass_over(struct dump *d, struct tp_slice message)
{
	struct tp_graph *g = d->draft.graph;
	struct tp_graph_run run = {0};

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, NODE_EXEC);)
		add_step(d, &run, p.bytes);
	g->not_in_graph++;
	if (__builtin_add_overflow(g->not_in_graph_us, tp_graph_step_us(&run), &g->not_in_graph_us))
		g->not_in_graph_us = INT64_MAX;
	if (__builtin_add_overflow(
			g->not_in_graph_bytes, tp_graph_step_bytes(&run), &g->not_in_graph_bytes))
		g->not_in_graph_bytes = INT64_MAX;
}

static void
read_node(struct dump *d, const struct entry *e)
{
	struct tp_slice op = tp_pb_first(e->message, NODE_OP);

	if (is_of_run_alone(e->name, op)) {
		pass_over(d, e->message);
		return;
	}
	struct tp_graph_draft_node *node =
		tp_draft_node(&d->draft, e->name, op, tp_pb_first(e->message, NODE_DEVICE));

	if (node == NULL)
		return;
	if (tp_graph_is_variable(op))
		node->elements = elements_of(e->message);
	node->source = tp_intern_copy(
		d->draft.strings, tp_tfprof_place(&d->code, tp_pb_first(e->message, NODE_CODE)));
	read_details(d, node, e->message);
	if (d->draft.shapes.count == node->first_shape)
		read_output_shapes(d, e->message);
	read_inputs(d, e->message);
}

TP_ORDER(by_id, struct entry, TP_UP(id), tp_slice_cmp(a->name, b->name));

static void
collect(struct dump *d)
{
	struct tp_pb p = tp_pb_open(d->in->bytes);
	struct tp_pb_numbers steps = tp_pb_numbers(d->in->bytes, PROFILE_STEP);
	struct tp_buf traced = {0};
	uint64_t number;
	int64_t step;

	while (tp_pb_next_bytes(&p, PROFILE_NODE)) {
		struct entry e;

		e.message = entry_of(p.bytes, &e.id, &number);
		e.name = tp_pb_first(e.message, NODE_NAME);
		if (p.state == TP_PB_TRUNCATED || e.name.len == 0)
			d->damage.lost++;
		else if (d->entries.count < TP_GRAPH_MOST_NODES)
			*tp_buf_new(&d->entries, struct entry) = e;
	}
	tp_graph_damage_note(&d->damage, &p);
	while (tp_pb_next_number(&steps, &step))
		*(int64_t *)tp_buf_add(&traced, sizeof step) = step;
	tp_tfprof_order_steps(&traced);
	d->draft.graph->run_steps = (uint32_t)traced.count;
	d->counted = tp_tfprof_steady(traced.data, (uint32_t)traced.count);
	d->draft.graph->leaves_first = d->counted != TP_TFPROF_ALL_STEPS;
	tp_buf_free(&traced);
}

/* 100 of "profile_100", packed or not; -1 for other names. */
static int64_t
step_of(const char *path)
{
	struct tp_slice name = tp_path_name(tp_slice_of(path)), prefix = TP_S("profile_");
	int64_t step = 0;

	name.len -= tp_slice_ends(name, TP_S(".gz")) ? 3 : tp_slice_ends(name, TP_S(".zst")) ? 4 : 0;
	if (!tp_slice_starts(name, prefix) || name.len == prefix.len || name.len > prefix.len + 18)
		return -1;
	for (size_t i = prefix.len; i < name.len; i++) {
		if (name.ptr[i] < '0' || name.ptr[i] > '9')
			return -1;
		step = step * 10 + (name.ptr[i] - '0');
	}
	return step;
}

void
tp_tfprof_keep_dump(const struct tp_source *in, struct tp_builder *out, int64_t step)
{
	struct tp_arena *arena = tp_builder_profile(out)->arena;
	struct tp_tfprof *t = tp_build_next(out, tfprof_dumps);
	struct tp_slice path = tp_slice_of(in->path);

	t->name = tp_utf8_clean(arena, tp_arena_copy(arena, tp_path_name(path)));
	t->folder = tp_utf8_clean(arena, tp_arena_copy(arena, tp_path_folder(path)));
	t->input = in->input;
	t->step = step;
	tp_tfprof_read(in->bytes, arena, t, NULL);
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct dump d = {.in = in};
	int64_t step = step_of(in->path);

	tp_draft_open(&d.draft, out, &(struct tp_graph_place){.in = in, .step = step < 0 ? 0 : step});
	d.draft.graph->from = TP_GRAPH_FROM_TFPROF;
	collect(&d);
	struct entry *entries = d.entries.data;

	if (d.entries.count != 0)
		qsort(entries, d.entries.count, sizeof *entries, by_id);
	tp_map_init(&d.by_id, d.draft.scratch);
	d.code = tp_tfprof_code_open(in->bytes, PROFILE_TEXTS, d.draft.scratch);
	for (size_t i = 0; i < d.entries.count; i++)
		tp_map_put(&d.by_id, entries[i].id, (uint32_t)i);
	for (size_t i = 0; i < d.entries.count; i++)
		read_node(&d, &entries[i]);
	struct tp_graph *g = tp_draft_close(&d.draft);

	tp_buf_free(&d.entries);
	if (g != NULL && g->run_steps != 0)
		g->run = tp_buf_settle(&d.runs, sizeof *g->run, tp_builder_profile(out)->arena);
	tp_buf_free(&d.runs);
	if (g == NULL)
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0, "%s",
			in->bytes.len == 0 ? "the file is empty"
							   : "not a tfprof dump: it holds no named nodes");
	tp_graph_damage_tell(in, out, &d.damage);
	tp_tfprof_keep_dump(in, out, step);
	return TP_OK;
}

/* Nodes are messages with a name and, of those of a graph, an operation; other files with a map there have neither. */
static bool
is_dump(struct tp_slice head)
{
	struct tp_pb p = tp_pb_open(head);
	uint64_t id, number;

	if (!tp_pb_next(&p) || p.field != PROFILE_NODE || p.type != TP_PB_BYTES)
		return false;
	struct tp_slice node = entry_of(p.bytes, &id, &number), name = tp_pb_first(node, NODE_NAME);
	struct tp_pb n = tp_pb_open(node);

	while (tp_pb_next(&n)) {
		if (n.field == NODE_NAME && n.type != TP_PB_BYTES)
			return false;
	}
	return name.len != 0 && *name.ptr > ' ' && n.state != TP_PB_BROKEN &&
		tp_pb_first(node, NODE_OP).len != 0;
}

static int
probe(const char *path, struct tp_slice head)
{
	if (head.len == 0)
		return step_of(path) >= 0 ? 70 : 0;
	return is_dump(head) ? 70 : 0;
}

const struct tp_reader tp_reader_tfprof = {
	.name = "tfprof",
	.summary = "tfprof dumps: profile_100 and the like, the graph with what ran",
	.suffixes = TP_TEXTS(NULL),
	.probe = probe,
	.kind = TP_READS_OF_LOG,
	.read = read,
};
