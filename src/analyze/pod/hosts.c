/* Adding up by host what the other passes measured by device, operation and step. */
#include "analyze/pod/hosts.h"
#include "analyze/core/pass.h"

#include "analyze/core/stats.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/precomputed.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/saturate.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "rank.pb-c.h"

#include <math.h>

static void
add_devices(const struct tp_pass_ctx *ctx, struct tp_hosts *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	bool *flop = tp_new_array(ctx->scratch, bool, p->host_count),
		 *byte = tp_new_array(ctx->scratch, bool, p->host_count);

	for (size_t i = 0; d != NULL && i < d->count; i++) {
		const struct tp_device_time *t = &d->devices[i];
		uint32_t at = p->devices[t->device].host;
		struct tp_host_figures *h = &out->hosts[at];
		double flop_per_s = peaks ? peaks->devices[t->device].of[TP_PEAK_FLOP].value : 0;
		double byte_per_s = peaks ? peaks->devices[t->device].of[TP_PEAK_HBM].value : 0;

		flop[at] |= !(flop_per_s > 0);
		byte[at] |= !(byte_per_s > 0);
		h->busy_ps = tp_add_ps(h->busy_ps, t->busy_ps);
		h->total_ps = tp_add_ps(h->total_ps, t->total_ps);
		h->duty_on_ps = tp_add_ps(h->duty_on_ps, t->duty.first ? t->duty.on_ps : 0);
		h->duty_total_ps = tp_add_ps(h->duty_total_ps, t->duty.first ? t->duty.total_ps : 0);
		h->flops = tp_plus(h->flops, t->flops);
		h->hbm_bytes = tp_plus(h->hbm_bytes, t->hbm_bytes);
		h->has_costs |= t->has_costs;
		h->has_flops |= t->has_flops;
		h->peak_flop_ps += (double)t->total_ps * flop_per_s;
		h->busy_peak_flop_ps += (double)t->busy_ps * flop_per_s;
		h->peak_byte_ps += (double)t->total_ps * byte_per_s;
		h->busy_peak_byte_ps += (double)t->busy_ps * byte_per_s;
	}
	for (uint32_t i = 0; i < out->count; i++) {
		struct tp_host_figures *h = &out->hosts[i];

		if (flop[i])
			h->peak_flop_ps = h->busy_peak_flop_ps = 0;
		if (byte[i])
			h->peak_byte_ps = h->busy_peak_byte_ps = 0;
	}
}

static void
count_devices(const struct tp_pass_ctx *ctx, struct tp_hosts *out)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_map chips;

	tp_map_init(&chips, ctx->scratch);
	for (uint32_t d = 0; d < p->device_count; d++) {
		struct tp_host_figures *h = &out->hosts[p->devices[d].host];

		if (!tp_environment_counts(&p->devices[d]))
			continue;
		h->cores++;
		h->chips += tp_environment_first_of_chip(&p->devices[d], &chips);
	}
}

/* The same operation on several cores of a host is one. */
static void
add_ops(const struct tp_pass_ctx *ctx, struct tp_hosts *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	int64_t *self_ps = tp_new_array(ctx->scratch, int64_t, p->op_count);
	struct tp_map known;

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct Tp__Rank *given = p->hosts[h].given;

		if (given == NULL)
			continue;
		out->hosts[h].top_op = tp_slice_of(given->xla->top_name);
		out->hosts[h].top_ps = given->xla->top_ps;
		out->hosts[h].self_ps = given->xla->self_ps;
	}
	if (times == NULL)
		return;
	tp_map_init(&known, ctx->scratch);
	for (uint32_t i = 0; i < p->op_count; i++) {
		const struct tp_op_sum *sum = &times->ops[i];
		const struct tp_op *op = &p->ops[i];

		if (sum->occurrences == 0)
			continue;
		struct tp_host_figures *h = &out->hosts[sum->host];
		uint64_t program = op->has_program ? op->program_id : UINT64_MAX;
		uint64_t key = tp_hash_pair(tp_hash_pair(tp_hash_bytes(op->label), program), sum->host);
		uint32_t at;

		tp_map_number(&known, key, &at);
		self_ps[at] = tp_add_ps(self_ps[at], sum->self_ps);
		h->self_ps = tp_add_ps(h->self_ps, sum->self_ps);
		if (h->top_op.len == 0 || self_ps[at] > h->top_ps) {
			h->top_op = op->label;
			h->top_ps = self_ps[at];
		}
	}
}

