/* The cores (on a TPU), or else the hosts, of a run: where each is, and its mean over the steps. */
#include "analyze/pod/pod.h"
#include "analyze/core/pass.h"

#include "analyze/facts/environment.h"
#include "analyze/pod/pod_traffic.h"
#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static void
place_units(const struct tp_pass_ctx *ctx, struct tp_pod *pod)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_map numbers;

	tp_map_init(&numbers, ctx->scratch);
	pod->placed = pod->cores;
	for (size_t u = 0; u < pod->count && pod->placed; u++) {
		const struct tp_device *d = &p->devices[pod->units[u].device];

		pod->placed = d->has_core_details && tp_map_get(&numbers, d->global_core) == TP_MAP_NONE;
		tp_map_put(&numbers, d->global_core, 0);
	}
	for (size_t u = 0; u < pod->count; u++) {
		struct tp_pod_unit *unit = &pod->units[u];
		const struct tp_device *d = pod->cores ? &p->devices[unit->device] : NULL;

		unit->host_name = p->hosts[unit->host].name;
		unit->number = pod->placed ? d->global_core : (uint32_t)u;
		unit->chip = pod->placed ? d->global_chip : 0;
		unit->core_on_chip = pod->placed ? d->core_on_chip : 0;
	}
}

/* Cores of one chip, units of one host. */
static void
group_units(const struct tp_pass_ctx *ctx, struct tp_pod *pod)
{
	struct tp_map chips, hosts;

	tp_map_init(&chips, ctx->scratch);
	tp_map_init(&hosts, ctx->scratch);
	for (size_t u = 0; u < pod->count; u++) {
		struct tp_pod_unit *unit = &pod->units[u];
		const struct tp_device *d =
			unit->device != TP_NONE ? &ctx->profile->devices[unit->device] : NULL;
		uint64_t host = unit->host != TP_NONE ? unit->host : tp_hash_bytes(unit->host_name);
		uint64_t chip = tp_hash_pair(UINT64_MAX, u);

		if (d != NULL && d->has_core_details)
			chip = tp_hash_pair(tp_hash_pair(d->global_chip, d->local_chip), d->host);
		else if (d == NULL && pod->placed)
			chip = tp_hash_pair(unit->chip, host);
		tp_map_number(&hosts, host, &unit->host_group);
		tp_map_number(&chips, chip, &unit->chip_group);
	}
	pod->chips = chips.count;
	pod->hosts = hosts.count;
}

static void
measure_units(struct tp_pod *pod, double *own)
{
	double steps = (double)pod->steps->count;

	for (size_t s = 0; s < pod->steps->count; s++) {
		for (size_t u = 0; u < pod->count; u++) {
			struct tp_pod_unit *unit = &pod->units[u];
			double mine = 0;

			for (int k = 0; k < TP_POD_PART_COUNT; k++) {
				double ps = tp_pod_part_ps(pod, s, u, (enum tp_pod_part)k);

				unit->mean_ps[k] += ps / steps;
				unit->total_ps += ps / steps;
				mine += tp_pod_part_info((enum tp_pod_part)k)->waits ? 0 : ps;
			}
			unit->own_ps += mine / steps;
			own[s * pod->count + u] = mine;
		}
	}
	for (size_t u = 0; u < pod->count; u++) {
		struct tp_pod_unit *unit = &pod->units[u];

		for (int k = 0; k < TP_POD_PART_COUNT; k++) {
			if (unit->mean_ps[k] > unit->mean_ps[unit->largest])
				unit->largest = (enum tp_pod_part)k;
		}
	}
}

static int
by_number(const void *left, const void *right, void *arg)
{
	const struct tp_pod_unit *units = arg;
	uint32_t a = units[*(const uint32_t *)left].number, b = units[*(const uint32_t *)right].number;

	return a < b ? -1 : a > b;
}

