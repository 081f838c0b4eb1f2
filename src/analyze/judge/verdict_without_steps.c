/* The verdict where no step is known: from the devices, else from what there is. */
#include "analyze/judge/verdict.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/precomputed.h"
#include "analyze/graph/tpu_compat.h"
#include "analyze/job/end_to_end.h"
#include "analyze/job/scalars.h"
#include "analyze/memory/memory.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"
#include "analyze/tfprof/tfprof.h"
#include "analyze/timeline/timeline.h"
#include "analyze/tracks/tracks.h"
#include "model/graph.h"
#include "model/profile.h"

#include <math.h>

static void
of_devices(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d,
	const struct tp_ops *o, struct tp_verdict_text *v)
{
	v->verdict.saw = tp_doc_join(doc, TP_SAY0(doc, "devices are busy {device.busy_share} of "),
		tp_devices_say_window(ctx, doc, d));
	v->verdict.consequence = isfinite(o->flops_busy_share)
		? TP_SAY0(doc, "while busy they reach {flops.busy_utilization_share} of peak FLOP/s.")
		: TP_SAY(doc, "`{}` takes {op.top.self_share} of that.",
			  tp_text_value(tp_op_short_name(ctx, o->ops[o->top].op->label)));
	v->because = tp_doc_join(doc, v->because, tp_devices_say_capture(ctx, doc, d));
}

static void
of_host_ops(struct tp_doc *doc, struct tp_verdict_text *v)
{
	v->verdict.saw =
		TP_SAY0(doc, "`{op.top.name}` takes {op.top.self_share} of the time in XLA operations");
	v->verdict.consequence = TP_SAY0(doc, "whether steps wait for input is unknown.");
}

static void
of_events(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_verdict_text *v)
{
	v->verdict.saw = TP_SAY(doc, "the profile holds {} and no operations",
		tp_say_number(ctx, ctx->profile->event_count, "event", "events"));
	v->verdict.consequence = TP_SAY0(doc, "whether steps wait for input is unknown.");
}

/* Nothing is judged of what nobody knows the meaning of. */
static void
of_tracks(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_track_totals *t,
	struct tp_verdict_text *v)
{
	v->verdict.name = TP_SAY0(doc, "A trace of another program:");
	v->verdict.saw = TP_SAY(doc, "{} on {}", tp_say_number(ctx, t->events, "event", "events"),
		tp_say_number(ctx, t->track_count, "track", "tracks"));
	v->verdict.consequence = TP_SAY0(doc, "it does not say what they are.");
	v->because = TP_SAY0(doc,
		tp_result(ctx, &tp_pass_timeline) != NULL
			? "Therefore start with the names that [take most time](#tracks) and the "
			  "[timeline](#timeline)."
			: "Therefore start with the names that [take most time](#tracks).");
}

static void
of_sessions(struct tp_doc *doc, const struct tp_e2e *e, struct tp_verdict_text *v)
{
	const char *saw = e->backwards != 0 ? "the job took {} by a clock that was set back meanwhile"
		: e->unended > e->began_anew    ? "the job took at least {}; its end is not marked"
										: "the job took {}";

	v->verdict.saw = TP_SAY(doc, saw, tp_number(e->total_ms / 1e3, TP_UNIT_S));
	v->verdict.consequence =
		tp_doc_join(doc, tp_e2e_say_set_up(doc, e), TP_SAY0(doc, " of it was session set-up."));
	v->because = TP_SAY0(doc,
		"The session marks do not break steps down; see [Whole run](#whole-run). *Capture a profile* "
		"while steps run.");
}

/* How long steps took, and which part of the run they were. */
static struct tp_text
pace_of(struct tp_doc *doc, const struct tp_scalars *s)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;

	if (pace->evaluation)
		return TP_SAY0(doc, "they are of an evaluation; how long training steps took is unknown.");
	if (isnan(pace->step_s))
		return TP_SAY0(doc, "they do not record step times.");
	if (!tp_known(tp_pace_goodput(pace)))
		return TP_SAY0(doc,
			"a step took {events.step_time_ms} of wall time; how much of the run was spent in "
			"steps is unknown.");
	return TP_SAY0(doc,
		tp_scalars_several(s)
			? "a step of the main run took {events.step_time_ms} of wall time, and "
			  "{events.goodput_share} of that run was spent in steps."
			: "a step took {events.step_time_ms} of wall time, and {events.goodput_share} of the "
			  "run was spent in steps.");
}

