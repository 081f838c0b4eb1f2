/* One walk over the events of each trace; times are counted where they begin within a step. */
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/core/pass.h"

#include "analyze/facts/op_times.h"
#include "analyze/facts/torch_unrecorded.h"
#include "analyze/steps/step_counted.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/operators/torch_op_calls.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_host_time.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* A median needs no more of them. */
enum { MOST_SAMPLES = 65536 };

/* NCCL runs on compute capability 3.5 and later; AMD's numbers, where RCCL runs, are all above. */
enum { NCCL_MAJOR = 3, NCCL_MINOR = 5 };

struct walk {
	const struct tp_pass_ctx *ctx;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	struct tp_counted_steps counted;
	struct tp_torch_costs *out;
	struct tp_torch_kernel_names *names;
	struct tp_interval *work; /* united: a device works */
	size_t work_count;
	struct tp_cover queued; /* work has been launched and does not begin */
	uint32_t *launched;     /* by event: kernels that the call launched */
	int64_t *drained_by;    /* by operation of the profile */
	uint8_t *ranges; /* likewise: bool + 1, whether it is DataParallel's; 0: not looked at yet */
};

/* The step in which an event begins; NULL: none. */
static const struct tp_torch_step *
step_of(const struct walk *w, uint32_t event)
{
	const struct tp_torch_trace_steps *s = &w->counted.steps;
	int64_t ps = tp_torch_start_ps(w->t, event);
	size_t behind = TP_FIRST_WHERE(i, s->count, s->steps[i].start_ps > ps);

	return behind != 0 && ps < s->steps[behind - 1].end_ps ? &s->steps[behind - 1] : NULL;
}

/* Roles of devices together. */
static void
unite_work(struct walk *w)
{
	static const enum tp_torch_role of_device[] = {TP_TORCH_ROLE_KERNEL, TP_TORCH_ROLE_MEMCPY,
		TP_TORCH_ROLE_MEMSET, TP_TORCH_ROLE_COMMUNICATION};
	enum { ROLES = sizeof of_device / sizeof *of_device };
	const struct tp_torch_roles *r = &w->counted.steps.roles;
	size_t roles = r->collective_kernels ? ROLES : ROLES - 1, count = 0;

	for (size_t i = 0; i < roles; i++)
		count += r->count[of_device[i]];
	w->work = tp_new_array(w->ctx->scratch, struct tp_interval, count);
	for (size_t i = 0; i < roles; i++) {
		if (r->count[of_device[i]] != 0)
			memcpy(w->work + w->work_count, r->intervals[of_device[i]],
				r->count[of_device[i]] * sizeof *w->work);
		w->work_count += r->count[of_device[i]];
	}
	w->work_count = tp_intervals_unite(w->work, w->work_count);
}

/* When the next device work begins that is not over at ps; INT64_MAX: none does. */
static int64_t
next_work(const struct walk *w, int64_t ps)
{
	size_t next = TP_FIRST_WHERE(i, w->work_count, w->work[i].end_ps > ps);

	return next == w->work_count ? INT64_MAX : w->work[next].start_ps;
}

/* Calls that return when a device has done what it was given. */
static bool
waits_for_device(struct tp_slice name)
{
	return tp_slice_ends(name, TP_S("Synchronize")) || tp_slice_eq(name, TP_S("cudaMemcpy")) ||
		tp_slice_eq(name, TP_S("hipMemcpy")) || tp_slice_eq(name, TP_S("hipMemcpyWithStream"));
}

/* By event the outermost operator around it: the one that the program called. What holds an event comes before it. */
static const uint32_t *
find_outermost(const struct walk *w)
{
	uint32_t *outermost = tp_new_array(w->ctx->scratch, uint32_t, w->t->count);

	for (uint32_t e = 0; e < w->t->count; e++) {
		uint32_t parent = w->links->parent[e];
		uint32_t above = parent == TP_NONE ? TP_NONE : outermost[parent];
		bool called = parent != TP_NONE && w->t->kind[parent] == TP_TORCH_OPERATOR;

		outermost[e] = above == TP_NONE && called ? parent : above;
	}
	return outermost;
}

