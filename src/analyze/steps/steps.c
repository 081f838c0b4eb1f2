/* Step time: how long each training step took, how steady it is, and where the time goes. */
#include "analyze/steps/steps.h"

#include "analyze/core/pass.h"
#include "analyze/facts/op_times.h"
#include "analyze/steps/step_cores.h"
#include "analyze/steps/steps_section.h"
#include "analyze/steps/steps_words.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/number.h"
#include "base/pool.h"
#include "model/profile.h"
#include "rank.pb-c.h"

#include <math.h>

/* Statistics of the steps that are whole, or of all. */
static struct tp_step_stats
stats_of(const struct tp_steps *s, bool whole_only, struct tp_arena *scratch)
{
	struct tp_step_stats all = {0};
	double *values = tp_new_array(scratch, double, s->count);
	const struct tp_step **taken = tp_new_array(scratch, const struct tp_step *, s->count);

	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step *step = &s->steps[i];

		if (!whole_only || (!step->open_start && !step->open_end))
			taken[all.count++] = step;
	}
	for (size_t i = 0; i < all.count; i++)
		values[i] = taken[i]->time_ps;
	all.time = tp_stats_of(values, all.count, scratch);
	for (int t = 0; t < TP_TPU_PART_COUNT; t++) {
		for (size_t i = 0; i < all.count; i++)
			values[i] = taken[i]->tpu_ps[t];
		all.tpu[t] = tp_stats_of(values, all.count, scratch);
	}
	for (size_t i = 0; i < all.count; i++)
		values[i] = taken[i]->input_share_max;
	all.worst_input = tp_stats_of(values, all.count, scratch);
	return all;
}

static void
summarise(const struct tp_pass_ctx *ctx, struct tp_steps *s)
{
	struct tp_arena *scratch = ctx->scratch;
	double total = 0, input = 0, output = 0, idle = 0;

	s->input_limits = tp_limits_of(ctx, s->source->input_rule,
		(struct tp_limits){TP_INPUT_MODERATE_SHARE, TP_INPUT_HIGH_SHARE});
	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step *step = &s->steps[i];

		total += step->time_ps;
		input += step->input_ps;
		output += step->output_ps;
		idle += step->idle_ps;
		s->copy_mean_ps += step->copy_ps / (double)s->count;
		for (int c = 0; c < TP_CLASS_COUNT; c++)
			s->class_mean_ps[c] += step->class_ps[c] / (double)s->count;
		if (step->time_ps > s->steps[s->slowest].time_ps)
			s->slowest = i;
		s->open_count += step->open_start || step->open_end;
	}
	s->all = stats_of(s, false, scratch);
	s->whole = s->open_count != 0 ? stats_of(s, true, scratch) : s->all;
	s->time = s->all.time;
	s->input_share = total > 0 ? input / total : NAN;
	s->output_share = total > 0 ? output / total : NAN;
	s->idle_share = total > 0 ? idle / total : NAN;
}

/* Profilers write a step's marker whole or cut it where the capture begins and ends; of what ran outside nothing is recorded, so
 * a cut step lacks operations that the others have. Where steps have so few operations that they say nothing, a first or last step of this share of the usual length or less
 * is cut. */
#define FEW_OPS 3
#define WHOLE_LENGTH_SHARE 0.7

/* From when to when a host was captured, on its clock; false when the profile does not say. */
static bool
capture_of(const struct tp_host *host, int64_t *from_ps, int64_t *to_ps)
{
	const int64_t longest_ns = INT64_MAX / 1000 / 4;
	int64_t length_ns, origin_ns;

	if (host->start_unix_ns <= 0 ||
		__builtin_sub_overflow(host->stop_unix_ns, host->start_unix_ns, &length_ns) ||
		length_ns <= 0 || length_ns > longest_ns)
		return false;
	/* Lines count from 1970, or from the beginning of the capture. */
	origin_ns = host->base_ns > host->start_unix_ns / 2 ? host->start_unix_ns : 0;
	if (__builtin_sub_overflow(origin_ns, host->base_ns, &origin_ns) || origin_ns > longest_ns ||
		origin_ns < -longest_ns)
		return false;
	*from_ps = origin_ns * 1000;
	*to_ps = (origin_ns + length_ns) * 1000;
	return true;
}