static void
of_scalars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_scalars *s,
	struct tp_verdict_text *v)
{
	v->verdict.saw = s->scalar_count == 0
		? TP_SAY0(doc, "event files only, without scalars")
		: TP_SAY(doc, "event files only, with {} of {}",
			  tp_say_number(ctx, s->points, "point", "points"),
			  tp_say_number(ctx, s->scalar_count, "scalar", "scalars"));
	v->verdict.consequence = pace_of(doc, s);
	v->because = TP_SAY0(doc,
		"Event files do not break steps down; see [Whole run](#whole-run). *Capture a profile* "
		"while steps run.");
}

static void
of_graph(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_tpu_compat *c,
	struct tp_verdict_text *v)
{
	v->verdict.saw = TP_SAY(doc, "only a TensorFlow graph of {}",
		tp_say_number(ctx, c->graph->node_count, "node", "nodes"));
	v->verdict.consequence = c->judged != 0
		? TP_SAY0(doc,
			  "{graph.tpu.compatible_share} of its {graph.tpu.judged} judged nodes could run on a "
			  "TPU.")
		: TP_SAY0(doc, "none of its nodes can be judged for a TPU.");
	v->because = TP_SAY0(doc,
		tp_known(tp_doc_value(doc, "graph.time_us"))
			? "A tfprof dump says how long nodes ran, {graph.time_us} per step in total, but not "
			  "what they waited for; see [Graph](#graph). *Capture a profile* while steps run."
			: "A graph says what a step computes, not how long it takes; see [Graph](#graph). "
			  "*Capture a profile* while steps run.");
}

/* Sums over threads and devices are no time of a step, but what users of tfprof look for. */
static void
of_tfprof(struct tp_doc *doc, const struct tp_tfprof_section *s, const struct tp_scalars *scalars,
	struct tp_verdict_text *v)
{
	bool paced = scalars != NULL && !isnan(scalars->runs[scalars->main].pace.step_s);
	const struct tp_tfprof_row *top = tp_tfprof_top(s);
	double all_us = (double)s->dumps[s->chosen].total.of[TP_TFPROF_US];

	v->verdict.judge = TP_JUDGE_NONE;
	v->verdict.name = TP_SAY0(doc, "Operation time:");
	v->verdict.saw = TP_SAY(doc, "{tfprof.total_us} per step, {} of it in `{}`",
		tp_share((double)top->own.of[TP_TFPROF_US], all_us, TP_S("no time")),
		tp_text_value(top->name));
	if (s->tfprof->misses_stream) {
		v->verdict.consequence =
			TP_SAY0(doc, "of GPUs that is the time to launch: how long they worked is unknown.");
		v->because = TP_SAY0(doc,
			"Because nothing was recorded of the GPU's streams; see [tfprof](#tfprof). Therefore "
			"*trace again with CUPTI*, or *capture a profile* while steps run.");
		return;
	}
	v->verdict.consequence = TP_SAY0(doc,
		paced ? "a sum over threads and devices; a step took {events.step_time_ms} of wall time."
			  : "a sum over threads and devices, not step time.");
	v->because = TP_SAY0(doc,
		s->tfprof->built
			? "RunMetadata says how long operations ran, but not what they waited for; see "
			  "[tfprof](#tfprof). Start with those that take longest, and *capture a profile* while steps "
			  "run."
			: "A tfprof dump says how long operations ran, but not what they waited for; see "
			  "[tfprof](#tfprof). Start with those that take longest, and *capture a profile* while steps "
			  "run.");
}

static void
of_live_buffers(struct tp_doc *doc, struct tp_verdict_text *v)
{
	v->verdict.saw =
		TP_SAY0(doc, "{memory.live.bytes} were held when the memory profile was saved");
	v->verdict.consequence = TP_SAY0(doc, "it does not record time.");
	v->because = TP_SAY0(doc,
		"Because a memory profile records no events. *Capture a profile* as well while steps run.");
}

/* Sums over the whole capture. */
static void
of_op_profile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_op_profile *p,
	struct tp_verdict_text *v)
{
	struct tp_value top = tp_text_value(tp_op_short_name(ctx, p->ops.ops[p->ops.top].op->label));

