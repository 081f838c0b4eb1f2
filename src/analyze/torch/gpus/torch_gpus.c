/* Sweeps over the kernels of each device of each trace. */
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/core/pass.h"

#include "analyze/core/lack_words.h"
#include "analyze/core/stats.h"
#include "analyze/facts/occupancy.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/torch_unrecorded.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/number.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

/* More blocks a multiprocessor begin or end. */
struct edge {
	int64_t ps;
	double blocks;
};

/* One device of one trace, and room for its kernels. */
struct measuring {
	const struct tp_pass_ctx *ctx;
	const struct tp_torch_trace *t;
	struct tp_torch_gpu_use *use;
	struct tp_torch_kernel_names *names;
	struct tp_interval window;
	const struct tp_torch_gpu *gpu; /* as deviceProperties has it; NULL: it does not */
	struct tp_interval *runs;
	struct edge *edges;
	size_t run_count, edge_count;
};

TP_ORDER(by_time, struct edge, TP_UP(ps));

/* Blocks of the grid over multiprocessors: as the trace says, else worked out (ROCm writes the grid alone); NaN: not known. */
static double
blocks_per_sm(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *l)
{
	if (isfinite(l->blocks_per_sm))
		return l->blocks_per_sm;
	if (l->grid[0] == 0 || gpu == NULL || gpu->sm_count == 0)
		return NAN;
	return (double)l->grid[0] * l->grid[1] * l->grid[2] / gpu->sm_count;
}

double
tp_torch_occupancy(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *l)
{
	double threads = (double)l->block[0] * l->block[1] * l->block[2];
	double blocks = blocks_per_sm(gpu, l);

	if (isfinite(l->occupancy))
		return l->occupancy;
	if (l->has_registers || gpu == NULL || gpu->threads_per_sm == 0 || !(threads > 0) ||
		!(blocks > 0))
		return NAN;
	double fit = floor(gpu->threads_per_sm / threads);

	if (l->has_shared && l->shared_bytes != 0 && gpu->shared_per_sm != 0)
		fit = tp_smaller(fit, floor((double)gpu->shared_per_sm / l->shared_bytes));
	return tp_smaller(blocks, fit) * threads / gpu->threads_per_sm;
}

/* 0…1: as the trace says, else estimated; NaN: unknown. */
static double
occupancy(struct measuring *m, const struct tp_torch_launch *l)
{
	if (isfinite(l->occupancy))
		return l->occupancy;
	double share = tp_torch_occupancy(m->gpu, l);

	m->use->occupancy_worked_out |= isfinite(share);
	return share;
}

static void
add_launch(struct measuring *m, const struct tp_torch_launch *l, struct tp_interval run)
{
	int64_t inside_ps = run.end_ps - run.start_ps;
	double blocks = blocks_per_sm(m->gpu, l), share = occupancy(m, l);

	if (blocks > 0) {
		m->edges[m->edge_count++] = (struct edge){run.start_ps, blocks};
		m->edges[m->edge_count++] = (struct edge){run.end_ps, -blocks};
	}
	if (share >= 0) {
		m->use->occupied_ps += share * (double)inside_ps;
		m->use->occupied_of_ps += (double)inside_ps;
	}
}

static void
add_kernel(struct measuring *m, uint32_t event)
{
	const struct tp_torch_trace *t = m->t;
	int64_t start = tp_torch_start_ps(t, event), end = start + tp_torch_duration_ps(t, event);
	struct tp_interval run = {start > m->window.start_ps ? start : m->window.start_ps,
		end < m->window.end_ps ? end : m->window.end_ps};
	enum tp_tensor_core cores = tp_torch_kernel_cores(m->names, t, event);
	int64_t time_ps = tp_torch_duration_ps(t, event);

	m->use->kernels++;
	m->use->kernel_ps = tp_add_ps(m->use->kernel_ps, time_ps);
	if (tp_torch_kernel_is_collective(m->names, t, event))
		m->use->collective_ps = tp_add_ps(m->use->collective_ps, time_ps);
	if (cores == TP_TENSOR_CORE_USED)
		m->use->tensor_ps = tp_add_ps(m->use->tensor_ps, time_ps);
	if (cores == TP_TENSOR_CORE_NOT_TOLD)
		m->use->untold_ps = tp_add_ps(m->use->untold_ps, time_ps);
	const struct tp_torch_work *w =
		t->detail[event] == TP_NONE ? NULL : &t->works[t->detail[event]];
	bool launched = w != NULL && w->launch != TP_NONE;

	m->use->filled_known |= launched && blocks_per_sm(m->gpu, &t->launches[w->launch]) > 0;
	if (run.end_ps <= run.start_ps)
		return;
	m->runs[m->run_count++] = run;
	if (launched)
		add_launch(m, &t->launches[w->launch], run);
}