uint64_t
tp_steps_open_events(const struct tp_profile *p, uint32_t line, bool *capture_known)
{
	int64_t from_ps, to_ps;

	if (!capture_of(&p->hosts[p->lines[line].host], &from_ps, &to_ps))
		return 0;
	*capture_known = true;
	return tp_times_outside(&p->lines[line].host_times, p->lines[line].count, from_ps, to_ps);
}

struct open_line {
	const struct tp_profile *profile;
	uint64_t events;
	bool capture_known;
};

static void
count_open_line(void *with, size_t line)
{
	struct open_line *of = &((struct open_line *)with)[line];

	if (of->profile->hosts[of->profile->lines[line].host].given == NULL)
		of->events = tp_steps_open_events(of->profile, (uint32_t)line, &of->capture_known);
}

static void
count_open_events(const struct tp_pass_ctx *ctx, struct tp_steps *s)
{
	const struct tp_profile *p = ctx->profile;
	struct open_line *lines = tp_new_array(ctx->scratch, struct open_line, p->line_count);

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct Tp__Rank *given = p->hosts[h].given;

		s->capture_known |= given != NULL && given->xla->capture_known;
		s->open_events += given != NULL ? given->xla->open_events : 0;
	}
	for (uint32_t l = 0; l < p->line_count; l++)
		lines[l].profile = p;
	tp_pool_each(ctx->options->pool, p->line_count, count_open_line, lines);
	for (uint32_t l = 0; l < p->line_count; l++) {
		s->open_events += lines[l].events;
		s->capture_known |= lines[l].capture_known;
	}
}

/* The fewest operations that a step in between has on a core. */
static uint32_t
fewest_ops(const struct tp_steps *s, size_t core)
{
	uint32_t fewest = UINT32_MAX;

	for (size_t i = 1; i + 1 < s->count; i++) {
		uint32_t ops = s->cells[i * s->timelines + core].op_count;

		fewest = ops < fewest ? ops : fewest;
	}
	return fewest;
}

/* By operations, not by length: a step that did not have to wait for input may take a tenth of one that had to. */
static bool
is_cut(const struct tp_steps *s, size_t step, double usual_ps)
{
	bool few = false;

	for (size_t c = 0; c < s->timelines; c++) {
		uint32_t fewest = fewest_ops(s, c);

		if (s->cells[step * s->timelines + c].op_count < fewest)
			return true;
		few |= fewest < FEW_OPS;
	}
	return few && s->steps[step].time_ps < WHOLE_LENGTH_SHARE * usual_ps;
}

/* Of a tool file's steps only their parts are known: a first or last one that works less than this share of what steps usually do is
 * cut. Waiting for input is no work: who need not wait has a short step. */
#define WHOLE_WORK_SHARE 0.25

static double
work_of(const struct tp_step *step)
{
	return step->time_ps - step->input_ps;
}

static void
find_open_precomputed(struct tp_steps *s, struct tp_arena *scratch)
{
	double *works = tp_new_array(scratch, double, s->count);

	if (s->count < 3)
		return;
	for (size_t i = 0; i < s->count; i++)
		works[i] = work_of(&s->steps[i]);
	double least_ps = WHOLE_WORK_SHARE * tp_stats_of(works, s->count, scratch).p50;

	s->steps[0].open_start = work_of(&s->steps[0]) < least_ps;
	s->steps[s->count - 1].open_end = work_of(&s->steps[s->count - 1]) < least_ps;
}

/* Steps of hosts are whole: a marker is written when it ends, with its beginning, or not at all; and of inferred ones the
 * first and last are left out. */
