/* Waiting for others, as a part of the bar of classes. In collectives: of cores from the times of each in the same collective, of PyTorch's
 * workers from when each entered it. In receives: of cores. */
#include "analyze/page/waiting.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/pod/pod.h"
#include "analyze/ranks/ranks.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "base/arena.h"

#include <math.h>

/* Of summaries that were merged: ranks that have none may be those that others wait for. */
static bool
lacks_ranks(const struct tp_pass_ctx *ctx)
{
	const struct tp_ranks *r = tp_result(ctx, &tp_pass_ranks);

	return r != NULL && r->missing_count != 0;
}

double
tp_waiting_in_receives_ps(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);

	return s != NULL && tp_steps_tell(s, TP_CLASS_SEND_RECV) && !lacks_ranks(ctx) &&
			tp_pod_tells_waits(ctx, pod, TP_POD_RECV)
		? tp_pod_waits_ps(pod, TP_POD_RECV, TP_NONE)
		: NAN;
}

double
tp_waiting_in_collectives_ps(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);
	const struct tp_torch_comm *comm = tp_result(ctx, &tp_pass_torch_comm);
	double waits_ps = NAN;

	if (s == NULL || !tp_steps_tell(s, TP_CLASS_COLLECTIVE) || lacks_ranks(ctx))
		return NAN;
	if (tp_pod_tells_waits(ctx, pod, TP_POD_COLLECTIVE_SYNC))
		waits_ps = tp_pod_waits_ps(pod, TP_POD_COLLECTIVE_SYNC, TP_NONE);
	else if (s->source->by_role && comm != NULL && tp_torch_comm_absent(comm) == 0 &&
		tp_environment_holds_all(ctx))
		waits_ps = comm->wait_mean_ps;
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
			: tp_missing(
				  TP_S("no collective could be matched between all cores or workers of the run")),
		TP_S(
			"of step.class.collective_ms: what a collective takes longer than on the core that needs "
			"least, mean over cores; in PyTorch what workers wait for the last to enter, and all of "
			"barriers, of each worker's step at most the class"),
		mean != NULL ? mean->coverage : TP_S(""));
}

/* Charts of single steps hatch what the bar of the mean step does: of cores, the mean over them. */
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
	tp_step_charts_unused(ctx, s, doc, class, waits_ps);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_steps *s = result;
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);
	const struct tp_torch_comm *comm = tp_result(ctx, &tp_pass_torch_comm);
	bool collectives = tp_waiting_in_collectives_ps(ctx) > 0;

	if (collectives && s->source->by_role && comm->wait_ps != NULL)
		tp_step_charts_unused(ctx, s, doc, TP_CLASS_COLLECTIVE, comm->wait_ps);
	if (collectives && !s->source->by_role)
		hatch(ctx, pod, TP_POD_COLLECTIVE_SYNC, TP_CLASS_COLLECTIVE, doc);
	if (tp_waiting_in_receives_ps(ctx) > 0)
		hatch(ctx, pod, TP_POD_RECV, TP_CLASS_SEND_RECV, doc);
}

const struct tp_pass tp_pass_waiting = {
	.of = &tp_pass_steps,
	.place = TP_PLACE_POD,
	.present = present,
};
