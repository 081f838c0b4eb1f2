/* Tiles of runs without events: of a job's own files, and of what a profiler left: an op profile, and single figures. */
#include "analyze/page/tiles.h"

#include "analyze/judge/findings.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops.h"
#include "analyze/tfprof/tfprof.h"

#include <math.h>

/* Each is a metric that another pass registered. */
static const struct {
	const char *id, *label, *metric, *note;
	bool of_steps; /* its note names the steps of tfprof */
} job_tiles[] = {
	{"summary/tiles/wall-step", "Wall time per step", "events.step_time_ms",
		"median, from event files", false},
	{"summary/tiles/goodput", "Time in steps", "events.goodput_share", "of the whole run", false},
	{"summary/tiles/training", "Training", "sessions.training_ms", "sessions: {sessions.training}",
		false},
	{"summary/tiles/eval", "Evaluation", "sessions.eval_ms", "sessions: {sessions.eval}", false},
	{"summary/tiles/tfprof-time", "Operation time", "tfprof.total_us", "{}", true},
	{"summary/tiles/tfprof-flops", "Float operations", "tfprof.float_ops",
		"per step, as registered", false},
	{"summary/tiles/tfprof-memory", "Memory requested", "tfprof.requested_bytes",
		"per step, sum over nodes", false},
	{"summary/tiles/graph", "Graph", "graph.nodes", "nodes of {graph.kinds} kinds", false},
	{"summary/tiles/variables", "Variable elements", "graph.variable_elements",
		"in {graph.variables} variables", false},
	{"summary/tiles/tpu", "Could run on a TPU", "graph.tpu.compatible_share",
		"of {graph.tpu.judged} nodes, estimate", false},
	{"summary/tiles/predict", "Prediction", "sessions.predict_ms", "sessions: {sessions.predict}",
		false},
};

/* Whether it is known, and was added. */
static bool
add(struct tp_tile *list, struct tp_tile tile)
{
	*list = tile;
	return tp_known(tile.value);
}

size_t
tp_job_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list)
{
	const struct tp_tfprof_section *tfprof = tp_result(ctx, &tp_pass_tfprof);
	const char *per_step = tfprof != NULL ? tp_tfprof_per_step(tfprof) : "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof job_tiles / sizeof *job_tiles; i++) {
		struct tp_tile t =
			tp_doc_tile(doc, job_tiles[i].id, job_tiles[i].label, job_tiles[i].metric);

		t.note[0] = job_tiles[i].of_steps
			? TP_SAY(doc, job_tiles[i].note, tp_text_value(tp_slice_of(per_step)))
			: TP_SAY0(doc, job_tiles[i].note);
		if (tp_slice_eq(t.id, TP_S("summary/tiles/tfprof-time")) && tfprof != NULL &&
			tfprof->tfprof->misses_stream)
			t.note[1] = TP_SAY0(doc, "GPUs: launching only");
		else if (tp_slice_eq(t.id, TP_S("summary/tiles/tfprof-time")) && tfprof != NULL &&
			!isnan(tfprof->first_us))
			t.note[1] = TP_SAY(doc, "the first {}", tp_number(tfprof->first_us, TP_UNIT_US));
		if (tp_slice_eq(t.id, TP_S("summary/tiles/graph")) &&
			tp_value_in(tp_doc_value(doc, "graph.function_nodes"), TP_UNIT_COUNT) > 0)
			t.note[0] = TP_SAY0(doc, "nodes; in functions {graph.function_nodes} more");
		/* A job that left one mark has no time in its session. */
		if (tp_value_in(t.value, t.value.unit) != 0)
			n += add(list + n, t);
	}
	return n;
}

static struct tp_tile
flops_tile(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	static const char *const words[] = {"low · ", "low · ", "fair · "};
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/flops", "FLOPS while busy", "flops.busy_utilization_share");

	t.note[0] = TP_SAY(doc, "{}of the peak", tp_tile_judge(ctx, "TPR-FLOPS-001", words, &t));
	if (isfinite(o->flops_share))
		t.note[1] = TP_SAY0(doc, "{flops.utilization_share} idle included");
	return t;
}

static struct tp_tile
busy_tile(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc)
{
	static const char *const words[] = {"low · ", "medium · ", "high · "};
	double busy_ps = (double)p->ops.busy_ps;
	struct tp_tile t = tp_doc_tile(doc, "summary/tiles/busy", "Device busy", "device.busy_share");

	t.note[0] =
		TP_SAY(doc, "{}idle {device.idle_share}", tp_tile_judge(ctx, "TPR-IDLE-002", words, &t));
	t.note[1] = TP_SAY(doc, "{} of {}", tp_number(busy_ps, TP_UNIT_PS),
		tp_number(busy_ps + p->idle_ps, TP_UNIT_PS));
	return t;
}

size_t
tp_op_profile_tiles(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p,
	struct tp_doc *doc, struct tp_tile *list)
{
	struct tp_tile wasted =
		tp_doc_tile(doc, "summary/tiles/wasted", "Busy time wasted", "op.wasted_share");
	size_t n = 0;

	wasted.note[0] = TP_SAY0(doc, "neither arithmetic nor");
	wasted.note[1] = TP_SAY0(doc, "memory at its limit");
	n += add(list + n, flops_tile(ctx, &p->ops, doc));
	n += add(list + n, busy_tile(ctx, p, doc));
	n += add(list + n, wasted);
	return n;
}

size_t
tp_precomputed_tiles(struct tp_doc *doc, struct tp_tile *list)
{
	struct tp_tile tiles[] = {
		tp_doc_tile(
			doc, "summary/tiles/matrix-unit", "Matrix unit", "matrix_unit.utilization_share"),
		tp_doc_tile(doc, "summary/tiles/host-idle", "Host idle", "host.idle_share"),
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
		tiles[i].note[0] = TP_SAY0(doc, "precomputed by profiler");
		if (i == 0 && tp_above_matrix_unit(doc))
			tiles[i].note[1] = TP_SAY0(doc, "counted; FLOP stated {flops.utilization_share}");
		if (tp_slice_eq(tiles[i].metric, TP_S("host.idle_share")))
			tiles[i].note[1] = TP_SAY0(doc, "no framework operation");
		n += add(list + n, tiles[i]);
	}
	return n;
}