static void
find_open(const struct tp_pass_ctx *ctx, struct tp_steps *s)
{
	double *lengths = tp_new_array(ctx->scratch, double, s->count);

	count_open_events(ctx, s);
	if (s->cells == NULL || s->count < 3)
		return;
	for (size_t i = 0; i < s->count; i++)
		lengths[i] = s->steps[i].time_ps;
	double usual_ps = tp_stats_of(lengths, s->count, ctx->scratch).p50;

	s->steps[0].open_start = is_cut(s, 0, usual_ps);
	s->steps[s->count - 1].open_end = is_cut(s, s->count - 1, usual_ps);
}

static void
trim(struct tp_steps *s)
{
	s->source->trim(s);
	s->incomplete = s->seen > s->count + s->trimmed ? s->seen - s->count - s->trimmed : 0;
}

/* Leaves out steps that the capture may cut, and finds those among the others that it does. */
static void
see_to_cut(const struct tp_pass_ctx *ctx, struct tp_steps *s)
{
	trim(s);
	for (size_t i = 0; i < s->host_count; i++)
		trim(&s->hosts[i]);
	find_open(ctx, s);
}

/* The steps over cores first … end of one host. */
static struct tp_steps
one_host(const struct tp_steps *s, size_t first, size_t end, struct tp_arena *keep)
{
	struct tp_steps host = *s;

	host.host = s->cores[first].host;
	host.timelines = end - first;
	host.steps = tp_new_array(keep, struct tp_step, s->count);
	host.cores = s->cores + first;
	host.cells = NULL;
	for (size_t i = 0; i < s->count; i++) {
		host.steps[i] =
			tp_step_over_cores(&s->cells[i * s->timelines + first], end - first, s->steps[i].name);
		host.steps[i].open_start = s->steps[i].open_start;
		host.steps[i].open_end = s->steps[i].open_end;
	}
	return host;
}

/* Fills in hosts from cells, where their source has not. */
static void
split_hosts(struct tp_steps *s, struct tp_arena *keep)
{
	size_t most = 1;

	for (size_t c = 1; s->cores != NULL && c < s->timelines; c++)
		most += s->cores[c].host != s->cores[c - 1].host;
	if (s->host_count != 0)
		return;
	struct tp_steps *hosts = tp_new_array(keep, struct tp_steps, most);

	if (most == 1) {
		hosts[0] = *s;
		hosts[0].host = s->cores != NULL ? s->cores[0].host : s->host;
		s->host_count = 1;
	}
	/* Cores of a host are neighbours. */
	for (size_t first = 0, end; most > 1 && first < s->timelines; first = end) {
		for (end = first + 1; end < s->timelines && s->cores[end].host == s->cores[first].host;)
			end++;
		hosts[s->host_count++] = one_host(s, first, end, keep);
	}
	s->hosts = hosts;
}

/* A profile's steps are from the first of these that applies to it. */
static const struct tp_step_source *const sources[] = {
	&tp_step_source_tpu,
	&tp_step_source_torch,
	&tp_step_source_markers,
};

/* Where events have none, those that a tool of the profiler worked out stand in. */
static bool
find(const struct tp_pass_ctx *ctx, struct tp_steps *s, struct tp_slice *reason)
{
	size_t i = 0;

	while (!sources[i]->applies(ctx->profile))
		i++;
	s->source = sources[i];
	return sources[i]->find(ctx, s, reason) || tp_step_source_precomputed.find(ctx, s, reason);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_steps *s = tp_new(ctx->keep, struct tp_steps);
	struct tp_slice reason = {NULL, 0};

	if (tp_profile_is_tracks_alone(ctx->profile))
		return tp_fail(err, TP_ABSENT, why_other_program);
	if (!find(ctx, s, &reason))
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(reason));
	bool may_be_cut = s->source->trim != NULL;

	if (may_be_cut)
		see_to_cut(ctx, s);
	if (s->precomputed_from.len != 0) {
		find_open_precomputed(s, ctx->scratch);
		for (size_t i = 0; i < s->host_count; i++)
			find_open_precomputed(&s->hosts[i], ctx->scratch);
	}
	split_hosts(s, ctx->keep);
	summarise(ctx, s);
	for (size_t i = 0; i < s->host_count; i++) {
		summarise(ctx, &s->hosts[i]);
		s->hosts[i].shows_input = s->shows_input; /* a host without any then did not wait */
	}
	if (may_be_cut && !(s->time.mean > 0))
		return tp_fail(err, TP_ABSENT, why_markers_no_length);
	s->explained = tp_step_slowest_find(ctx, s);
	*result = s;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_op_times, &tp_pass_torch_steps, NULL};

