/* Waiting for others, as a part of the bar of classes. In collectives: of cores from the times of each in the same collective, of PyTorch's
 * workers from when each entered it. In receives: of cores. */
#include "analyze/page/waiting.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

/* The mean over cores, as the bar's classes are. */
static double
of_cores_ps(const struct tp_pod *pod, const struct tp_steps *s, enum tp_pod_part part)
{
	double sum_ps = 0;

	if (pod == NULL || !pod->cores || pod->steps != s || pod->count == 0)
		return NAN;
	for (size_t i = 0; i < pod->count; i++)
		sum_ps += pod->units[i].mean_ps[part];
	return sum_ps / (double)pod->count;
}

static double
of_collectives_ps(const struct tp_pod *pod, const struct tp_steps *s)
{
	return pod != NULL && pod->sync_known ? of_cores_ps(pod, s, TP_POD_COLLECTIVE_SYNC) : NAN;
}

static double
of_workers_ps(const struct tp_torch_comm *c)
{
	return c != NULL && tp_torch_comm_absent(c) == 0 ? tp_torch_comm_wait_ps(c) : NAN;
}

/* Whether all that one may wait for are in the report. */
static bool
holds_all(const struct tp_pass_ctx *ctx)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);

	return ctx->profile->chosen.len == 0 && !ctx->profile->some_hosts &&
		(e == NULL || e->unprofiled == 0);
}

double
tp_waiting_in_receives_ps(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return s != NULL && !s->source->by_role && tp_steps_tell(s, TP_CLASS_SEND_RECV) &&
			holds_all(ctx)
		? of_cores_ps(tp_result(ctx, &tp_pass_pod), s, TP_POD_RECV)
		: NAN;
}

double
tp_waiting_in_collectives_ps(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL || !tp_steps_tell(s, TP_CLASS_COLLECTIVE) || !holds_all(ctx))
		return NAN;
	double waits_ps = s->source->by_role ? of_workers_ps(tp_result(ctx, &tp_pass_torch_comm))
										 : of_collectives_ps(tp_result(ctx, &tp_pass_pod), s);

	/* Of workers some of it may be hidden behind computation, which the class is without. */
	return isfinite(waits_ps) ? fmin(waits_ps, s->class_mean_ps[TP_CLASS_COLLECTIVE]) : NAN;
}

void
tp_waiting_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	double waits_ps = tp_waiting_in_collectives_ps(ctx);

	const struct tp_metric *mean = tp_doc_find_metric(doc, TP_S("step.time.mean_ms"));

	tp_doc_metric(doc, TP_S("step.collective_wait_ms"), "Waiting in collectives, at most",
		isfinite(waits_ps)
			? tp_ps_in_ms(waits_ps)
			: tp_missing(TP_S("no collective was matched between all cores or workers of the run")),
		TP_S(
			"of step.class.collective_ms: what a collective takes longer than on the core that needs "
			"least, mean over cores; in PyTorch what workers wait for the last to enter, and all of "
			"barriers, at most the class"),
		mean != NULL ? mean->coverage : TP_S(""));
}

/* Hatches what cores wait in each step, as the bar of the mean step does: mean over cores. */
static void
hatch(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, enum tp_pod_part part,
	enum tp_class class, struct tp_doc *doc)
{
	const struct tp_steps *s = pod->steps;
	double *waits_ps = tp_new_array(ctx->scratch, double, s->count);

	for (size_t i = 0; i < s->count; i++) {
		for (size_t u = 0; u < pod->count; u++)
			waits_ps[i] += tp_pod_part_ps(pod, i, u, part) / (double)pod->count;
	}
	tp_step_strip_unused(ctx, s, doc, "summary/step/strip", class, waits_ps);
	tp_step_strip_unused(ctx, s, doc, "steps/strip", class, waits_ps);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_pod *pod = result;

	if (!pod->cores || pod->steps != tp_result(ctx, &tp_pass_steps))
		return;
	if (tp_waiting_in_collectives_ps(ctx) > 0)
		hatch(ctx, pod, TP_POD_COLLECTIVE_SYNC, TP_CLASS_COLLECTIVE, doc);
	if (tp_waiting_in_receives_ps(ctx) > 0)
		hatch(ctx, pod, TP_POD_RECV, TP_CLASS_SEND_RECV, doc);
}

const struct tp_pass tp_pass_waiting = {
	.of = &tp_pass_pod,
	.place = TP_PLACE_POD,
	.present = present,
};