/* ∫ min(1, Σ blocks) over the window. */
static double
filled(struct edge *edges, size_t count)
{
	double sum = 0, blocks = 0;
	size_t running = 0;

	qsort(edges, count, sizeof *edges, by_time);
	for (size_t i = 0; i < count; i++) {
		if (i != 0 && running != 0)
			sum += (blocks < 1 ? blocks : 1) * (double)(edges[i].ps - edges[i - 1].ps);
		running += edges[i].blocks > 0 ? 1 : -1;
		blocks = running == 0 ? 0 : blocks + edges[i].blocks; /* no rest of rounding while idle */
	}
	return sum;
}

static struct tp_interval
window_of(const struct tp_torch_trace *t, const struct tp_torch_trace_steps *s, uint32_t gpu)
{
	struct tp_interval w = {INT64_MAX, INT64_MIN};

	if (s->count != 0)
		return (struct tp_interval){s->steps[0].start_ps, s->steps[s->count - 1].end_ps};
	for (uint32_t l = 0; l < t->lane_count; l++) {
		const struct tp_torch_lane *lane = &t->lanes[l];

		for (uint32_t e = lane->first; lane->kind == TP_TORCH_LANE_STREAM && lane->gpu == gpu &&
			 e < lane->first + lane->count;
			 e++) {
			int64_t end = tp_torch_end_ps(t, e);

			w.start_ps =
				tp_torch_start_ps(t, e) < w.start_ps ? tp_torch_start_ps(t, e) : w.start_ps;
			w.end_ps = end > w.end_ps ? end : w.end_ps;
		}
	}
	return w;
}

uint32_t
tp_torch_gpu_device(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t gpu)
{
	for (uint32_t d = 0; d < p->device_count; d++) {
		if (p->devices[d].host == t->host && p->devices[d].ordinal == gpu)
			return d;
	}
	return TP_NONE;
}

static void
measure(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_trace_steps *s, struct tp_torch_kernel_names *names,
	struct tp_torch_gpu_use *use)
{
	struct measuring m = {.ctx = ctx,
		.t = t,
		.use = use,
		.names = names,
		.window = window_of(t, s, use->gpu),
		.gpu = tp_torch_gpu_of(t, use->gpu),
		.runs = tp_new_array(ctx->scratch, struct tp_interval, t->kind_count[TP_TORCH_KERNEL]),
		.edges =
			tp_new_array(ctx->scratch, struct edge, (size_t)2 * t->kind_count[TP_TORCH_KERNEL])};

	use->device = tp_torch_gpu_device(ctx->profile, t, use->gpu);
	use->window_ps = m.window.end_ps > m.window.start_ps ? m.window.end_ps - m.window.start_ps : 0;
	for (uint32_t l = 0; l < t->lane_count; l++) {
		const struct tp_torch_lane *lane = &t->lanes[l];

		for (uint32_t e = lane->first; lane->kind == TP_TORCH_LANE_STREAM &&
			 lane->gpu == use->gpu && e < lane->first + lane->count;
			 e++) {
			if (t->kind[e] == TP_TORCH_KERNEL)
				add_kernel(&m, e);
		}
	}
	use->running_ps = tp_intervals_ps(m.runs, tp_intervals_unite(m.runs, m.run_count));
	use->filled_ps = filled(m.edges, m.edge_count);
	use->tensor_cores = use->tensor_ps != 0 ? TP_TENSOR_CORES_THERE
		: use->device != TP_NONE ? tp_tensor_cores_of(&ctx->profile->devices[use->device])
								 : TP_TENSOR_CORES_UNRECORDED;
}

