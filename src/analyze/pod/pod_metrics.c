/* The headline figures of a distributed run, and what its cores are called. */
#include "analyze/pod/pod.h"

#include "analyze/core/say.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/number.h"
#include "model/profile.h"

#include <math.h>

struct tp_slice
tp_pod_name(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, enum tp_pod_level level, size_t unit)
{
	const struct tp_pod_unit *u = &pod->units[unit];

	if (level == TP_POD_HOST || !pod->cores)
		return u->host_name;
	if (level == TP_POD_CHIP)
		return tp_arena_printf(ctx->keep, "chip %u", u->chip);
	if (pod->placed)
		return tp_arena_printf(ctx->keep, "core %u", u->number);
	if (pod->by_host)
		return tp_arena_printf(ctx->keep, "device %u of host %u", u->number % TP_POD_HOST_DEVICES,
			u->number / TP_POD_HOST_DEVICES);
	if (u->device == TP_NONE)
		return tp_arena_printf(ctx->keep, "core %u", u->number);
	return tp_say_device_scope(ctx, u->device).device;
}

struct tp_slice
tp_pod_place(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit)
{
	const struct tp_pod_unit *u = &pod->units[unit];
	struct tp_slice host = u->host_name;

	if (!pod->cores)
		return TP_S("");
	if (!pod->placed)
		return host;
	return tp_arena_printf(
		ctx->keep, "%.*s, chip %u, core %u", TP_ARG(host), u->chip, u->core_on_chip);
}

static struct tp_value
name(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	const struct tp_pod_straggler *s = &pod->straggler;
	struct tp_slice place = tp_pod_place(ctx, pod, s->unit);
	struct tp_slice called = tp_pod_name(ctx, pod, s->level, s->unit);

	if (!tp_pod_has_straggler(pod))
		return tp_missing(TP_S("nobody is slower than the others by a hundredth of the mean step"));
	if (s->level == TP_POD_HOST || place.len == 0)
		return tp_text_value(called);
	if (s->level == TP_POD_CHIP)
		place = pod->units[s->unit].host_name;
	return tp_text_value(tp_arena_printf(ctx->keep, "%.*s (%.*s)", TP_ARG(called), TP_ARG(place)));
}

void
tp_pod_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_pod *pod = result;
	struct tp_value none = tp_missing(tp_skipped(ctx, &tp_pass_pod));
	double step_ps = pod ? pod->steps->time.mean : 0;
	double cost_ps = pod ? pod->straggler.lead.cost_ps : NAN;
	struct tp_slice over = pod ? tp_arena_printf(ctx->keep, "%zu %s, %zu %s", pod->steps->count,
									 tp_plural(pod->steps->count, "step", "steps"), pod->count,
									 pod->cores ? tp_plural(pod->count, "core", "cores")
												: tp_plural(pod->count, "host", "hosts"))
							   : TP_S("");

	tp_doc_metric(doc, TP_S("pod.straggler.name"), "Straggler", pod ? name(ctx, pod) : none,
		TP_S("the core, chip or host that pod.straggler.cost_ms is of: the smallest that costs at "
			 "least half of what any costs; missing below 1 % of the mean step"),
		over);
	tp_doc_metric(doc, TP_S("pod.straggler.cost_ms"), "Cost of the straggler",
		pod ? tp_number(cost_ps / 1e9, TP_UNIT_MS) : none,
		TP_S(
			"mean over steps of how much longer its own time is than that of the slowest of the "
			"others, 0 in steps in which it is not the slowest; own: the step without waiting for "
			"others in collectives and receives; a mean step would be shorter by at most this much"),
		over);
	tp_doc_metric(doc, TP_S("pod.straggler.cost_share"), "Cost of the straggler, of the step",
		pod ? tp_share(cost_ps, step_ps, TP_S("steps have no length")) : none,
		TP_S("pod.straggler.cost_ms / step.time.mean_ms"), over);
	tp_doc_metric(doc, TP_S("pod.straggler.lost_ms"), "Lost to the straggler",
		pod ? tp_number(cost_ps * (double)pod->steps->count / 1e9, TP_UNIT_MS) : none,
		TP_S("pod.straggler.cost_ms × steps: what all steps of the profile together would be "
			 "shorter by at most"),
		over);
	tp_doc_metric(doc, TP_S("pod.straggler.steps"), "Steps in which it is the slowest",
		pod ? tp_count(pod->straggler.lead.steps) : none,
		TP_S("steps in which no other's own time is longer"), over);
	tp_doc_metric(doc, TP_S("pod.imbalance_ms"), "Imbalance",
		pod ? tp_number(pod->imbalance_ps / 1e9, TP_UNIT_MS) : none,
		TP_S("mean over steps of the slowest core's own time less the median core's, whichever "
			 "they are; hosts where the profile holds no cores"),
		over);
}
