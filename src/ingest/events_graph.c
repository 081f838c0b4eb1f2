/* Graphs in event files: what tf.summary.FileWriter, Keras and tf.summary.trace_export write of them. */
#include "ingest/events.h"

#include "base/arena.h"
#include "ingest/graph_def.h"
#include "ingest/reader.h"
#include "model/build.h"
#include "model/events.h"

enum { TENSOR_STRING = 8 };
/* RunMetadata and its FunctionGraphs (tensorflow/core/protobuf/config.proto). */
enum { RUN_PARTITION = 3, RUN_FUNCTION = 4, FUNCTION_PARTITION = 1, FUNCTION_BEFORE = 2 };

static void
read_graph(const struct tp_graph_place *place, struct tp_builder *out, enum tp_graph_from from,
	struct tp_slice graph)
{
	struct tp_graph_damage damage = {0};
	struct tp_graph_draft d;

	tp_draft_open(&d, out, place);
	d.graph->from = from;
	if (from == TP_GRAPH_FROM_META)
		tp_graph_meta_read(&d, graph, &damage);
	else
		tp_graph_def_read(&d, graph, &damage);
	tp_draft_close(&d);
	tp_graph_damage_tell(place->in, out, &damage);
}

void
tp_events_graph(const struct tp_source *in, struct tp_builder *out, int64_t step,
	enum tp_graph_from from, struct tp_slice graph)
{
	read_graph(&(struct tp_graph_place){.in = in, .step = step, .copy = true}, out, from, graph);
}

enum { RUN_STATS = 1, STATS_DEVICE = 1, DEVICE_NAME = 1, DEVICE_NODE = 2 };
enum { NODE_NAME = 1, NODE_LABEL = 8 };

/* The fields of a message with this number, each what one device got, as one graph. False: there is none. Messages one after the
 * other are one message: GraphDefs are so made one of all nodes and functions. */
static bool
read_parts(const struct tp_graph_place *place, struct tp_builder *out, struct tp_slice message,
	uint32_t field)
{
	struct tp_graph_damage damage = {0};
	struct tp_graph_draft d;
	size_t size = 0;

	tp_draft_open(&d, out, place);
	char *all = tp_new_array(d.scratch, char, message.len);

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, field);) {
		memcpy(all + size, p.bytes.ptr, p.bytes.len);
		size += p.bytes.len;
	}
	d.graph->from = TP_GRAPH_FROM_PARTS;
	tp_graph_def_read(&d, (struct tp_slice){all, size}, &damage);
	tp_graph_damage_tell(place->in, out, &damage);
	tp_draft_close(&d);
	return size != 0;
}

/* "name = Op(a, b:1, ^c)", maybe behind what it took of memory, "[CPU] 1.2MB 1.2MB ". */
static void
read_label(
	struct tp_graph_draft *d, struct tp_slice name, struct tp_slice device, struct tp_slice label)
{
	static const struct tp_slice is = {" = ", 3};
	const char *at = label.len != 0 ? memmem(label.ptr, label.len, is.ptr, is.len) : NULL;

	if (at == NULL)
		return;
	struct tp_slice call = tp_slice_from(label, (size_t)(at - label.ptr) + is.len);
	const char *open = call.len != 0 ? memchr(call.ptr, '(', call.len) : NULL;

	if (open == NULL || call.ptr[call.len - 1] != ')')
		return;
	struct tp_slice op = {call.ptr, (size_t)(open - call.ptr)};
	struct tp_graph_draft_node *node = tp_draft_node(d, name, op, device);

	if (node == NULL)
		return;
	if (tp_graph_is_variable(op))
		node->elements = TP_GRAPH_UNKNOWN_SHAPE;
	call = tp_slice_from(call, (size_t)(open - call.ptr) + 1);
	call.len--;
	while (call.len != 0) {
		const char *comma = memmem(call.ptr, call.len, ", ", 2);
		size_t len = comma != NULL ? (size_t)(comma - call.ptr) : call.len;

		tp_draft_input(d, (struct tp_slice){call.ptr, len});
		call = tp_slice_from(call, comma != NULL ? len + 2 : len);
	}
}

struct stats {
	struct tp_graph_draft *d;
	struct tp_map devices; /* hash of a node's name → its device, a string; AMBIGUOUS */
	bool push;             /* else devices are looked for */
};
enum { AMBIGUOUS = TP_MAP_NONE - 1 };