static void
find_queued(struct walk *w)
{
	size_t room = w->links->work.count;
	struct tp_interval *queued = tp_new_array(w->ctx->scratch, struct tp_interval, room);
	uint64_t *before_ps = tp_new_array(w->ctx->scratch, uint64_t, room);
	size_t count = tp_torch_queued(w->t, w->links, queued);

	w->queued = tp_cover_of(queued, tp_intervals_unite(queued, count), before_ps);
}

/* The time without device work after a wait, up to the next work or the step's end, but for what is queued: that does not wait
 * for the host. *until: what is counted already. */
static void
add_wait(struct walk *w, const uint32_t *outermost, uint32_t event, int64_t *until)
{
	const struct tp_torch_step *step = step_of(w, event);

	if (step == NULL || !waits_for_device(tp_torch_name(w->ctx->profile, w->t, event)))
		return;
	int64_t from = tp_torch_end_ps(w->t, event) > *until ? tp_torch_end_ps(w->t, event) : *until;
	int64_t to = next_work(w, tp_torch_end_ps(w->t, event));
	uint32_t asking = outermost[event];

	w->out->waits++;
	w->out->wait_ps = tp_add_ps(w->out->wait_ps, tp_torch_duration_ps(w->t, event));
	to = to < step->end_ps ? to : step->end_ps;
	if (to <= from)
		return;
	*until = to;
	int64_t drained_ps = to - from - tp_cover_within(&w->queued, from, to);

	w->out->drained_ps += w->counted.weight * (double)drained_ps;
	if (asking != TP_NONE)
		w->drained_by[tp_torch_op(w->t, asking)] += drained_ps;
}

static void
add_waits(struct walk *w)
{
	const uint32_t *outermost = find_outermost(w);

	for (uint32_t l = 0; l < w->t->lane_count; l++) {
		const struct tp_torch_lane *lane = &w->t->lanes[l];
		int64_t until = INT64_MIN;

		for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
			if (tp_torch_is_call(w->t->kind[e]))
				add_wait(w, outermost, e, &until);
		}
	}
}

static void
add_copy(struct walk *w, uint32_t event)
{
	struct tp_slice name = tp_torch_name(w->ctx->profile, w->t, event);
	int64_t bytes = w->t->detail[event] == TP_NONE ? -1 : w->t->works[w->t->detail[event]].bytes;
	bool pageable = tp_slice_has(name, TP_S("Pageable"));

	if (step_of(w, event) == NULL)
		return;
	w->out->host_copies += tp_slice_has(name, TP_S("HtoD")) || tp_slice_has(name, TP_S("DtoH"));
	w->out->told_copies += pageable || tp_slice_has(name, TP_S("Pinned"));
	if (!pageable)
		return;
	w->out->pageable_copies++;
	w->out->pageable_ps += w->counted.weight * (double)tp_torch_duration_ps(w->t, event);
	w->out->pageable_bytes += bytes > 0 ? bytes : 0;
}

/* What names tell: each is looked at once. */
static bool
is_data_parallel(struct walk *w, uint32_t event)
{
	uint8_t *known = &w->ranges[tp_torch_op(w->t, event)];
	struct tp_slice name = tp_torch_name(w->ctx->profile, w->t, event);

	if (*known != 0)
		return *known == 2;
	w->out->ddp |= tp_slice_eq(name, TP_S("DistributedDataParallel.forward"));
	w->out->collectives |= tp_torch_is_collective_range(name);
	w->out->nccl |= tp_slice_starts(name, TP_S("nccl:"));
	*known = (uint8_t)(1 + tp_slice_eq(name, TP_S("DataParallel.forward")));
	return *known == 2;
}

static void
look_at_range(struct walk *w, uint32_t event)
{
	if (!is_data_parallel(w, event))
		return;
	w->out->data_parallel = true;
	if (step_of(w, event) != NULL)
		w->out->data_parallel_ps += w->counted.weight * (double)tp_torch_duration_ps(w->t, event);
}

static void
count_launches(struct walk *w)
{
	w->launched = tp_new_array(w->ctx->scratch, uint32_t, w->t->count);
	for (uint32_t e = 0; e < w->t->count; e++) {
		if (w->t->kind[e] == TP_TORCH_KERNEL && w->links->call[e] != TP_NONE)
			w->launched[w->links->call[e]]++;
	}
}

/* Whether one call launched this kernel and no other. */
static bool
is_alone(const struct walk *w, uint32_t kernel)
{
	return w->links->call[kernel] != TP_NONE && w->launched[w->links->call[kernel]] == 1;
}

