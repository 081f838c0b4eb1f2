/* Where steps begin and end, and how their time falls into roles: over all steps of all workers and spans, and by worker and span.
 * Formula: torch-tb-profiler, last source tree (event_parser.py: update_device_steps): a step of the host lasts until the device
 * work that it launched ends; the next begins no earlier. */
#include "analyze/torch_steps/torch_steps.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/facts/torch_unrecorded.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_host_time.h"
#include "analyze/torch_steps/torch_iteration_steps.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>

/* A last step with less than this share of the device work of the one before was cut off. */
static const double WHOLE_SHARE = 0.8;

/* From the first to the last of some events: of the device work that the calls inside a step launched. */
struct reach {
	uint32_t count;
	int64_t first_ps, last_ps;
};

TP_ORDER(by_start, struct tp_torch_step, TP_UP(host_start_ps), TP_UP(host_end_ps));

static struct tp_torch_step
step_of(struct tp_slice name, int64_t start_ps, int64_t end_ps)
{
	return (struct tp_torch_step){.name = name,
		.start_ps = start_ps,
		.end_ps = end_ps,
		.host_start_ps = start_ps,
		.host_end_ps = end_ps};
}

static void
read_marks(const struct tp_profile *p, const struct tp_torch_trace *t,
	struct tp_torch_trace_steps *out, struct tp_arena *keep)
{
	out->steps = tp_new_array(keep, struct tp_torch_step, t->kind_count[TP_TORCH_STEP] + 1);
	for (uint32_t e = 0; e < t->count; e++) {
		struct tp_slice name = tp_torch_name(p, t, e);

		if (t->kind[e] != TP_TORCH_STEP)
			continue;
		out->steps[out->count++] = step_of(tp_slice_from(name, strlen("ProfilerStep#")),
			tp_torch_start_ps(t, e), tp_torch_end_ps(t, e));
	}
	qsort(out->steps, out->count, sizeof *out->steps, by_start);
	out->marked = out->count != 0;
	out->from = out->marked ? TP_TORCH_FROM_MARKS : TP_TORCH_FROM_NOTHING;
	out->seen = out->count;
}

static void
reach_to(struct reach *r, const struct tp_torch_trace *t, uint32_t event)
{
	if (r->count == 0 || tp_torch_start_ps(t, event) < r->first_ps)
		r->first_ps = tp_torch_start_ps(t, event);
	if (r->count == 0 || tp_torch_end_ps(t, event) > r->last_ps)
		r->last_ps = tp_torch_end_ps(t, event);
	r->count++;
}

static struct reach
reach_of(const struct tp_torch_trace *t, enum tp_torch_kind kind)
{
	struct reach r = {0};

	for (uint32_t e = 0; e < t->count; e++) {
		if (t->kind[e] == kind)
			reach_to(&r, t, e);
	}
	return r;
}

/* Without marks the whole trace is one step: that of its operators, or of its Python functions when it has no operator. */
static void
take_whole(const struct tp_torch_trace *t, struct tp_torch_trace_steps *out)
{
	struct reach r = reach_of(t, TP_TORCH_OPERATOR);

	if (r.count == 0)
		r = reach_of(t, TP_TORCH_PYTHON);
	if (r.count != 0)
		out->steps[out->count++] = step_of(TP_S("0"), r.first_ps, r.last_ps);
}

/* The step whose mark holds a call from start to end; they do not overlap on one thread. TP_NONE: none does. */
static uint32_t
step_around(const struct tp_torch_trace *t, const struct tp_torch_trace_steps *s, uint32_t call)
{
	size_t behind =
		TP_FIRST_WHERE(i, s->count, s->steps[i].host_start_ps > tp_torch_start_ps(t, call));

	return behind != 0 && tp_torch_end_ps(t, call) <= s->steps[behind - 1].host_end_ps
		? (uint32_t)behind - 1
		: TP_NONE;
}

/* Which step each piece of device work belongs to; TP_NONE: none. Whether any does. */
static bool
reach_devices(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_trace_steps *s, struct reach *reach, uint32_t *step_of_work)
{
	bool any = false;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]))
			continue;
		uint32_t step = links->call[e] == TP_NONE ? TP_NONE : step_around(t, s, links->call[e]);

		step_of_work[e] = step;
		if (step == TP_NONE)
			continue;
		reach_to(&reach[step], t, e);
		any = true;
	}
	return any;
}

/* The lowest number of a call that began with the first step or later. Drivers number calls in the order in which they begin, on
 * all threads together: work of a lower number was launched before. */
