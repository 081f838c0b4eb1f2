/* Graphs in event files: what tf.summary.FileWriter, Keras and tf.summary.trace_export write of them. */
#include "ingest/events.h"

#include "base/arena.h"
#include "ingest/graph_def.h"
#include "ingest/graph_keras.h"
#include "ingest/graph_step.h"
#include "ingest/reader.h"
#include "model/build.h"
#include "model/events.h"

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

/* The graphs of a function as the program asked for it, before optimization. */
static void
read_function(const struct tp_source *in, struct tp_builder *out,
	const struct tp_graph_place *place, struct tp_slice function)
{
	struct tp_pb p = tp_pb_open(function);

	while (tp_pb_next(&p)) {
		struct tp_graph_damage damage = {0};
		struct tp_graph_draft d;

		if (p.field != FUNCTION_BEFORE || p.type != TP_PB_BYTES)
			continue;
		tp_draft_open(&d, out, place);
		d.graph->from = TP_GRAPH_FROM_RUN;
		tp_graph_def_read(&d, p.bytes, &damage);
		tp_draft_close(&d);
		tp_graph_damage_tell(in, out, &damage);
	}
}

/* Functions come with their graphs as asked for and as placed; a session's step with what was placed, or what ran alone. */
void
tp_events_run(const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice tag,
	struct tp_slice run)
{
	struct tp_graph_place place = {.in = in, .name = tag, .step = step, .copy = true};
	struct tp_pb p = tp_pb_open(run);
	bool placed = false;

	while (tp_pb_next(&p)) {
		if (p.field != RUN_FUNCTION || p.type != TP_PB_BYTES)
			continue;
		read_function(in, out, &place, p.bytes);
		placed |= tp_graph_parts_read(&place, out, p.bytes, FUNCTION_PARTITION);
	}
	if (!placed && !tp_graph_parts_read(&place, out, run, RUN_PARTITION))
		tp_graph_stats_read(&place, out, run);
}

/* The texts of a TensorProto. */
static void
each_text(const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice tag,
	struct tp_slice tensor,
	void (*read)(const struct tp_source *in, struct tp_builder *out, int64_t step,
		struct tp_slice tag, struct tp_slice text))
{
	struct tp_pb p = tp_pb_open(tensor);

	while (tp_pb_next(&p)) {
		if (p.field == TENSOR_STRING && p.type == TP_PB_BYTES)
			read(in, out, step, tag, p.bytes);
	}
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
			"the model of Keras at step %lld cannot be read: it is no JSON with layers",
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
