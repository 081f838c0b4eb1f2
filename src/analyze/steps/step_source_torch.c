/* Steps of PyTorch traces: those of each worker and span joined to steps of all workers. */
#include "analyze/steps/steps_section.h"

#include "analyze/core/say.h"
#include "analyze/steps/step_source_words.h"
#include "analyze/steps/step_workers.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

/* The longest worker decides, and the others wait for it. `one`: a worker's own, not the first. */
static void
join(struct tp_step *all, const struct tp_step *one)
{
	if (one->time_ps > all->time_ps) {
		all->time_ps = one->time_ps;
		all->slowest = one->slowest;
		all->start_ps = one->start_ps;
		all->end_ps = one->end_ps;
		all->mark_ps = one->mark_ps;
	}
	for (int c = 0; c < TP_CLASS_COUNT; c++)
		all->class_ps[c] += one->class_ps[c];
	all->copy_ps += one->copy_ps;
	all->input_share_mean += one->input_share_mean;
	all->input_share_min = tp_smaller(all->input_share_min, one->input_share_min);
	if (one->input_share_max > all->input_share_max) {
		all->input_share_max = one->input_share_max;
		all->waits_most = one->waits_most;
	}
}

static void
take_means(struct tp_step *step, double workers)
{
	double covered = 0;

	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		step->class_ps[c] /= workers;
		covered += step->class_ps[c];
	}
	step->class_ps[TP_CLASS_IDLE] += workers > 1 ? tp_larger(0, step->time_ps - covered) : 0;
	step->copy_ps /= workers;
	step->input_share_mean /= workers;
	step->input_ps = step->class_ps[TP_CLASS_INPUT_WAIT];
}

/* "7"; where spans mark steps with the same names, "7 (span 2)"; where workers are of different jobs, "7 (bert)". */
static struct tp_slice
name_of(const struct tp_pass_ctx *ctx, const struct tp_step_part *part, bool jobs, bool spans,
	struct tp_map *taken)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[part->trace];
	struct tp_slice name = part->step->name;

	if (jobs)
		name = tp_arena_printf(ctx->keep, "%.*s (%.*s)", TP_ARG(name), TP_ARG(t->worker));
	if (spans && tp_map_get(taken, tp_hash_bytes(name)) != TP_MAP_NONE)
		name = tp_arena_printf(ctx->keep, "%.*s (span %u)", TP_ARG(name), t->span_number);
	tp_map_put(taken, tp_hash_bytes(name), 0);
	return name;
}

/* Which of the steps of all a kept group is; TP_NONE: none. */
static uint32_t *
join_workers(const struct tp_pass_ctx *ctx, const struct tp_step_workers *w, struct tp_steps *out)
{
	uint32_t *number = tp_new_array(ctx->scratch, uint32_t, w->group_count);
	struct tp_map taken;

	tp_map_init(&taken, ctx->scratch);
	out->steps = tp_new_array(ctx->keep, struct tp_step, w->group_count);
	for (size_t i = 0; i < w->group_count; i++)
		number[i] = TP_NONE;
	for (size_t i = 0; i < w->part_count; i++) {
		const struct tp_step_part *part = &w->parts[i];
		struct tp_step one = tp_step_of_part(ctx->profile->torch, part, part->step->name);
		uint32_t *at = &number[part->group];

		if (!w->groups[part->group].kept)
			continue;
		if (*at != TP_NONE) {
			join(&out->steps[*at], &one);
			continue;
		}
		*at = (uint32_t)out->count++;
		out->steps[*at] = one;
		out->steps[*at].name = name_of(ctx, part, out->jobs > 1, w->last_span > 1, &taken);
	}
	for (size_t i = 0; i < w->group_count; i++) {
		if (number[i] != TP_NONE)
			take_means(&out->steps[number[i]], w->groups[i].parts);
	}
	return number;
}

/* What each trace has of the steps, so that other figures are of the same ones. */
static void
keep_parts(const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped,
	const struct tp_step_workers *w, const uint32_t *number, struct tp_steps *out)
{
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_trace_steps *traces =
		tp_new_array(ctx->keep, struct tp_trace_steps, torch->trace_count);

	for (uint32_t i = 0; i < torch->trace_count; i++)
		traces[i].step = tp_new_array(ctx->keep, uint32_t, stepped->traces[i].count);
	for (size_t i = 0; i < w->part_count; i++) {
		const struct tp_step_part *part = &w->parts[i];

		traces[part->trace].step[part->nth] = number[part->group];
		if (number[part->group] != TP_NONE)
			traces[part->trace].weight = 1.0 / w->groups[part->group].parts;
	}
	out->traces = traces;
}