static void
add_kernel(struct walk *w, uint32_t e, struct tp_buf *launches)
{
	bool in_step = step_of(w, e) != NULL, known = w->links->call[e] != TP_NONE;

	w->out->kernels += in_step;
	w->out->graph_kernels += in_step && known && !is_alone(w, e);
	if (tp_torch_kernel_is_collective(w->names, w->t, e))
		w->out->nccl = w->out->collectives = true;
	if (is_alone(w, e) && launches->count < MOST_SAMPLES)
		*(int64_t *)tp_buf_add(launches, sizeof(int64_t)) =
			tp_torch_duration_ps(w->t, w->links->call[e]);
}

static void
walk_trace(struct walk *w, struct tp_buf *launches)
{
	const struct tp_torch_trace *t = w->t;

	unite_work(w);
	count_launches(w);
	for (uint32_t e = 0; e < t->count; e++) {
		if (t->kind[e] == TP_TORCH_MEMCPY)
			add_copy(w, e);
		else if (tp_torch_is_range(t->kind[e]))
			look_at_range(w, e);
		else if (t->kind[e] == TP_TORCH_KERNEL)
			add_kernel(w, e, launches);
	}
	find_queued(w);
	add_waits(w);
	tp_torch_add_zero_grads(w->ctx, t, w->links, &w->counted, w->work, w->work_count, w->out);
}

/* How many times as fast tensor cores multiply as the other ones, by makers' peak rates: bf16 (fp16 before Ampere) against fp32,
 * dense. NVIDIA: FLOP a clock of a multiprocessor, as in facts/peaks_rule.c, over 128 (64 cores), 256 from 8.6 on. Others:
 * AMD's, 8 from MI100 to MI300; where it is not known, the largest of all. */
static double
core_speedup(const struct tp_device *d)
{
	static const struct {
		unsigned major, minor;
		double times;
	} known[] = {{7, 0, 8}, {7, 5, 8}, {8, 0, 16}, {8, 6, 4}, {8, 9, 4}, {9, 0, 16}, {9, 4, 8}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (d->compute_major == known[i].major && d->compute_minor == known[i].minor)
			return known[i].times;
	}
	return 32;
}

/* Of the devices of the trace the one that gains most. */
static double
trace_speedup(const struct tp_profile *p, const struct tp_torch_trace *t)
{
	double most = 0;

	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].host == t->host)
			most = fmax(most, core_speedup(&p->devices[i]));
	}
	return most > 0 ? most : 32;
}

/* Products and convolutions that could have run on tensor cores and did not, and what these would save at most. Kernels of operators
 * that could use them: unused where no kernel of the same call did, nor may have. */
static void
add_products(struct walk *w)
{
	const struct tp_torch_trace *t = w->t;
	struct tp_torch_costs *out = w->out;
	bool *used = tp_new_array(w->ctx->scratch, bool, t->count);
	double saved = 1 - 1 / trace_speedup(w->ctx->profile, t);

	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t owner = w->links->owner[e];

		if (t->kind[e] == TP_TORCH_KERNEL && owner != TP_NONE &&
			tp_torch_kernel_cores(w->names, t, e) != TP_TENSOR_CORE_NOT_USED)
			used[owner] = true;
	}
	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t owner = w->links->owner[e];

		if (t->kind[e] != TP_TORCH_KERNEL)
			continue;
		out->kernel_ps = tp_add_ps(out->kernel_ps, tp_torch_duration_ps(t, e));
		if (owner == TP_NONE || !tp_torch_op_eligible(tp_torch_name(w->ctx->profile, t, owner)))
			continue;
		out->eligible_ps = tp_add_ps(out->eligible_ps, tp_torch_duration_ps(t, e));
		if (used[owner])
			continue;
		out->unused_ps = tp_add_ps(out->unused_ps, tp_torch_duration_ps(t, e));
		out->core_gain_ps += saved * (double)tp_torch_duration_ps(t, e);
	}
}

TP_ORDER(by_size, int64_t, (*a > *b) - (*a < *b));

static void
count_short(struct walk *w)
{
	for (uint32_t e = 0; e < w->t->count; e++)
		w->out->short_kernels += w->t->kind[e] == TP_TORCH_KERNEL && is_alone(w, e) &&
			tp_torch_duration_ps(w->t, e) < w->out->launch_ps && step_of(w, e) != NULL;
}