	v->verdict.saw = isfinite(p->idle_ps)
		? TP_SAY0(doc, "devices are busy {device.busy_share} of what the op profile covers")
		: TP_SAY(doc, "`{}` takes {op.top.self_share} of busy time", top);
	v->verdict.consequence = isfinite(p->ops.flops_busy_share)
		? TP_SAY0(doc,
			  isfinite(p->idle_ps)
				  ? "while busy they reach {flops.busy_utilization_share} of peak FLOP/s."
				  : "while busy devices reach {flops.busy_utilization_share} of peak FLOP/s.")
		: isfinite(p->idle_ps) ? TP_SAY(doc, "`{}` takes {op.top.self_share} of that.", top)
							   : TP_SAY0(doc, "it does not give the share of peak.");
	v->because = TP_SAY0(doc,
		tp_precomputed(ctx)->figures_from.len != 0
			? "Because none of the tool files gives step times. Therefore start with the longest "
			  "[operations](#operations)."
			: "Because an op profile holds only sums over operations, not when they ran. Therefore "
			  "start with the longest [operations](#operations), and *add the overview page or "
			  "input pipeline of the same run* to see steps.");
}

static void
of_tool_files(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_verdict_text *v)
{
	v->verdict.saw = tp_precomputed(ctx)->pod != NULL
		? TP_SAY0(doc, "the run holds only tool files, and they time each core, not the whole")
		: TP_SAY0(doc, "the run holds only tool files, and none gives step times");
	v->verdict.consequence = tp_result(ctx, &tp_pass_pod) != NULL
		? TP_SAY0(doc, "[Distributed](#distributed) compares the cores.")
		: TP_SAY0(doc, "their figures are shown as the profiler computed them.");
	v->because = TP_SAY0(doc,
		"Because the profiler left computed figures but no events. Therefore *add the overview "
		"page or input pipeline of the same run*, or capture again.");
}

static void
of_nothing(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_verdict_text *v)
{
	v->verdict.saw = TP_SAY0(doc, "the profile holds no events");
	v->verdict.consequence = tp_result(ctx, &tp_pass_memory) != NULL
		? TP_SAY0(doc, "only the memory its programs need can be reported.")
		: TP_SAY0(doc, "only the environment can be reported.");
	v->because = TP_SAY0(doc,
		"Because no event was recorded or could be read. Therefore *capture again* while steps run.");
}

struct tp_verdict_text
tp_verdict_without_steps(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	const struct tp_op_profile *profile = tp_result(ctx, &tp_pass_op_profile);
	const struct tp_e2e *sessions = tp_result(ctx, &tp_pass_end_to_end);
	const struct tp_scalars *scalars = tp_result(ctx, &tp_pass_scalars);
	const struct tp_tpu_compat *graph = tp_result(ctx, &tp_pass_tpu_compat);
	const struct tp_track_totals *tracks = tp_result(ctx, &tp_pass_tracks);
	const struct tp_tfprof_section *tfprof = tp_result(ctx, &tp_pass_tfprof);
	struct tp_verdict_text v = {
		.verdict = {.judge = TP_JUDGE_UNDECIDED,
			.name = tp_has_profile(ctx) ? TP_SAY0(doc, "Step time unknown:")
										: TP_SAY0(doc, "No profile:")},
		.because = TP_SAY(doc,
			"Because {}. Therefore *mark the steps* and capture again to see where their time "
			"goes.",
			tp_text_value(tp_skipped(ctx, &tp_pass_steps))),
	};

	if (d != NULL && o != NULL)
		of_devices(ctx, doc, d, o, &v);
	else if (o != NULL)
		of_host_ops(doc, &v);
	else if (tracks != NULL && tp_profile_is_tracks_alone(ctx->profile))
		of_tracks(ctx, doc, tracks, &v);
	else if (ctx->profile->event_count != 0)
		of_events(ctx, doc, &v);
	else if (sessions != NULL)
		of_sessions(doc, sessions, &v);
	else if (tfprof != NULL && tp_tfprof_top(tfprof) != NULL)
		of_tfprof(doc, tfprof, scalars, &v);
	else if (scalars != NULL && (scalars->scalar_count != 0 || graph == NULL))
		of_scalars(ctx, doc, scalars, &v);
	else if (ctx->profile->live != NULL)
		of_live_buffers(doc, &v);
	else if (profile != NULL && tp_precomputed(ctx)->pod == NULL)
		of_op_profile(ctx, doc, profile, &v);
	else if (tp_precomputed(ctx) != NULL)
		of_tool_files(ctx, doc, &v);
	else if (graph != NULL)
		of_graph(ctx, doc, graph, &v);
	else
		of_nothing(ctx, doc, &v);
	return v;
}
