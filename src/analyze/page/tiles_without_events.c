/* Tiles of runs without events: of a job's own files, and of an op profile that a profiler left. */
#include "analyze/page/tiles.h"

#include "analyze/core/say.h"
#include "analyze/judge/findings.h"
#include "analyze/ops/op_profile.h"

#include <math.h>

/* Each is a metric that another pass registered. */
static const struct {
	const char *id, *label, *metric, *note;
} job_tiles[] = {
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

	for (size_t i = 0; i < sizeof job_tiles / sizeof *job_tiles && n < most; i++) {
		const struct tp_metric *m = tp_doc_find_metric(doc, tp_slice_of(job_tiles[i].metric));

		/* A job that left one mark has no time in its session. */
		if (m == NULL || !tp_known(m->value) || tp_value_in(m->value, m->value.unit) == 0)
			continue;
		list[n++] = (struct tp_tile){
			.id = tp_slice_of(job_tiles[i].id),
			.label = tp_slice_of(job_tiles[i].label),
			.metric = tp_slice_of(job_tiles[i].metric),
			.value = m->value,
			.note = {TP_SAY0(doc, job_tiles[i].note)},
		};
	}
	return n;
}

static size_t
add(struct tp_doc *doc, struct tp_tile *list, size_t most, struct tp_tile tile)
{
	const struct tp_metric *m = tp_doc_find_metric(doc, tile.metric);

	if (most == 0 || m == NULL || !tp_known(m->value))
		return 0;
	tile.value = m->value;
	*list = tile;
	return 1;
}

static struct tp_tile
flops_tile(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	static const char *const words[] = {"low · ", "low · ", "fair · "};
	bool all = isfinite(o->flops_share);
	struct tp_tile t = {
		.id = TP_S("summary/tiles/flops"),
		.label = TP_S("FLOPS utilisation"),
		.metric = all ? TP_S("flops.utilization_share") : TP_S("flops.busy_utilization_share"),
	};

	t.note[0] = TP_SAY(doc, "{}of the peak", tp_tile_judge(ctx, "TPR-FLOPS-001", words, &t));
	t.note[1] = all ? TP_SAY0(doc, "{flops.busy_utilization_share} while busy")
					: TP_SAY0(doc, "while busy");
	return t;
}

static struct tp_tile
busy_tile(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc)
{
	static const char *const words[] = {"low · ", "medium · ", "high · "};
	double busy_ps = (double)p->ops.busy_ps;
	struct tp_tile t = {
		.id = TP_S("summary/tiles/busy"),
		.label = TP_S("Device busy"),
		.metric = TP_S("device.busy_share"),
	};

	t.note[0] =
		TP_SAY(doc, "{}idle {device.idle_share}", tp_tile_judge(ctx, "TPR-IDLE-002", words, &t));
	t.note[1] = TP_SAY(doc, "{} of {}", tp_number(busy_ps, TP_UNIT_PS),
		tp_number(busy_ps + p->idle_ps, TP_UNIT_PS));
	return t;
}

size_t
tp_op_profile_tiles(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p,
	struct tp_doc *doc, struct tp_tile *list, size_t most)
{
	size_t n = 0;

	n += add(doc, list + n, most - n, flops_tile(ctx, &p->ops, doc));
	n += add(doc, list + n, most - n, busy_tile(ctx, p, doc));
	n += add(doc, list + n, most - n,
		(struct tp_tile){
			.id = TP_S("summary/tiles/wasted"),
			.label = TP_S("Busy time wasted"),
			.metric = TP_S("op.wasted_share"),
			.note = {TP_SAY0(doc, "neither arithmetic nor"), TP_SAY0(doc, "memory at its limit")},
		});
	return n;
}