/* Devices of each trace: how many, and what they can do. */
static void
look_at_devices(
	const struct tp_pass_ctx *ctx, const struct tp_torch_gpus *g, struct tp_torch_costs *out)
{
	uint32_t devices = 0;

	for (size_t i = 0; g != NULL && i < g->count; i++) {
		const struct tp_torch_gpu_use *u = &g->uses[i];
		const struct tp_device *d = u->device != TP_NONE ? &ctx->profile->devices[u->device] : NULL;

		out->tensor_cores =
			u->tensor_cores > out->tensor_cores ? u->tensor_cores : out->tensor_cores;
		devices = i != 0 && g->uses[i - 1].trace == u->trace ? devices + 1 : 1;
		out->devices = devices > out->devices ? devices : out->devices;
		if (d == NULL)
			continue;
		out->nccl_capable |= d->compute_major > NCCL_MAJOR ||
			(d->compute_major == NCCL_MAJOR && d->compute_minor >= NCCL_MINOR);
		if (d->compute_major > out->newest_major)
			out->newest_major = d->compute_major;
	}
}

/* The name with most time; *most: that time. */
static struct tp_slice
name_of_most(const struct tp_profile *p, const int64_t *by_op, int64_t *most)
{
	struct tp_slice name = TP_S("");

	*most = 0;
	for (uint32_t i = 0; i < p->op_count; i++) {
		if (by_op[i] > *most) {
			*most = by_op[i];
			name = p->ops[i].label;
		}
	}
	return name;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_torch_gpus *gpus = tp_result(ctx, &tp_pass_torch_gpus);
	struct tp_torch_costs *out = tp_new(ctx->keep, struct tp_torch_costs);
	struct walk *walks = tp_new_array(ctx->scratch, struct walk, torch->trace_count);
	int64_t *drained_by = tp_new_array(ctx->scratch, int64_t, ctx->profile->op_count);
	uint8_t *ranges = tp_new_array(ctx->scratch, uint8_t, ctx->profile->op_count);
	int64_t *setup_by = tp_new_array(ctx->scratch, int64_t, ctx->profile->op_count), drained_most;
	struct tp_torch_kernel_names names = tp_torch_kernel_names_new(ctx->profile, ctx->scratch);
	struct tp_buf launches = {0};
	uint64_t steps = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		struct walk *w = &walks[i];

		*w = (struct walk){.ctx = ctx,
			.t = torch->traces[i],
			.links = &linked->traces[i],
			.counted = tp_steps_counted(ctx, s, i),
			.out = out,
			.names = &names,
			.drained_by = drained_by,
			.ranges = ranges};
		walk_trace(w, &launches);
		if (gpus != NULL && tp_torch_gpus_sum(gpus, i).tensor_cores == TP_TENSOR_CORES_THERE)
			add_products(w);
		steps += w->counted.steps.count;
		if (w->counted.steps.host_divided)
			tp_torch_add_host_bound(ctx, w->t, &w->counted, setup_by, out);
	}
	if (launches.count != 0) {
		qsort(launches.data, launches.count, sizeof(int64_t), by_size);
		out->launch_ps = ((int64_t *)launches.data)[launches.count / 2];
	}
	tp_buf_free(&launches);
	for (uint32_t i = 0; i < torch->trace_count; i++)
		count_short(&walks[i]);
	look_at_devices(ctx, gpus, out);
	out->unrecorded = tp_torch_unrecorded_reason(ctx);
	out->waits_most = name_of_most(ctx->profile, drained_by, &drained_most);
	out->setup_most = name_of_most(ctx->profile, setup_by, &out->setup_most_ps);
	if (steps == 0)
		return tp_fail(err, TP_ABSENT, "no trace holds a step");
	*result = out;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_torch_correlation, &tp_pass_torch_steps, &tp_pass_steps, &tp_pass_torch_gpus, NULL};

const struct tp_pass tp_pass_torch_costs = {
	.name = "torch-costs",
	.title = "What PyTorch steps lose",
	.summary = "launches, copies of pageable memory, device synchronisation, matmuls without "
			   "tensor cores",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_METHOD,
	.analyze = analyze,
	.metrics = tp_torch_costs_metrics,
	.lacks_nothing = "the steps and gpus passes say what is missing",
};