static struct tp_slice
no_event(const struct tp_pass_ctx *ctx)
{
	if (ctx->profile->precomputed != NULL)
		return TP_S("");
	return ctx->profile->tfprof_dumps != NULL ? TP_S(why_tfprof) : TP_S(why_no_event);
}

static struct tp_slice
tool_files_alone(const struct tp_pass_ctx *ctx)
{
	return ctx->profile->precomputed != NULL ? TP_S(why_tool_files) : TP_S("");
}

static struct tp_slice
not_marked(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return s == NULL  ? tp_skipped(ctx, &tp_pass_steps)
		: s->inferred ? TP_S(why_no_markers)
					  : s->source->unmarked;
}

static struct tp_slice
cut_off(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL || (s->open_events == 0 && s->open_count == 0))
		return TP_S("");
	return s->open_events == 0
		? tp_arena_printf(ctx->keep, "the capture cuts %zu %s", s->open_count,
			  tp_plural(s->open_count, "step", "steps"))
		: tp_arena_printf(ctx->keep, "%llu %s before the capture or %s after it",
			  (unsigned long long)s->open_events,
			  tp_plural(s->open_events, "event begins", "events begin"),
			  tp_plural(s->open_events, "ends", "end"));
}

static const struct tp_lack lacks[] = {
	{"events", "Steps, operations and devices over time", TP_LACK_UNTIMED, .why = no_event,
		.pytorch = "Capture while steps run, with `p.step()` at the end of each.",
		.any = "Capture a profile while steps run, into the same log directory: "
			   "`jax.profiler.trace(DIR)`, `tf.profiler.experimental.start(DIR)`, or "
			   "`torch.profiler.profile` with `tensorboard_trace_handler(DIR)`."},
	{"events-of-tools", "Each operation and step with its times", TP_LACK_UNTIMED,
		.why = tool_files_alone, .any = "Add the `*.xplane.pb` of the same run."},
	{"steps", "Where each step starts and ends", TP_LACK_TIMED, .why = not_marked,
		.jax = "Wrap each step in `jax.profiler.StepTraceAnnotation(\"train\", step_num=i)`.",
		.tensorflow =
			"Wrap each step in `tf.profiler.experimental.Trace(\"train\", step_num=i, _r=1)`.",
		.pytorch_xla = "Wrap each step in `xp.StepTrace(\"train\", step_num=i)` of "
					   "`torch_xla.debug.profiler`.",
		.pytorch = "Call `p.step()` of `torch.profiler.profile` at the end of each step.",
		.any = "Wrap each step in `jax.profiler.StepTraceAnnotation(\"train\", step_num=i)` or "
			   "`tf.profiler.experimental.Trace(\"train\", step_num=i, _r=1)`."},
	{"cut", "The parts that the capture cuts off", TP_LACK_TIMED, .why = cut_off,
		.jax = "Start the trace between two steps, and end it after `jax.block_until_ready(...)` "
			   "on the last.",
		.any = "Start the profiler between two steps, and stop it when the last has ended."},
	{0},
};

const struct tp_pass tp_pass_steps = {
	.name = "steps",
	.title = "Steps",
	.summary = "step time and its spread, and the class of each part of a step: compute, input "
			   "wait, collectives, idle …",
	.needs_all = TP_HAS_PROFILE,
	.of_profile = true,
	.after = after,
	.place = TP_PLACE_STEPS,
	.analyze = analyze,
	.metrics = tp_steps_metrics,
	.present = tp_steps_present,
	.present_skipped = tp_steps_skipped,
	.lacks = lacks,
};