size_t
tp_torch_gpus_of(const struct tp_torch_trace *t, uint32_t *gpus)
{
	size_t count = 0;

	for (uint32_t l = 0; l < t->lane_count; l++) {
		uint32_t gpu = t->lanes[l].gpu;
		size_t at = 0;

		if (t->lanes[l].kind != TP_TORCH_LANE_STREAM)
			continue;
		while (at < count && gpus[at] < gpu)
			at++;
		if (at < count && gpus[at] == gpu)
			continue;
		memmove(gpus + at + 1, gpus + at, (count - at) * sizeof *gpus);
		gpus[at] = gpu;
		count++;
	}
	return count;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct tp_torch_gpus *g = tp_new(ctx->keep, struct tp_torch_gpus);
	struct tp_torch_kernel_names names = tp_torch_kernel_names_new(ctx->profile, ctx->scratch);
	size_t lanes = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++)
		lanes += torch->traces[i]->lane_count;
	g->uses = tp_new_array(ctx->keep, struct tp_torch_gpu_use, lanes);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];
		uint32_t *gpus = tp_new_array(ctx->scratch, uint32_t, t->lane_count + 1);
		/* Without its kernels a trace tells of its GPUs nothing, even where it has copies. */
		size_t count = stepped->traces[i].unrecorded == 0 ? tp_torch_gpus_of(t, gpus) : 0;

		for (size_t k = 0; k < count; k++) {
			struct tp_torch_gpu_use *use = &g->uses[g->count++];

			*use = (struct tp_torch_gpu_use){.trace = i, .gpu = gpus[k]};
			measure(ctx, t, &stepped->traces[i], &names, use);
		}
	}
	struct tp_slice unrecorded = tp_torch_unrecorded_reason(ctx);

	if (g->count == 0 && unrecorded.len != 0)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(unrecorded));
	if (g->count == 0)
		return tp_fail(err, TP_ABSENT,
			"no trace holds device work: capture with ProfilerActivity.CUDA (or XPU) among the "
			"activities");
	*result = g;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_torch_steps, NULL};

static struct tp_slice
without_kernels(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;

	if (torch == NULL)
		return TP_S("");
	struct tp_torch_unrecorded u = tp_torch_unrecorded(ctx->profile);

	return u.traces == 0 ? TP_S("")
		: u.all          ? tp_torch_unrecorded_reason(ctx)
				: tp_arena_printf(ctx->keep, "%u of %u traces %s launches but no kernels", u.traces,
					  torch->trace_count, tp_plural(u.traces, "holds", "hold"));
}

static struct tp_slice
without_work(const struct tp_pass_ctx *ctx)
{
	return tp_result(ctx, &tp_pass_torch_gpus) == NULL && ctx->profile->torch != NULL &&
			without_kernels(ctx).len == 0
		? TP_S("no trace holds device work")
		: TP_S("");
}

static const struct tp_lack lacks[] = {
	{"gpus", "GPU activity", TP_LACK_TIMED, .why = without_work,
		.pytorch =
			"If a GPU was in use: `ProfilerActivity.CUDA` (or `XPU`) among the `activities`."},
	{"kernels-launched", "GPU activity", TP_LACK_TIMED, .why = without_kernels,
		.pytorch = TP_LACK_CUPTI},
	{0},
};

const struct tp_pass tp_pass_torch_gpus = {
	.name = "gpus",
	.title = "GPUs",
	.summary = "each GPU of a PyTorch run: utilisation, est. SM efficiency, est. achieved "
			   "occupancy, tensor cores",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_GPUS,
	.analyze = analyze,
	.metrics = tp_torch_gpus_metrics,
	.present = tp_torch_gpus_present,
	.lacks = lacks,
};