/* Workers that have such steps; those that have fewer than the one with most, or none that count. */
static void
count_workers(const struct tp_pass_ctx *ctx, const struct tp_step_workers *w, struct tp_steps *out)
{
	const struct tp_torch *torch = ctx->profile->torch;
	uint32_t workers = torch->worker_count, most = 0;
	uint32_t *has = tp_new_array(ctx->scratch, uint32_t, workers);
	uint32_t *kept = tp_new_array(ctx->scratch, uint32_t, workers);
	uint32_t *host = tp_new_array(ctx->scratch, uint32_t, workers);
	struct tp_step_lack *lacking = tp_new_array(ctx->keep, struct tp_step_lack, workers);
	size_t most_parts = 0;

	for (size_t i = w->part_count; i-- > 0;) {
		const struct tp_torch_trace *t = torch->traces[w->parts[i].trace];
		const struct tp_step_group *group = &w->groups[w->parts[i].group];

		has[t->worker_number]++;
		kept[t->worker_number] += group->kept;
		host[t->worker_number] = t->host;
		most_parts = group->parts > most_parts ? group->parts : most_parts;
	}
	for (uint32_t i = 0; i < workers; i++) {
		most = has[i] > most ? has[i] : most;
		out->timelines += kept[i] != 0;
	}
	if (w->jobs > 1 && most_parts < out->timelines) {
		out->jobs = w->jobs;
		out->timelines = most_parts;
		return;
	}
	for (uint32_t i = 0; i < workers; i++) {
		if (has[i] != 0 && (has[i] < most || kept[i] == 0))
			lacking[out->lacking_count++] =
				(struct tp_step_lack){host[i], kept[i] != 0 ? has[i] : 0};
	}
	out->lacking = lacking;
}

static const struct tp_step_source of_traces;

/* The trace's own passes have left out what the capture cuts. */
static void
keep_all(struct tp_steps *s)
{
	(void)s;
}

/* Where a profile's steps are from: what most traces have. */
static const struct tp_step_source *
source_of(const struct tp_torch_stepped *stepped, uint32_t traces)
{
	uint32_t from[TP_TORCH_FROM_KERNELS + 1] = {0};

	for (uint32_t i = 0; i < traces; i++)
		from[stepped->traces[i].from] += stepped->traces[i].count != 0;
	return from[TP_TORCH_FROM_MARKS] != 0      ? &tp_step_source_torch
		: from[TP_TORCH_FROM_ANNOTATIONS] != 0 ? &tp_step_source_annotations
		: from[TP_TORCH_FROM_KERNELS] != 0     ? &tp_step_source_kernels
											   : &of_traces;
}

/* How sure the iterations of a trace are that is the least sure one; of kernels they are inferred. */
static void
take_confidence(
	const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped, struct tp_steps *out)
{
	const struct tp_torch_trace_steps *least = NULL;

	for (uint32_t i = 0; i < ctx->profile->torch->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];

		if (s->from >= TP_TORCH_FROM_ANNOTATIONS &&
			(least == NULL || s->confidence < least->confidence))
			least = s;
	}
	if (least == NULL || out->source == &tp_step_source_torch)
		return;
	out->inferred = out->source == &tp_step_source_kernels;
	out->inferred_from = least->iterations.family_count == 1
		? least->iterations.families[0].name
		: tp_arena_printf(ctx->keep, "%u kinds of iterations", least->iterations.family_count);
	out->repetition = (struct tp_repetition){
		.runs = least->count,
		.covered = least->covered,
		.regular = least->regular,
		.agreeing = least->iterations.separated,
		.enough = least->iterations.enough,
		.confidence = least->confidence,
	};
}