static int64_t
first_number(const struct tp_torch_trace *t, const struct tp_torch_trace_steps *s)
{
	int64_t first = INT64_MAX;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_call(t->kind[e]) || t->detail[e] == TP_NONE ||
			tp_torch_start_ps(t, e) < s->steps[0].host_start_ps)
			continue;
		int64_t number = t->calls[t->detail[e]].correlation;

		if (number > 0 && number < first)
			first = number;
	}
	return first;
}

/* Device work from before the first step still runs as it begins. Where neither the launch is in the file nor its number shows
 * that it came before, the work may be of the step itself, and moves no start. */
static int64_t
left_over_until(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_trace_steps *s, const struct reach *first, const uint32_t *step_of_work)
{
	int64_t until = s->steps[0].host_start_ps, number = first_number(t, s);

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]) || step_of_work[e] != TP_NONE || first->count == 0 ||
			tp_torch_end_ps(t, e) >= first->first_ps || tp_torch_end_ps(t, e) <= until)
			continue;
		if (links->call[e] != TP_NONE ||
			(tp_torch_names_call(t, e) && t->works[t->detail[e]].correlation < number))
			until = tp_torch_end_ps(t, e);
	}
	return until;
}

static void
extend(struct tp_torch_trace_steps *s, const struct reach *reach, int64_t from_ps)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct tp_torch_step *step = &s->steps[i];

		step->work_count = reach[i].count;
		step->start_ps = step->host_start_ps > from_ps ? step->host_start_ps : from_ps;
		step->end_ps = step->host_end_ps;
		if (reach[i].count != 0 && reach[i].last_ps > step->end_ps)
			step->end_ps = reach[i].last_ps;
		if (step->end_ps < step->start_ps)
			step->end_ps = step->start_ps;
		from_ps = step->end_ps;
	}
}

static void
trim(struct tp_torch_trace_steps *s)
{
	uint32_t kept = s->count;

	while (kept > 0 && s->steps[kept - 1].work_count == 0)
		kept--;
	if (kept > 1 && s->steps[kept - 1].work_count < WHOLE_SHARE * s->steps[kept - 2].work_count)
		kept--;
	if (kept == 0)
		return;
	s->trimmed = s->count - kept;
	s->count = kept;
}

static void
find_steps(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const char *wish, struct tp_torch_trace_steps *out,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	/* What the user names counts before what the profiler marks. */
	if (wish != NULL && tp_torch_iteration_steps(p, t, links, wish, out, keep, scratch))
		return;
	read_marks(p, t, out, keep);
	if (out->count == 0 && tp_torch_iteration_steps(p, t, links, NULL, out, keep, scratch))
		return;
	if (out->count != 0)
		out->engine = tp_torch_engine_steps(p, t, links, keep, scratch);
	if (out->count == 0)
		take_whole(t, out);
	if (out->count == 0)
		return;
	struct reach *reach = tp_new_array(scratch, struct reach, out->count);
	uint32_t *step_of_work = tp_new_array(scratch, uint32_t, t->count);

	out->on_device = reach_devices(t, links, out, reach, step_of_work);
	if (!out->on_device)
		return;
	extend(out, reach, left_over_until(t, links, out, &reach[0], step_of_work));
	if (out->count > 1)
		trim(out);
}

/* A role has the time that it covers together with those before it, less what those cover. */
static void
break_down(struct tp_torch_trace_steps *s, struct tp_arena *scratch)
{
	size_t total = 0, count = 0;
	int64_t *before = tp_new_array(scratch, int64_t, s->count);

	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++)
		total += s->roles.count[k];
	struct tp_interval *so_far = tp_new_array(scratch, struct tp_interval, total);
	uint64_t *before_ps = tp_new_array(scratch, uint64_t, total);

	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
		if (s->roles.count[k] != 0)
			memcpy(so_far + count, s->roles.intervals[k], s->roles.count[k] * sizeof *so_far);
		count = tp_intervals_unite(so_far, count + s->roles.count[k]);
		const struct tp_cover cover = tp_cover_of(so_far, count, before_ps);

		for (uint32_t i = 0; i < s->count; i++) {
			struct tp_torch_step *step = &s->steps[i];
			int64_t until = k == TP_TORCH_ROLE_OTHER
				? step->end_ps - step->start_ps
				: tp_cover_within(&cover, step->start_ps, step->end_ps);

			step->role_ps[k] = until - before[i];
			before[i] = until;
		}
	}
}

