/* Step time: how long each training step took, how steady it is, and where the time goes. */
#include "analyze/steps/steps.h"
#include "analyze/core/pass.h"

#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/number.h"
#include "model/profile.h"

#include <math.h>

static void
trim(struct tp_steps *s)
{
	s->source->trim(s);
	s->incomplete = s->seen > s->count + s->trimmed ? s->seen - s->count - s->trimmed : 0;
}

void
tp_steps_infer(const struct tp_pass_ctx *ctx, struct tp_steps *s, const struct tp_repetition *found,
	struct tp_slice *reason)
{
	s->repetition = *found;
	s->inferred = found->confidence >= TP_INFERENCE_THRESHOLD;
	if (!s->inferred)
		*reason = tp_arena_printf(ctx->keep,
			"the profile marks no steps, and what repeats most, %u runs of %.*s, is not regular "
			"enough to infer them: confidence %.2f where %.2f is needed",
			found->runs, TP_ARG(s->inferred_from), found->confidence, TP_INFERENCE_THRESHOLD);
}

struct tp_slice
tp_steps_source(const struct tp_steps *s)
{
	return s == NULL ? TP_S("none") : s->inferred ? TP_S("inferred") : tp_slice_of(s->source->name);
}

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
	s->whole = stats_of(s, true, scratch);
	s->time = s->all.time;
	s->input_share = total > 0 ? input / total : NAN;
	s->output_share = total > 0 ? output / total : NAN;
	s->idle_share = total > 0 ? idle / total : NAN;
}

const char *
tp_steps_timelines(const struct tp_steps *s, size_t count)
{
	return tp_plural(count, s->source->timeline, s->source->timelines);
}

bool
tp_steps_tell(const struct tp_steps *s, enum tp_class c)
{
	return ((s->source->classes | s->classes) & 1u << c) != 0;
}

double
tp_steps_most_input_share(const struct tp_steps *s)
{
	return s->shows_input || !(s->idle_share < 1) ? NAN : s->idle_share;
}

bool
tp_steps_python_traced(const struct tp_profile *p)
{
	for (uint32_t h = 0; h < p->host_count; h++) {
		if (p->hosts[h].options.python_level != 0)
			return true;
	}
	for (uint32_t i = 0; i < p->op_count; i++) {
		if (tp_slice_starts(p->ops[i].name, TP_S("$")))
			return true;
	}
	return false;
}

/* What is said of steps that come with their classes, and of which none is cut off. */
static enum tp_status
take_as_they_are(const struct tp_pass_ctx *ctx, struct tp_steps *s, void **result)
{
	tp_steps_split_hosts(s, ctx->keep);
	summarise(ctx, s);
	for (size_t i = 0; i < s->host_count; i++)
		summarise(ctx, &s->hosts[i]);
	*result = s;
	return TP_OK;
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
	bool found = find(ctx, s, &reason);

	if (!found)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(reason));
	if (s->source->trim == NULL)
		return take_as_they_are(ctx, s, result);
	trim(s);
	for (size_t i = 0; i < s->host_count; i++)
		trim(&s->hosts[i]);
	tp_steps_find_open(ctx, s);
	tp_steps_split_hosts(s, ctx->keep);
	summarise(ctx, s);
	for (size_t i = 0; i < s->host_count; i++) {
		summarise(ctx, &s->hosts[i]);
		s->hosts[i].shows_input = s->shows_input; /* a host without any then did not wait */
	}
	if (!(s->time.mean > 0))
		return tp_fail(err, TP_ABSENT, "no step marker has a length");
	*result = s;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_op_times, &tp_pass_torch_steps, NULL};

static struct tp_slice
no_event(const struct tp_pass_ctx *ctx)
{
	return ctx->profile->precomputed == NULL ? TP_S("no event was read") : TP_S("");
}

static struct tp_slice
tool_files_alone(const struct tp_pass_ctx *ctx)
{
	return ctx->profile->precomputed != NULL
		? TP_S("tool files hold what a profiler worked out, not its events")
		: TP_S("");
}

static struct tp_slice
not_marked(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return s == NULL  ? tp_skipped(ctx, &tp_pass_steps)
		: s->inferred ? TP_S("nothing marks them: they are inferred from what repeats")
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
	{"events", "Steps, operations, devices: whatever takes time", TP_LACK_UNTIMED, .why = no_event,
		.pytorch = "Capture while steps run, with `p.step()` at the end of each.",
		.any = "Capture a profile while steps run, into the same log directory: "
			   "`jax.profiler.trace(DIR)`, `tf.profiler.experimental.start(DIR)`, or "
			   "`torch.profiler.profile` with `tensorboard_trace_handler(DIR)`."},
	{"events-of-tools", "Each operation and step, with its times", TP_LACK_UNTIMED,
		.why = tool_files_alone, .any = "Give the `*.xplane.pb` of the same run beside them."},
	{"steps", "Where each step begins and ends", TP_LACK_TIMED, .why = not_marked,
		.jax = "Wrap each step in `jax.profiler.StepTraceAnnotation(\"train\", step_num=i)`.",
		.tensorflow =
			"Wrap each step in `tf.profiler.experimental.Trace(\"train\", step_num=i, _r=1)`.",
		.pytorch_xla = "Wrap each step in `xp.StepTrace(\"train\", step_num=i)` of "
					   "`torch_xla.debug.profiler`.",
		.pytorch = "Call `p.step()` of `torch.profiler.profile` at the end of each step.",
		.any = "Wrap each step in `jax.profiler.StepTraceAnnotation(\"train\", step_num=i)` or "
			   "`tf.profiler.experimental.Trace(\"train\", step_num=i, _r=1)`."},
	{"cut", "The rest of what the capture cuts", TP_LACK_TIMED, .why = cut_off,
		.jax = "Start the trace between two steps, and end it after `jax.block_until_ready(...)` "
			   "of the last.",
		.any = "Start the profiler between two steps, and stop it when the last has ended."},
	{0},
};

const struct tp_pass tp_pass_steps = {
	.name = "steps",
	.title = "Steps",
	.summary = "step time with its spread, and the class of each part of a step: compute, input "
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