static void
read_node(struct stats *s, struct tp_slice node, struct tp_slice device)
{
	struct tp_slice name = tp_pb_first(node, NODE_NAME);
	uint64_t key = tp_hash_bytes(name);
	uint32_t here = tp_intern_copy(s->d->strings, device), known = tp_map_get(&s->devices, key);

	if (name.len == 0)
		return;
	if (!s->push)
		tp_map_put(&s->devices, key, known == TP_MAP_NONE || known == here ? here : AMBIGUOUS);
	else if (known == here)
		read_label(s->d, name, device, tp_pb_first(node, NODE_LABEL));
}

/* What a GPU's streams did stands there again under devices of their own. */
static void
read_devices(struct stats *s, struct tp_slice step_stats)
{
	for (struct tp_pb p = tp_pb_open(step_stats); tp_pb_next_bytes(&p, STATS_DEVICE);) {
		struct tp_slice device = tp_pb_first(p.bytes, DEVICE_NAME);

		if (tp_slice_has(device, TP_S("stream:")) || tp_slice_has(device, TP_S("memcpy")))
			continue;
		for (struct tp_pb nodes = tp_pb_open(p.bytes); tp_pb_next_bytes(&nodes, DEVICE_NODE);)
			read_node(s, nodes.bytes, device);
	}
}

/* What ran by the statistics in RunMetadata, as a graph; of a name that is on two devices none is kept. */
static void
read_stats(const struct tp_graph_place *place, struct tp_builder *out, struct tp_slice run)
{
	struct tp_graph_draft d;
	struct stats s = {.d = &d};
	struct tp_slice step_stats = tp_pb_first(run, RUN_STATS);

	tp_draft_open(&d, out, place);
	d.graph->from = TP_GRAPH_FROM_STATS;
	tp_map_init(&s.devices, d.scratch);
	read_devices(&s, step_stats);
	s.push = true;
	read_devices(&s, step_stats);
	/* A node that ran several times is one. */
	d.graph->duplicates = 0;
	tp_draft_close(&d);
}

/* Functions come with their graphs as asked for and as placed; a session's step with what was placed, or what ran alone. */
void
tp_events_run(const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice tag,
	struct tp_slice run)
{
	struct tp_graph_place place = {.in = in, .name = tag, .step = step, .copy = true};
	bool placed = false;

	for (struct tp_pb p = tp_pb_open(run); tp_pb_next_bytes(&p, RUN_FUNCTION);) {
		/* As the program asked for it, before optimization. */
		for (struct tp_pb f = tp_pb_open(p.bytes); tp_pb_next_bytes(&f, FUNCTION_BEFORE);)
			read_graph(&place, out, TP_GRAPH_FROM_RUN, f.bytes);
		placed |= read_parts(&place, out, p.bytes, FUNCTION_PARTITION);
	}
	if (!placed && !read_parts(&place, out, run, RUN_PARTITION))
		read_stats(&place, out, run);
}

/* The texts of a TensorProto. */
static void
each_text(const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice tag,
	struct tp_slice tensor,
	void (*read)(const struct tp_source *in, struct tp_builder *out, int64_t step,
		struct tp_slice tag, struct tp_slice text))
{
	for (struct tp_pb p = tp_pb_open(tensor); tp_pb_next_bytes(&p, TENSOR_STRING);)
		read(in, out, step, tag, p.bytes);
}

static void
read_keras(const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice tag,
	struct tp_slice json)
{
	struct tp_graph_draft d;

	tp_draft_open(
		&d, out, &(struct tp_graph_place){.in = in, .name = tag, .step = step, .copy = true});
	if (!tp_graph_keras_read(&d, json))
		tp_diag_at(&tp_builder_profile(out)->diags, TP_DIAG_WARNING, in->path, TP_NO_OFFSET,
			"the Keras model at step %lld cannot be read: it is not JSON with layers",
			(long long)step);
	tp_draft_close(&d);
}

void
tp_events_tensor(const struct tp_source *in, struct tp_builder *out, int64_t step,
	const struct tp_event_series *series, struct tp_slice tensor)
{
	if (tp_slice_eq(series->plugin, TP_S("graph_run_metadata_graph")) ||
		tp_slice_eq(series->plugin, TP_S("graph_run_metadata")))
		each_text(in, out, step, series->tag, tensor, tp_events_run);
	else if (tp_slice_eq(series->plugin, TP_S("graph_keras_model")))
		each_text(in, out, step, series->tag, tensor, read_keras);
}