/* A device may copy while a collective runs: the roles, which are the plugin's, then have a copy. */
static void
find_copies_beside(struct tp_torch_trace_steps *s, struct tp_arena *scratch)
{
	const struct tp_torch_roles *r = &s->roles;
	size_t kernels = r->count[TP_TORCH_ROLE_KERNEL], talk = r->count[TP_TORCH_ROLE_COMMUNICATION];

	if (kernels == 0 || talk == 0)
		return;
	struct tp_interval *both = tp_new_array(scratch, struct tp_interval, kernels + talk);
	uint64_t *before_ps = tp_new_array(scratch, uint64_t, kernels + talk);

	memcpy(both, r->intervals[TP_TORCH_ROLE_KERNEL], kernels * sizeof *both);
	memcpy(both + kernels, r->intervals[TP_TORCH_ROLE_COMMUNICATION], talk * sizeof *both);
	const struct tp_cover cover =
		tp_cover_of(both, tp_intervals_unite(both, kernels + talk), before_ps);

	for (uint32_t i = 0; i < s->count; i++) {
		struct tp_torch_step *step = &s->steps[i];

		step->copy_beside_collective_ps = tp_cover_within(&cover, step->start_ps, step->end_ps) -
			step->role_ps[TP_TORCH_ROLE_KERNEL] - step->role_ps[TP_TORCH_ROLE_COMMUNICATION];
	}
}

/* What the trace could hold: a GPU trace holds no communication when there is only one process; one without the kernels that
 * were launched holds of its device what it holds, and no more. */
static void
find_known(const struct tp_torch_trace *t, struct tp_torch_trace_steps *s)
{
	static const enum tp_torch_role of_device[] = {
		TP_TORCH_ROLE_KERNEL, TP_TORCH_ROLE_MEMCPY, TP_TORCH_ROLE_MEMSET, TP_TORCH_ROLE_RUNTIME};
	bool device = s->roles.collective_kernels;

	for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
		device |= s->roles.count[of_device[i]] != 0;
	for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
		s->role_known[of_device[i]] =
			device && (s->unrecorded == 0 || s->roles.count[of_device[i]] != 0);
	s->role_known[TP_TORCH_ROLE_COMMUNICATION] =
		s->roles.count[TP_TORCH_ROLE_COMMUNICATION] != 0 || t->distributed.world_size > 1;
	/* Without any operator the host was not asked about. */
	s->role_known[TP_TORCH_ROLE_DATALOADER] = s->role_known[TP_TORCH_ROLE_CPU] =
		s->from != TP_TORCH_FROM_KERNELS || s->roles.count[TP_TORCH_ROLE_CPU] != 0;
	s->role_known[TP_TORCH_ROLE_OTHER] = true;
}

/* Sums of whole picoseconds are exact, so that the mean of one trace is the same by itself and among others. */
static void
average(struct tp_torch_trace_steps *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_torch_step *step = &s->steps[i];

		s->sum_ps += (double)(step->end_ps - step->start_ps);
		for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++)
			s->role_sum_ps[k] += (double)step->role_ps[k];
	}
	s->mean_ps = s->count != 0 ? s->sum_ps / s->count : NAN;
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++)
		s->role_mean_ps[k] = s->count != 0 ? s->role_sum_ps[k] / s->count : NAN;
}

static void
find_all(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_torch_trace_steps *s)
{
	find_steps(ctx->profile, t, links, ctx->options->steps, s, ctx->keep, ctx->scratch);
	s->roles = tp_torch_roles_of(ctx->profile, t, ctx->keep, ctx->scratch);
	s->unrecorded = tp_torch_unrecorded_launches(ctx->profile, t);
	break_down(s, ctx->scratch);
	find_copies_beside(s, ctx->scratch);
	find_known(t, s);
	if (s->on_device && s->unrecorded == 0)
		tp_torch_find_host_time(ctx->profile, t, links, s, ctx->scratch);
	else
		tp_torch_host_time_of_roles(s);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_torch_stepped *stepped = tp_new(ctx->keep, struct tp_torch_stepped);

	(void)err;
	stepped->traces = tp_new_array(ctx->keep, struct tp_torch_trace_steps, torch->trace_count);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];
		struct tp_torch_trace_steps *s = &stepped->traces[i];

		if (t->given != NULL)
			tp_torch_steps_given(t, s, ctx->keep);
		else
			find_all(ctx, t, &linked->traces[i], s);
		average(s);
	}
	*result = stepped;
	return TP_OK;
}

/* unrecorded: kernels that were launched and are not there; recorded: device work or calls are there. */
static struct tp_slice
why_unknown(enum tp_torch_role role, uint64_t unrecorded, bool recorded)
{
	if (role == TP_TORCH_ROLE_COMMUNICATION)
		return TP_S("the trace holds a single process without collectives");
	if (role == TP_TORCH_ROLE_DATALOADER || role == TP_TORCH_ROLE_CPU)
		return TP_S("the trace holds no operators (captured without ProfilerActivity.CPU)");
	return unrecorded != 0 ? TP_S("the program launched kernels; the profiler recorded none")
		: recorded         ? TP_S("the trace holds no step")
						   : TP_S("the trace holds no runtime calls and no device work");
}