static int
slowest_first(const void *left, const void *right, void *arg)
{
	const struct tp_pod_unit *units = arg;
	double a = units[*(const uint32_t *)left].own_ps, b = units[*(const uint32_t *)right].own_ps;

	return a != b ? (a < b) - (a > b) : by_number(left, right, arg);
}

static uint32_t *
in_order(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	int (*compare)(const void *, const void *, void *))
{
	uint32_t *order = tp_new_array(ctx->keep, uint32_t, pod->count);

	for (size_t u = 0; u < pod->count; u++)
		order[u] = (uint32_t)u;
	qsort_r(order, pod->count, sizeof *order, compare, pod->units);
	return order;
}

static void
find_median_step(struct tp_pod *pod)
{
	const struct tp_steps *s = pod->steps;

	for (size_t i = 0; i < s->count; i++) {
		double off = fabs(s->steps[i].time_ps - s->time.p50);

		if (off < fabs(s->steps[pod->median_step].time_ps - s->time.p50))
			pod->median_step = i;
	}
}

static bool
has_collective_ids(const struct tp_steps *s)
{
	for (size_t i = 0; i < s->count * s->timelines; i++) {
		if (s->cells[i].collective_total_ps > 0)
			return true;
	}
	return false;
}

static bool
hosts_match(const struct tp_steps *s)
{
	for (size_t h = 0; h < s->host_count; h++) {
		if (s->hosts[h].count != s->count)
			return false;
		for (size_t i = 0; i < s->count; i++) {
			if (!tp_slice_eq(s->hosts[h].steps[i].name, s->steps[i].name))
				return false;
		}
	}
	return true;
}

/* Each core of the profile, or each host where there are none. */
static enum tp_status
from_events(const struct tp_pass_ctx *ctx, struct tp_pod *pod, struct tp_err *err)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(tp_skipped(ctx, &tp_pass_steps)));
	if (ctx->profile->torch != NULL)
		return tp_fail(err, TP_ABSENT, why_torch);
	bool cores = s->source->of_cores;

	*pod = (struct tp_pod){.steps = s, .cores = cores, .coarse = !cores};
	pod->count = cores ? s->timelines : s->host_count;
	if (pod->count < 2)
		return tp_fail(err, TP_ABSENT, why_one_has_steps, s->source->timeline);
	if (!cores && !hosts_match(s))
		return tp_fail(err, TP_ABSENT, why_steps_differ);
	pod->units = tp_new_array(ctx->keep, struct tp_pod_unit, pod->count);
	for (size_t u = 0; u < pod->count; u++) {
		pod->units[u].device = cores ? s->cores[u].device : TP_NONE;
		pod->units[u].host = cores ? s->cores[u].host : s->hosts[u].host;
	}
	pod->sync_known = cores && has_collective_ids(s);
	place_units(ctx, pod);
	return TP_OK;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_slice reason = {NULL, 0};
	struct tp_pod pod = {.steps = NULL};

	if (!tp_pod_from_precomputed(ctx, &pod, &reason)) {
		if (reason.len != 0)
			return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(reason));
		enum tp_status status = from_events(ctx, &pod, err);

		if (status != TP_OK)
			return status;
	}
	double *own = tp_new_array(ctx->scratch, double, pod.steps->count *pod.count);

	group_units(ctx, &pod);
	measure_units(&pod, own);
	pod.by_number = in_order(ctx, &pod, by_number);
	pod.by_own = in_order(ctx, &pod, slowest_first);
	tp_pod_find_straggler(&pod, own, pod.steps->count, ctx->scratch);
	find_median_step(&pod);
	if (pod.cores && pod.precomputed_ps == NULL)
		pod.traffic = tp_pod_find_traffic(ctx, &pod);
	*result = tp_new(ctx->keep, struct tp_pod);
	*(struct tp_pod *)*result = pod;
	return TP_OK;
}

