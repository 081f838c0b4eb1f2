/* Each tile is a metric that another pass registered. */
#include "analyze/page/tiles_job.h"

#include "report/doc.h"

static const struct {
	const char *id, *label, *metric, *note;
} tiles[] = {
	{"summary/tiles/wall-step", "Wall time a step", "events.step_time_ms",
		"median, by event files"},
	{"summary/tiles/goodput", "Time in steps", "events.goodput_share", "of the whole run"},
	{"summary/tiles/training", "Training", "sessions.training_ms", "sessions: {sessions.training}"},
	{"summary/tiles/eval", "Evaluation", "sessions.eval_ms", "sessions: {sessions.eval}"},
	{"summary/tiles/graph", "Graph", "graph.nodes", "nodes, kinds: {graph.kinds}"},
	{"summary/tiles/variables", "Elements of variables", "graph.variable_elements",
		"variables: {graph.variables}"},
	{"summary/tiles/graph-time", "Time a step", "graph.time_us", "Σ over nodes, by tfprof"},
	{"summary/tiles/tpu", "Could run on a TPU", "graph.tpu.compatible_share",
		"of {graph.tpu.judged} nodes, estimate"},
	{"summary/tiles/predict", "Prediction", "sessions.predict_ms", "sessions: {sessions.predict}"},
};

size_t
tp_job_tiles(struct tp_doc *doc, struct tp_tile *list, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof tiles / sizeof *tiles && n < most; i++) {
		const struct tp_metric *m = tp_doc_find_metric(doc, tp_slice_of(tiles[i].metric));

		/* A job that left one mark has no time in its session. */
		if (m == NULL || !tp_known(m->value) || tp_value_in(m->value, m->value.unit) == 0)
			continue;
		list[n++] = (struct tp_tile){
			.id = tp_slice_of(tiles[i].id),
			.label = tp_slice_of(tiles[i].label),
			.metric = tp_slice_of(tiles[i].metric),
			.value = m->value,
			.note = {TP_SAY0(doc, tiles[i].note)},
		};
	}
	return n;
}
