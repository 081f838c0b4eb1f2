/* Graphs in event files: what tf.summary.FileWriter, Keras and tf.summary.trace_export write of them. */
#include "ingest/events.h"

#include "base/arena.h"
#include "ingest/graph_def.h"
#include "ingest/reader.h"
#include "model/build.h"

enum { TENSOR_STRING = 8 };
/* RunMetadata and its FunctionGraphs (tensorflow/core/protobuf/config.proto). */
enum { RUN_PARTITION = 3, RUN_FUNCTION = 4, FUNCTION_PARTITION = 1, FUNCTION_BEFORE = 2 };

void
tp_events_graph(
	const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice graph)
{
	struct tp_graph_damage damage = {0};
	struct tp_graph_draft d;

	tp_draft_open(&d, out, &(struct tp_graph_place){.in = in, .step = step, .copy = true});
	tp_graph_def_read(&d, graph, &damage);
	tp_draft_close(&d);
	tp_graph_damage_tell(in, out, &damage);
}

void
tp_events_meta_graph(
	const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice meta)
{
	struct tp_graph_damage damage = {0};
	struct tp_graph_draft d;

	tp_draft_open(&d, out, &(struct tp_graph_place){.in = in, .step = step, .copy = true});
	tp_graph_meta_read(&d, meta, &damage);
	tp_draft_close(&d);
	tp_graph_damage_tell(in, out, &damage);
}

/* The fields of a message with this number; each is a graph. Returns how many. */
static unsigned
read_all(const struct tp_source *in, struct tp_builder *out, struct tp_graph_place *place,
	struct tp_slice message, uint32_t field)
{
	struct tp_pb p = tp_pb_open(message);
	unsigned count = 0;

	for (; tp_pb_next(&p); count++) {
		struct tp_graph_damage damage = {0};
		struct tp_graph_draft d;

		if (p.field != field || p.type != TP_PB_BYTES)
			continue;
		tp_draft_open(&d, out, place);
		d.graph->from = TP_GRAPH_FROM_RUN;
		tp_graph_def_read(&d, p.bytes, &damage);
		tp_draft_close(&d);
		tp_graph_damage_tell(in, out, &damage);
	}
	return count;
}

/* The graph of a function is that from before optimization, as the program asked for it; else what each device got of it. */
static void
read_run(const struct tp_source *in, struct tp_builder *out, struct tp_graph_place *place,
	struct tp_slice run)
{
	struct tp_pb p = tp_pb_open(run);
	bool functions = false;

	while (tp_pb_next(&p)) {
		if (p.field != RUN_FUNCTION || p.type != TP_PB_BYTES)
			continue;
		functions = true;
		if (read_all(in, out, place, p.bytes, FUNCTION_BEFORE) == 0)
			read_all(in, out, place, p.bytes, FUNCTION_PARTITION);
	}
	if (!functions)
		read_all(in, out, place, run, RUN_PARTITION);
}

void
tp_events_run_graphs(const struct tp_source *in, struct tp_builder *out, int64_t step,
	struct tp_slice tag, struct tp_slice tensor)
{
	struct tp_graph_place place = {.in = in, .name = tag, .step = step, .copy = true};
	struct tp_pb p = tp_pb_open(tensor);

	while (tp_pb_next(&p)) {
		if (p.field == TENSOR_STRING && p.type == TP_PB_BYTES)
			read_run(in, out, &place, p.bytes);
	}
}