bool
tp_pod_of_two(const struct tp_pod *pod, enum tp_pod_level level)
{
	const size_t counts[] = {pod->count, pod->chips, pod->hosts};

	return counts[level] == 2;
}

static struct tp_value
name(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	const struct tp_pod_straggler *s = &pod->straggler;
	struct tp_slice place = tp_pod_place(ctx, pod, s->unit);
	struct tp_slice called = tp_pod_name(ctx, pod, s->level, s->unit);

	if (!tp_pod_has_straggler(pod))
		return tp_missing(
			tp_pod_of_two(pod, TP_POD_CORE) ? TP_S(why_two_even) : TP_S(why_none_slow));
	if (s->level == TP_POD_HOST || place.len == 0)
		return tp_text_value(called);
	if (s->level == TP_POD_CHIP)
		place = pod->units[s->unit].host_name;
	return tp_text_value(tp_arena_printf(ctx->keep, "%.*s (%.*s)", TP_ARG(called), TP_ARG(place)));
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_pod *pod = result;
	struct tp_value none = tp_missing(tp_skipped_itself(ctx));
	double step_ps = pod ? pod->steps->time.mean : 0;
	double cost_ps = pod ? pod->straggler.lead.cost_ps : NAN;
	struct tp_slice over = pod ? tp_arena_printf(ctx->keep, "%zu %s, %zu %s", pod->steps->count,
									 tp_plural(pod->steps->count, "step", "steps"), pod->count,
									 pod->cores ? tp_plural(pod->count, "core", "cores")
												: tp_plural(pod->count, "host", "hosts"))
							   : TP_S("");

	tp_doc_metric(doc, TP_S("pod.straggler.name"), "Slowest core, chip or host",
		pod ? name(ctx, pod) : none,
		TP_S("the core, chip or host of pod.straggler.cost_ms: the smallest unit that costs at "
			 "least half as much as the costliest; missing below 1 % of the mean step"),
		over);
	tp_doc_metric(doc, TP_S("pod.straggler.cost_ms"), "Cost of the slowest",
		pod ? tp_ps_in_ms(cost_ps) : none,
		TP_S(
			"mean over steps of its own time minus that of the next slowest, 0 where it is not the "
			"slowest; own: the step without waiting for others in collectives and receives; the "
			"most a mean step could be shortened by"),
		over);
	tp_doc_metric(doc, TP_S("pod.straggler.cost_share"), "Cost of the slowest, share of the step",
		pod ? tp_share(cost_ps, step_ps, TP_S(why_no_length)) : none,
		TP_S("pod.straggler.cost_ms / step.time.mean_ms"), over);
	tp_doc_metric(doc, TP_S("pod.straggler.lost_ms"), "Lost to the slowest",
		pod ? tp_number(cost_ps * (double)pod->steps->count / 1e9, TP_UNIT_MS) : none,
		TP_S("pod.straggler.cost_ms × steps: the most all steps together could be shortened by"),
		over);
	tp_doc_metric(doc, TP_S("pod.straggler.steps"), "Steps in which it is the slowest",
		pod ? tp_count(pod->straggler.lead.steps) : none,
		TP_S("steps in which no other has a longer own time"), over);
	tp_doc_metric(doc, TP_S("pod.imbalance_ms"), "Imbalance",
		pod ? tp_ps_in_ms(pod->imbalance_ps) : none,
		TP_S("mean over steps of the slowest core's own time minus the median core's, whichever "
			 "they are; of hosts if the profile holds no cores"),
		over);
}

static const struct tp_pass *const after[] = {&tp_pass_steps, NULL};

const struct tp_pass tp_pass_pod = {
	.name = "pod",
	.title = "Distributed",
	.summary = "all cores of a run, step by step, and which core, chip or host is the straggler",
	.after = after,
	.place = TP_PLACE_POD,
	.analyze = analyze,
	.metrics = metrics,
	.lacks_nothing =
		"a single core has nothing to wait for; the environment pass lists cores that were not "
		"profiled",
};