/* Whether a trace holds anything of a device, or of the library that drives it. */
static bool
records_device(const struct tp_torch_trace *t)
{
	return t->work_count + t->call_count != 0;
}

static struct tp_value
us(double ps, struct tp_slice why)
{
	return isfinite(ps) ? tp_number(ps / 1e6, TP_UNIT_US) : tp_missing(why);
}

/* All steps of all traces. A role that one of them could hold takes no time of the others' steps, so that the roles sum to the
 * step. */
struct over_all {
	double time_ps, role_ps[TP_TORCH_ROLE_COUNT];
	uint64_t count;
	bool role_known[TP_TORCH_ROLE_COUNT], recorded;
	uint64_t unrecorded;
};

static struct over_all
add_up(const struct tp_torch_stepped *stepped, const struct tp_torch *torch)
{
	struct over_all all = {0};

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];

		all.count += s->count;
		all.unrecorded += s->unrecorded;
		all.recorded |= records_device(torch->traces[i]);
		all.time_ps += s->sum_ps;
		for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
			all.role_known[k] |= s->role_known[k] && s->count != 0;
			all.role_ps[k] += s->role_known[k] ? s->role_sum_ps[k] : 0;
		}
	}
	return all;
}

static const char *
role_id(const struct tp_pass_ctx *ctx, enum tp_torch_role role)
{
	return tp_arena_printf(ctx->keep, "torch.step.%s_us", tp_torch_role_info(role)->key).ptr;
}

static void
metrics_of_trace(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_trace_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = TP_S("the trace holds no steps and no operators");
	struct tp_scope scope = tp_torch_scope(ctx, t);

	tp_doc_metric_for(doc, "torch.step.count", scope, tp_count(s->count), TP_S(""));
	tp_doc_metric_for(doc, "torch.step.mean_us", scope, us(s->mean_ps, none), TP_S(""));
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
		enum tp_torch_role role = (enum tp_torch_role)k;

		tp_doc_metric_for(doc, role_id(ctx, role), scope,
			s->role_known[k] ? us(s->role_mean_ps[k], none)
							 : tp_missing(why_unknown(role, s->unrecorded, records_device(t))),
			TP_S(""));
	}
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_stepped *stepped = result;
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_slice skipped = tp_skipped_itself(ctx);
	struct over_all all = {0};

	if (stepped != NULL)
		all = add_up(stepped, torch);
	tp_say_metric(doc, "torch.step.count", "PyTorch steps",
		stepped != NULL ? tp_count(all.count) : tp_missing(skipped),
		"of all workers and spans: ProfilerStep ranges, else iterations; a trace without either is one step");
	tp_say_metric(doc, "torch.step.mean_us", "PyTorch step time",
		stepped == NULL      ? tp_missing(skipped)
			: all.count != 0 ? us(all.time_ps / (double)all.count, TP_S(""))
							 : tp_missing(TP_S("no trace holds a step or an operator")),
		"mean over all steps of all workers and spans; a step lasts until the device work it "
		"launched ends");
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
		enum tp_torch_role role = (enum tp_torch_role)k;
		const struct tp_torch_role_info *info = tp_torch_role_info(role);

		tp_doc_metric(doc, tp_slice_of(role_id(ctx, role)),
			tp_arena_printf(ctx->keep, "PyTorch step: %s", info->label).ptr,
			stepped == NULL         ? tp_missing(skipped)
				: all.role_known[k] ? us(all.role_ps[k] / (double)all.count, TP_S(""))
									: tp_missing(why_unknown(role, all.unrecorded, all.recorded)),
			tp_arena_printf(ctx->keep,
				"%s, and no higher-ranking role is active; mean over all steps of all workers and "
				"spans",
				info->how),
			TP_S(""));
		tp_doc_metric_scopes(doc, role_id(ctx, role), "@worker,span");
	}
	tp_doc_metric_scopes(doc, "torch.step.count", "@worker,span");
	tp_doc_metric_scopes(doc, "torch.step.mean_us", "@worker,span");
	for (uint32_t i = 0; stepped != NULL && i < torch->trace_count; i++)
		metrics_of_trace(ctx, torch->traces[i], &stepped->traces[i], doc);
}

static const struct tp_pass *const after[] = {&tp_pass_torch_correlation, NULL};

const struct tp_pass tp_pass_torch_steps = {
	.name = "torch-steps",
	.title = "PyTorch steps",
	.summary = "torch.profiler steps by role: kernels, copies, communication, runtime, DataLoader, "
			   "operators",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_METHOD,
	.analyze = analyze,
	.metrics = metrics,
	.lacks_nothing = "the steps pass says what is missing",
};
