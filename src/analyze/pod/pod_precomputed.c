/* The cores of a pod out of a tool file: the profiler worked out what each did in each step. */
#include "analyze/facts/precomputed.h"
#include "analyze/pod/pod.h"
#include "analyze/pod/pod_traffic.h"
#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static enum tp_pod_part
part_of(const struct tp_precomputed_pod *g, enum tp_precomputed_pod_part part)
{
	static const enum tp_pod_part parts[TP_PRECOMPUTED_POD_PART_COUNT] = {
		[TP_PRECOMPUTED_POD_HIGH_FLOPS] = TP_POD_HIGH_FLOPS,
		[TP_PRECOMPUTED_POD_COMPUTE] = TP_POD_LOW_FLOPS,
		[TP_PRECOMPUTED_POD_INFEED] = TP_POD_INFEED,
		[TP_PRECOMPUTED_POD_OUTFEED] = TP_POD_OUTFEED,
		[TP_PRECOMPUTED_POD_COLLECTIVE] = TP_POD_COLLECTIVE_COMPUTE,
		[TP_PRECOMPUTED_POD_COLLECTIVE_SYNC] = TP_POD_COLLECTIVE_SYNC,
		[TP_PRECOMPUTED_POD_SEND] = TP_POD_SEND,
		[TP_PRECOMPUTED_POD_RECV] = TP_POD_RECV,
		[TP_PRECOMPUTED_POD_SPARSE_CORE] = TP_POD_SPARSE_CORE,
		[TP_PRECOMPUTED_POD_HOST] = TP_POD_OTHER,
		[TP_PRECOMPUTED_POD_REST] = TP_POD_IDLE,
	};

	/* What may be waiting is taken for it, as with events. */
	if (part == TP_PRECOMPUTED_POD_COLLECTIVE && !g->sync_known)
		return TP_POD_COLLECTIVE_SYNC;
	return parts[part];
}

static const double *
fill(const struct tp_pass_ctx *ctx, const struct tp_precomputed_pod *g)
{
	size_t cells = g->step_count * g->core_count;
	double *ps = tp_new_array(ctx->keep, double, cells *TP_POD_PART_COUNT);

	for (size_t i = 0; i < cells; i++) {
		for (int k = 0; k < TP_PRECOMPUTED_POD_PART_COUNT; k++)
			ps[i * TP_POD_PART_COUNT + part_of(g, (enum tp_precomputed_pod_part)k)] +=
				g->us[i * TP_PRECOMPUTED_POD_PART_COUNT + (size_t)k] * 1e6;
	}
	return ps;
}

/* A step is as long as on the core where it is longest. */
static const struct tp_steps *
steps_of(const struct tp_pass_ctx *ctx, const struct tp_precomputed_pod *g, const double *ps)
{
	struct tp_steps *s = tp_new(ctx->keep, struct tp_steps);
	double *times = tp_new_array(ctx->scratch, double, g->step_count);

	*s = (struct tp_steps){
		.source = &tp_step_source_precomputed,
		.steps = tp_new_array(ctx->keep, struct tp_step, g->step_count),
		.count = g->step_count,
		.seen = g->step_count + g->steps_left_out,
		.incomplete = g->steps_left_out,
		.timelines = g->core_count,
		.gap_mean_ps = NAN,
	};
	for (size_t i = 0; i < g->step_count; i++) {
		s->steps[i].name = g->steps[i];
		for (size_t c = 0; c < g->core_count; c++) {
			double total = 0;

			for (int k = 0; k < TP_POD_PART_COUNT; k++)
				total += ps[(i * g->core_count + c) * TP_POD_PART_COUNT + (size_t)k];
			s->steps[i].time_ps = fmax(s->steps[i].time_ps, total);
		}
		times[i] = s->steps[i].time_ps;
		if (times[i] > s->steps[s->slowest].time_ps)
			s->slowest = i;
	}
	s->time = tp_stats_of(times, g->step_count, ctx->scratch);
	return s;
}

TP_ORDER(by_latency, struct tp_pod_link, TP_DOWN(latency_ps), TP_UP(channel), TP_UP(source));

static struct tp_pod_traffic *
traffic_of(const struct tp_pass_ctx *ctx, const struct tp_precomputed_pod *g)
{
	struct tp_pod_traffic *t = tp_new(ctx->keep, struct tp_pod_traffic);
	double each = (double)g->step_count * (double)g->core_count;

	*t = (struct tp_pod_traffic){
		.precomputed = true,
		.links = tp_new_array(ctx->keep, struct tp_pod_link, g->link_count),
		.link_count = g->link_count,
		.collectives = tp_new_array(ctx->keep, struct tp_pod_collective, g->collective_count),
		.collective_count = g->collective_count,
	};
	for (size_t i = 0; i < g->link_count; i++) {
		const struct tp_precomputed_link *l = &g->links[i];

		t->links[i] = (struct tp_pod_link){
			.channel = l->channel,
			.source = l->source,
			.target = l->target,
			.send = l->send,
			.receive = l->receive,
			.bytes = (uint64_t)l->bytes,
			.occurrences = (size_t)l->occurrences,
			.latency_ps = l->duration_us * 1e6,
			.delay_ps = l->delay_us * 1e6,
			.receive_ps = NAN,
		};
	}
	if (g->link_count != 0)
		qsort(t->links, t->link_count, sizeof *t->links, by_latency);
	for (size_t i = 0; i < g->collective_count; i++) {
		const struct tp_precomputed_collective *c = &g->collectives[i];

		t->collectives[i] = (struct tp_pod_collective){
			.name = c->name,
			.shape = c->shape,
			.occurrences = (size_t)c->occurrences,
			.mean_ps = c->total_us * 1e6 / each,
			.fastest_ps = NAN,
			.bytes = c->bytes,
		};
	}
	return t;
}

bool
tp_pod_from_precomputed(const struct tp_pass_ctx *ctx, struct tp_pod *pod, struct tp_slice *reason)
{
	const struct tp_precomputed *precomputed = tp_precomputed(ctx);
	const struct tp_precomputed_pod *g = precomputed != NULL ? precomputed->pod : NULL;

	if (g == NULL)
		return false;
	if (g->core_count < 2) {
		*reason = TP_S(why_one_core_has_steps);
		return false;
	}
	const double *ps = fill(ctx, g);

	*pod = (struct tp_pod){
		.cores = true,
		.coarse = g->coarse,
		.sync_known = g->sync_known,
		.placed = g->numbers_from_chips,
		.precomputed_from = g->from,
		.precomputed_ps = ps,
		.steps = steps_of(ctx, g, ps),
		.count = g->core_count,
		.mesh = {g->mesh[0], g->mesh[1], g->mesh[2]},
		.units = tp_new_array(ctx->keep, struct tp_pod_unit, g->core_count),
		.traffic = traffic_of(ctx, g),
	};
	if (!(pod->steps->time.mean > 0)) {
		*reason = TP_S(why_given_no_length);
		return false;
	}
	for (size_t c = 0; c < g->core_count; c++) {
		const struct tp_precomputed_core *core = &g->cores[c];

		pod->units[c] = (struct tp_pod_unit){
			.device = TP_NONE,
			.host = TP_NONE,
			.host_name = core->host,
			.chip = core->chip,
			.core_on_chip = core->core_on_chip,
			.number =
				pod->placed ? core->chip * g->cores_per_chip + core->core_on_chip : core->number,
		};
		pod->by_host |= !pod->placed && core->number >= TP_POD_HOST_DEVICES;
	}
	return true;
}