static void
add_steps(const struct tp_pass_ctx *ctx, struct tp_hosts *out)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	for (size_t i = 0; s != NULL && i < s->host_count; i++)
		out->hosts[s->hosts[i].host].steps = &s->hosts[i];
	for (uint32_t i = 0; tp_precomputed(ctx) != NULL && i < ctx->profile->precomputed_host_count;
		 i++) {
		const struct tp_precomputed *g = ctx->profile->precomputed_hosts[i];

		if (g->host != TP_NONE)
			out->hosts[g->host].precomputed = g;
	}
}

/* Class compute of a core's mean step. */
static double
compute_ps(const struct tp_steps *s, size_t core)
{
	double sum = 0;

	for (size_t i = 0; i < s->count; i++)
		sum += s->cells[i * s->timelines + core].class_ps[TP_CLASS_COMPUTE];
	return sum / (double)s->count;
}

/* The largest of some against their median; indices name the values. */
static struct tp_straggler
slowest(const double *ps, const uint32_t *indices, size_t count, struct tp_arena *scratch)
{
	struct tp_straggler s = {.index = TP_NONE, .times = NAN};

	if (count < 2)
		return s;
	s.median_ps = tp_stats_of(ps, count, scratch).p50;
	for (size_t i = 0; i < count; i++) {
		if (s.index == TP_NONE || ps[i] > s.ps) {
			s.index = indices[i];
			s.ps = ps[i];
		}
	}
	if (s.median_ps > 0)
		s.times = s.ps / s.median_ps;
	return s;
}

static void
find_stragglers(const struct tp_pass_ctx *ctx, struct tp_hosts *out)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	size_t cores = s != NULL && s->source->of_cores ? s->timelines : 0, n = 0;
	size_t most = cores > out->count ? cores : out->count;
	double *ps = tp_new_array(ctx->scratch, double, most);
	uint32_t *indices = tp_new_array(ctx->scratch, uint32_t, most);

	for (uint32_t i = 0; i < out->count; i++) {
		if (out->hosts[i].steps == NULL)
			continue;
		ps[n] = out->hosts[i].steps->time.mean;
		indices[n++] = i;
	}
	out->step = slowest(ps, indices, n, ctx->scratch);
	for (size_t c = 0; c < cores; c++) {
		struct tp_host_figures *h = &out->hosts[s->cores[c].host];

		ps[c] = compute_ps(s, c);
		indices[c] = s->cores[c].device;
		out->core_compute_ps[s->cores[c].device] = ps[c];
		if (h->steps != NULL)
			h->core_compute_ps = fmax(h->core_compute_ps, ps[c]);
	}
	out->work = slowest(ps, indices, cores, ctx->scratch);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_hosts *out = tp_new(ctx->keep, struct tp_hosts);

	(void)err;
	out->count = p->host_count;
	out->hosts = tp_new_array(ctx->keep, struct tp_host_figures, p->host_count);
	out->core_compute_ps = tp_new_array(ctx->keep, double, p->device_count);
	for (uint32_t d = 0; d < p->device_count; d++)
		out->core_compute_ps[d] = NAN;
	for (uint32_t i = 0; i < p->host_count; i++)
		out->hosts[i] = (struct tp_host_figures){.profile = p, .host = i, .core_compute_ps = NAN};
	count_devices(ctx, out);
	add_devices(ctx, out);
	add_ops(ctx, out);
	add_steps(ctx, out);
	find_stragglers(ctx, out);
	*result = out;
	return TP_OK;
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	if (tp_precomputed(ctx) == NULL)
		tp_hosts_each_metrics(ctx, result, doc);
}

static const struct tp_pass *const after[] = {
	&tp_pass_op_times, &tp_pass_peaks, &tp_pass_devices, &tp_pass_steps, NULL};

const struct tp_pass tp_pass_hosts = {
	.name = "hosts",
	.title = "Hosts",
	.summary = "each host: steps, devices, utilisation, and which is slower than the others",
	.after = after,
	.place = TP_PLACE_HOSTS,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_hosts_present,
	.lacks_nothing = "a run with one host has nothing to compare",
};
