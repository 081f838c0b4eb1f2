/* Who sets the step time. A collective ends on all cores together, so a slow core shows in what it does itself, not in the
 * length of its step: the step would be shorter by what the slowest is slower than the slowest of the others. */
#include "analyze/pod/pod.h"

#include "analyze/core/limits.h"
#include "analyze/core/stats.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

#include <math.h>

struct tp_pod_lead
tp_pod_find_lead(const double *own, size_t steps, size_t units, const uint32_t *group,
	uint32_t group_count, struct tp_arena *scratch)
{
	double *slowest = tp_new_array(scratch, double, group_count);
	double *cost = tp_new_array(scratch, double, group_count);
	size_t *leads = tp_new_array(scratch, size_t, group_count);
	struct tp_pod_lead lead = {.group = 0, .cost_ps = NAN};

	for (size_t s = 0; s < steps; s++) {
		uint32_t first = UINT32_MAX, second = UINT32_MAX;

		for (uint32_t g = 0; g < group_count; g++)
			slowest[g] = -INFINITY;
		for (size_t u = 0; u < units; u++)
			slowest[group[u]] = fmax(slowest[group[u]], own[s * units + u]);
		for (uint32_t g = 0; g < group_count; g++) {
			if (first == UINT32_MAX || slowest[g] > slowest[first]) {
				second = first;
				first = g;
			} else if (second == UINT32_MAX || slowest[g] > slowest[second]) {
				second = g;
			}
		}
		if (second == UINT32_MAX)
			return lead;
		cost[first] += slowest[first] - slowest[second];
		leads[first]++;
	}
	for (uint32_t g = 1; g < group_count; g++) {
		if (cost[g] > cost[lead.group])
			lead.group = g;
	}
	if (steps != 0) {
		lead.cost_ps = cost[lead.group] / (double)steps;
		lead.steps = leads[lead.group];
	}
	return lead;
}

uint32_t
tp_pod_group(const struct tp_pod *pod, enum tp_pod_level level, size_t unit)
{
	return level == TP_POD_CORE ? (uint32_t)unit
		: level == TP_POD_CHIP  ? pod->units[unit].chip_group
								: pod->units[unit].host_group;
}

/* The smallest group that costs most of what any costs: of a slow core its chip and its host are as slow. */
static enum tp_pod_level
choose_level(const struct tp_pod *pod)
{
	double most = 0;

	for (int level = 0; level < TP_POD_LEVELS; level++)
		most = fmax(most, pod->leads[level].cost_ps);
	for (int level = 0; level < TP_POD_LEVELS; level++) {
		if (pod->leads[level].cost_ps >= most / 2)
			return (enum tp_pod_level)level;
	}
	return TP_POD_CORE;
}

/* Figures of a unit besides its parts. */
enum { OWN = TP_POD_PART_COUNT, COMPUTE };

static double
figure(const struct tp_pod_unit *unit, size_t what)
{
	return what == OWN    ? unit->own_ps
		: what == COMPUTE ? unit->mean_ps[TP_POD_HIGH_FLOPS] + unit->mean_ps[TP_POD_LOW_FLOPS] +
			unit->mean_ps[TP_POD_COPY]
						  : unit->mean_ps[what];
}

/* The median of a figure over the units that are not of the straggler's group. */
static double
median_of_others(const struct tp_pod *pod, const bool *in, size_t what, struct tp_arena *scratch)
{
	double *values = tp_new_array(scratch, double, pod->count);
	size_t n = 0;

	for (size_t u = 0; u < pod->count; u++) {
		if (!in[u])
			values[n++] = figure(&pod->units[u], what);
	}
	return tp_stats_of(values, n, scratch).p50;
}

static void
describe(struct tp_pod *pod, struct tp_arena *scratch)
{
	struct tp_pod_straggler *s = &pod->straggler;
	bool *in = tp_new_array(scratch, bool, pod->count);
	double longest = -INFINITY;
	bool any = false;

	for (size_t u = 0; u < pod->count; u++) {
		in[u] = tp_pod_group(pod, s->level, u) == s->lead.group;
		if (in[u] && (!any || pod->units[u].own_ps > pod->units[s->unit].own_ps))
			s->unit = u;
		any |= in[u];
	}
	s->own_ps = pod->units[s->unit].own_ps;
	s->others_ps = median_of_others(pod, in, OWN, scratch);
	s->compute_ps = figure(&pod->units[s->unit], COMPUTE);
	s->compute_others_ps = median_of_others(pod, in, COMPUTE, scratch);
	for (int k = 0; k < TP_POD_PART_COUNT; k++) {
		double more;

		s->part_ps[k] = pod->units[s->unit].mean_ps[k];
		s->part_others_ps[k] = median_of_others(pod, in, (size_t)k, scratch);
		more = s->part_ps[k] - s->part_others_ps[k];
		if (!tp_pod_part_info((enum tp_pod_part)k)->waits && more > longest) {
			longest = more;
			s->longer = (enum tp_pod_part)k;
		}
	}
}

void
tp_pod_find_straggler(struct tp_pod *pod, const double *own, size_t steps, struct tp_arena *scratch)
{
	uint32_t *group = tp_new_array(scratch, uint32_t, pod->count);
	uint32_t counts[TP_POD_LEVELS] = {(uint32_t)pod->count, pod->chips, pod->hosts};

	for (int level = 0; level < TP_POD_LEVELS; level++) {
		for (size_t u = 0; u < pod->count; u++)
			group[u] = tp_pod_group(pod, (enum tp_pod_level)level, u);
		pod->leads[level] = tp_pod_find_lead(own, steps, pod->count, group, counts[level], scratch);
	}
	pod->straggler.level = pod->cores ? choose_level(pod) : TP_POD_HOST;
	pod->straggler.lead = pod->leads[pod->straggler.level];
	describe(pod, scratch);
	for (size_t s = 0; s < steps; s++) {
		struct tp_stats t = tp_stats_of(own + s * pod->count, pod->count, scratch);

		pod->imbalance_ps += (t.max - t.p50) / (double)steps;
	}
}

bool
tp_pod_has_straggler(const struct tp_pod *pod)
{
	return pod->straggler.lead.cost_ps >= TP_POD_EVEN_SHARE * pod->steps->time.mean;
}

bool
tp_pod_straggles(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	struct tp_limits limits = tp_limits_of(
		ctx, "TPR-POD-001", (struct tp_limits){TP_POD_MEDIUM_SHARE, TP_POD_HIGH_SHARE});

	return tp_pod_has_straggler(pod) &&
		pod->straggler.lead.cost_ps >= limits.medium * pod->steps->time.mean;
}