/* What traces tell apart, and what they were left with. */
static void
take_facts(
	const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped, struct tp_steps *out)
{
	const struct tp_torch *torch = ctx->profile->torch;

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];

		for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
			if (s->role_known[k] && s->count != 0)
				out->classes |= 1u << tp_torch_role_info((enum tp_torch_role)k)->class;
		}
		if (s->host_divided && s->count != 0)
			out->classes |= 1u << TP_CLASS_SETUP | 1u << TP_CLASS_QUEUED;
		out->shows_input |= s->roles.count[TP_TORCH_ROLE_DATALOADER] != 0;
	}
	out->source = source_of(stepped, torch->trace_count);
	take_confidence(ctx, stepped, out);
}

/* Steps of the profiler's marks, of each set those of the trace that has most. */
static void
count_marks(const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped,
	const struct tp_step_workers *w, struct tp_steps *out)
{
	uint32_t *seen = tp_new_array(ctx->scratch, uint32_t, w->set_count);
	uint32_t *trimmed = tp_new_array(ctx->scratch, uint32_t, w->set_count);
	uint32_t *groups = tp_new_array(ctx->scratch, uint32_t, w->set_count);

	for (uint32_t i = 0; i < ctx->profile->torch->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];
		uint32_t set = w->set_of[i], marks = s->seen != 0 ? s->seen : s->count;

		seen[set] = marks > seen[set] ? marks : seen[set];
		trimmed[set] = s->trimmed > trimmed[set] ? s->trimmed : trimmed[set];
	}
	for (size_t i = 0; i < w->group_count; i++)
		groups[w->groups[i].set]++;
	for (uint32_t set = 0; set < w->set_count; set++) {
		out->seen += seen[set] > groups[set] ? seen[set] : groups[set];
		out->trimmed += trimmed[set];
	}
	if (out->seen > out->count + out->trimmed)
		out->incomplete = out->seen - out->count - out->trimmed;
}

/* The mean time from the end of a step to the start of the next, in the trace where it is longest. */
static double
mean_gap(const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped)
{
	double longest = NAN;

	for (uint32_t i = 0; i < ctx->profile->torch->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];
		double sum = 0;

		for (uint32_t k = 1; k < s->count; k++)
			sum += (double)(s->steps[k].start_ps - s->steps[k - 1].end_ps);
		if (s->count > 1 && !(sum / (s->count - 1) <= longest))
			longest = sum / (s->count - 1);
	}
	return longest;
}

static bool
applies(const struct tp_profile *p)
{
	return p->torch != NULL;
}

/* Why a profile has no steps; of device work without anything else it says that it is there. */
static struct tp_slice
nothing_there(const struct tp_torch *torch)
{
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		if (torch->traces[i]->work_count != 0)
			return TP_S(why_order_unsure);
	}
	return TP_S(why_nothing);
}

static bool
find(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct tp_step_workers w = tp_step_workers_of(ctx, stepped);
	double time_ps = 0;

	*out = (struct tp_steps){.gap_mean_ps = mean_gap(ctx, stepped)};
	take_facts(ctx, stepped, out);
	count_workers(ctx, &w, out);
	uint32_t *number = join_workers(ctx, &w, out);

	count_marks(ctx, stepped, &w, out);
	if (out->timelines > 1)
		out->classes |= 1u << TP_CLASS_IDLE;
	if (out->count != 0)
		out->host = out->steps[0].slowest;
	tp_step_workers_split(ctx, &w, number, out);
	keep_parts(ctx, stepped, &w, number, out);
	for (size_t i = 0; i < out->count; i++)
		time_ps += out->steps[i].time_ps;
	*reason = out->count == 0 ? nothing_there(ctx->profile->torch) : TP_S(why_torch_no_length);
	return time_ps > 0;
}

/* What steps of PyTorch are, marked or not. */
#define OF_WORKERS(...)                                                                            \
	{                                                                                              \
		.applies = applies, .find = find, .by_role = true, .input_rule = "TPR-LOAD-001",           \
		.tables = tp_step_torch_tables, __VA_ARGS__                                                \
	}

const struct tp_step_source tp_step_source_torch = OF_WORKERS(MARK_WORDS, .name = "markers");

const struct tp_step_source tp_step_source_annotations =
	OF_WORKERS(ANNOTATION_WORDS, .name = "annotations");

const struct tp_step_source tp_step_source_kernels = OF_WORKERS(
	KERNEL_WORDS, .name = "kernels", .trim = keep_all, .inferred.threshold = TP_TORCH_KERNELS_SURE);

static const struct tp_step_source of_traces = OF_WORKERS(TRACE_WORDS, .name = "none");
