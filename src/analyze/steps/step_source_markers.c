/* Steps from markers of hosts (and GPUs), or from calls that repeat: those of each host joined to those of all. */
#include "analyze/steps/step_hosts.h"

#include "analyze/core/say.h"
#include "analyze/steps/step_source_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "rank.pb-c.h"

#include <math.h>

bool
tp_host_has_gpu_work(const struct tp_profile *p, uint32_t host)
{
	if (p->hosts[host].given != NULL)
		return p->hosts[host].given->xla->gpus;
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].host == host && p->lines[l].kind == TP_LINE_STREAM)
			return true;
	}
	return false;
}

static struct tp_slice
step_name(const struct tp_pass_ctx *ctx, const struct tp_host_step *part)
{
	if (part->numbered)
		return tp_arena_printf(ctx->keep, "%lld", (long long)part->number);
	return part->name.len != 0 ? part->name : TP_S("unnamed");
}

/* One step over the hosts that have it: the longest decides, and the others wait for it. */
static struct tp_step
join(struct tp_host_step *const *parts, size_t count, struct tp_slice name)
{
	struct tp_step step = {.name = name};
	const struct tp_host_step *longest = parts[0];

	for (size_t i = 1; i < count; i++)
		longest = parts[i]->time_ps > longest->time_ps ? parts[i] : longest;
	step.time_ps = longest->time_ps;
	step.slowest = longest->host;
	step.start_ps = longest->start_ps;
	step.end_ps = longest->end_ps;
	for (size_t i = 0; i < count; i++) {
		double own = parts[i]->class_ps[TP_CLASS_INPUT_WAIT] / parts[i]->time_ps;

		step.input_share_min = i == 0 || own < step.input_share_min ? own : step.input_share_min;
		step.input_share_mean += own / (double)count;
		if (i == 0 || own > step.input_share_max) {
			step.input_share_max = own;
			step.waits_most = parts[i]->host;
		}
		for (int c = 0; c < TP_CLASS_COUNT; c++)
			step.class_ps[c] += parts[i]->class_ps[c] / (double)count;
		step.to_device_ps += parts[i]->to_device_ps / (double)count;
		step.idle_ps += (step.time_ps - parts[i]->work_ps) / (double)count;
		step.class_ps[TP_CLASS_IDLE] += (step.time_ps - parts[i]->time_ps) / (double)count;
	}
	step.input_ps = step.class_ps[TP_CLASS_INPUT_WAIT];
	step.output_ps = step.class_ps[TP_CLASS_OUTPUT];
	return step;
}

/* All hosts' steps, host by host: first[h] … first[h + 1] are those of host h. */
struct collected {
	struct tp_buf steps; /* struct tp_host_step */
	size_t *first;
	size_t marked; /* on the host where most had a mark */
	bool gpus;
	struct tp_launched launched;
};

static bool
windows_of_host(const struct tp_pass_ctx *ctx, uint32_t host, struct tp_windows *out)
{
	if (ctx->profile->hosts[host].given == NULL)
		return tp_infer_windows(ctx->profile, host, out, ctx->scratch);
	*out = tp_given_windows(ctx->profile, host);
	return out->name.len != 0;
}

/* The calls that every host repeats: of the host that shows them best. */
static struct tp_windows *
infer_windows(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_windows *all = tp_new_array(ctx->scratch, struct tp_windows, p->host_count);
	const struct tp_windows *best = NULL;

	for (uint32_t h = 0; h < p->host_count; h++) {
		if (windows_of_host(ctx, h, &all[h]) &&
			(best == NULL || all[h].repetition.confidence > best->repetition.confidence))
			best = &all[h];
	}
	if (best == NULL)
		return NULL;
	out->inferred_from = best->name;
	for (uint32_t h = 0; h < p->host_count; h++) {
		if (!tp_slice_eq(all[h].name, best->name))
			all[h].count = 0; /* it does something else */
	}
	tp_steps_infer(ctx, out, &best->repetition, reason);
	return out->inferred ? all : NULL;
}

struct tp_launched
tp_launched_of(const struct tp_profile *p, uint32_t host, const struct tp_followed *f)
{
	struct tp_launched out = {.timing = f->timing};

	if (f->timing == TP_TIMED_BY_MARKER)
		return out;
	out.inside_ps = f->inside_ps;
	out.outside_ps = f->outside_ps;
	for (uint32_t i = 0; f->timing == TP_TIMED_BY_RUN && i < p->program_count; i++) {
		if (p->programs[i].host == host && p->programs[i].id == f->program_id)
			out.program = p->programs[i].name;
	}
	return out;
}

/* Of all hosts: sums of work, and the timing of the first of them that has another than its markers'. */
static void
add_launched(const struct tp_launched *host, struct tp_launched *out)
{
	out->inside_ps += host->inside_ps;
	out->outside_ps += host->outside_ps;
	if (out->timing != TP_TIMED_BY_MARKER)
		return;
	out->timing = host->timing;
	out->program = host->program;
}

/* Of a host whose events are not there. Returns how many steps are marked. */
static size_t
collect_given(const struct tp_profile *p, uint32_t host, const struct tp_windows *windows,
	struct collected *all)
{
	bool marked = p->hosts[host].given->xla->window[0] == '\0';
	struct tp_launched launched;

	if (windows != NULL) {
		size_t before = all->steps.count;

		if (windows[host].count != 0)
			tp_given_steps_of_host(p, host, &all->steps);
		return all->steps.count != before ? p->hosts[host].given->xla->marked : 0;
	}
	if (!marked)
		return 0;
	tp_given_steps_of_host(p, host, &all->steps);
	tp_given_launched(p, host, &launched);
	add_launched(&launched, &all->launched);
	return p->hosts[host].given->xla->marked;
}

/* windows: by host, when steps are inferred; else NULL. */
static void
collect(const struct tp_pass_ctx *ctx, struct tp_windows *windows, struct collected *all)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_host_op *names[2] = {NULL, NULL}; /* without, with a device */
	struct tp_arena *scratch = tp_arena_new();

	all->first = tp_new_array(ctx->scratch, size_t, p->host_count + 1);
	for (uint32_t h = 0; h < p->host_count; h++) {
		bool has_device = tp_host_has_gpu_work(p, h);
		size_t marked = 0;

		if (names[has_device] == NULL)
			names[has_device] = tp_read_host_names(p, has_device, ctx->scratch);
		struct tp_marking_host host = {.p = p,
			.host = h,
			.has_device = has_device,
			.ops = names[has_device],
			.scratch = scratch};

		if (p->hosts[h].given != NULL) {
			marked = collect_given(p, h, windows, all);
		} else if (windows == NULL) {
			struct tp_followed followed;

			marked = tp_marked_steps_of_host(&host, &followed, &all->steps);
			struct tp_launched launched = tp_launched_of(p, h, &followed);

			add_launched(&launched, &all->launched);
		} else if (windows[h].count != 0) {
			host.windows = &windows[h];
			marked = tp_inferred_steps_of_host(&host, &all->steps);
		}
		all->marked = marked > all->marked ? marked : all->marked;
		all->first[h + 1] = all->steps.count;
		all->gpus |= has_device;
		tp_arena_reset(scratch);
	}
	tp_arena_free(scratch);
}

/* The part among first … end of a host that is the same step: hosts pair their steps by the markers' numbers; without
 * numbers, by order. SIZE_MAX: none. */
static size_t
same_step(const struct tp_host_step *all, const struct tp_host_step *step, size_t order,
	const struct tp_map *numbers, uint32_t host, size_t first, size_t end)
{
	size_t by_order = first + order, by_number = SIZE_MAX;

	if (step->numbered) {
		uint32_t at = tp_map_get(numbers, tp_hash_pair((uint64_t)step->number, host));

		by_number = at == TP_MAP_NONE ? SIZE_MAX : at;
	}
	if (by_order >= end || (step->numbered && all[by_order].numbered))
		return by_number;
	return by_order < by_number ? by_order : by_number;
}

/* The mean time from the end of a step to the start of the next, on the host where it is longest. */
static double
mean_gap(const struct tp_host_step *all, const size_t *first, uint32_t hosts)
{
	double longest = NAN;

	for (uint32_t h = 0; h < hosts; h++) {
		size_t gaps = first[h + 1] - first[h] - (first[h + 1] > first[h]);
		double sum = 0;

		for (size_t i = first[h] + 1; i < first[h + 1]; i++) {
			double gap = (double)(all[i].start_ps - all[i - 1].start_ps) - all[i - 1].time_ps;

			sum += gap > 0 ? gap : 0;
		}
		if (gaps != 0 && !(sum / (double)gaps <= longest))
			longest = sum / (double)gaps;
	}
	return longest;
}

/* Inferred steps, and those that last until the work of the next, hold the gap. */
static bool
gaps_belong(const struct tp_steps *s)
{
	return s->inferred || s->launched.timing != TP_TIMED_BY_MARKER;
}

static const struct tp_step_source with_gpus;

static const struct tp_step_source *
source_of(bool gpus)
{
	return gpus ? &with_gpus : &tp_step_source_markers;
}

/* Room for each host by itself where several have steps, at most `most` each. */
static void
split_hosts(const struct tp_pass_ctx *ctx, const struct tp_host_step *all, const size_t *first,
	size_t most, struct tp_steps *out)
{
	const struct tp_profile *p = ctx->profile;

	if (out->timelines < 2)
		return;
	out->hosts = tp_new_array(ctx->keep, struct tp_steps, out->timelines);
	for (uint32_t h = 0; h < p->host_count; h++) {
		if (first[h + 1] == first[h])
			continue;
		struct tp_steps *host = &out->hosts[out->host_count++];

		*host = *out;
		host->hosts = NULL;
		host->host_count = 0;
		host->host = h;
		host->source = source_of(tp_host_has_gpu_work(p, h));
		host->timelines = 1;
		host->gap_mean_ps = gaps_belong(out) ? NAN : mean_gap(all, first + h, 1);
		host->steps = tp_new_array(ctx->keep, struct tp_step, most);
	}
}

/* One step for each of the first host that has any, when all hosts with steps have it. */
static void
join_hosts(
	const struct tp_pass_ctx *ctx, struct tp_buf *parts, const size_t *first, struct tp_steps *out)
{
	uint32_t hosts = ctx->profile->host_count, lead = hosts;
	struct tp_host_step *all = parts->data;
	struct tp_host_step **row = tp_new_array(ctx->scratch, struct tp_host_step *, hosts + 1);
	struct tp_map numbers = tp_host_steps_by_number(all, parts->count, ctx->scratch);

	for (uint32_t h = hosts; h-- > 0;) {
		bool any = first[h + 1] > first[h];

		lead = any ? h : lead;
		out->timelines += any;
	}
	if (lead == hosts)
		return;
	out->steps = tp_new_array(ctx->keep, struct tp_step, first[lead + 1] - first[lead]);
	out->host = lead;
	out->gap_mean_ps = gaps_belong(out) ? NAN : mean_gap(all, first, hosts);
	split_hosts(ctx, all, first, first[lead + 1] - first[lead], out);
	for (size_t i = first[lead]; i < first[lead + 1]; i++) {
		size_t n = 0;

		for (uint32_t h = lead; h < hosts; h++) {
			size_t k = h == lead
				? i
				: same_step(all, &all[i], i - first[lead], &numbers, h, first[h], first[h + 1]);

			if (k != SIZE_MAX)
				row[n++] = &all[k];
		}
		if (n != out->timelines)
			continue;
		struct tp_slice name = step_name(ctx, row[0]);

		out->steps[out->count++] = join(row, n, name);
		for (size_t h = 0; h < out->host_count; h++)
			out->hosts[h].steps[out->hosts[h].count++] = join(&row[h], 1, name);
	}
}

/* Keeps the hosts that have steps, but fewer than the one with most. */
static void
list_lacking(const struct tp_pass_ctx *ctx, const size_t *first, struct tp_steps *out)
{
	uint32_t hosts = ctx->profile->host_count;
	struct tp_step_lack *list = tp_new_array(ctx->keep, struct tp_step_lack, hosts);
	size_t most = 0;

	for (uint32_t h = 0; h < hosts; h++)
		most = first[h + 1] - first[h] > most ? first[h + 1] - first[h] : most;
	for (uint32_t h = 0; h < hosts; h++) {
		size_t has = first[h + 1] - first[h];

		if (has != 0 && has < most)
			list[out->lacking_count++] = (struct tp_step_lack){h, has};
	}
	out->lacking = list;
}

/* Where a profile marks no steps. */
static struct tp_slice
nothing_marked(const struct tp_profile *p)
{
	if (p->diags.warnings != 0)
		return TP_S(why_unreadable);
	if (p->event_count == 0 && p->precomputed != NULL)
		return p->precomputed->pod != NULL && p->precomputed->pod->core_count > 1
			? TP_S(why_pod_alone)
			: TP_S(why_no_step_times);
	return TP_S(why_not_marked);
}

/* What of input is recorded. */
static void
take_input(const struct collected *all, struct tp_steps *out)
{
	const struct tp_host_step *steps = all->steps.data;
	size_t asking = 0;

	for (size_t i = 0; i < all->steps.count; i++) {
		out->shows_input |= steps[i].has_input;
		asking += steps[i].asks_input;
	}
	out->input_asked = 2 * asking > all->steps.count;
}

static bool
find(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason)
{
	struct collected all = {0};

	collect(ctx, NULL, &all);
	*reason = nothing_marked(ctx->profile);
	if (all.marked == 0) {
		struct tp_windows *windows = infer_windows(ctx, out, reason);

		if (windows != NULL)
			collect(ctx, windows, &all);
	}
	out->seen = all.marked;
	out->source = source_of(all.gpus);
	out->launched = all.launched;
	take_input(&all, out);
	join_hosts(ctx, &all.steps, all.first, out);
	list_lacking(ctx, all.first, out);
	tp_buf_free(&all.steps);
	if (out->seen != 0 && out->count == 0)
		*reason = out->inferred ? TP_S(why_calls_do_nothing) : TP_S(why_markers_cover_nothing);
	out->incomplete = out->seen > out->count ? out->seen - out->count : 0;
	return out->count != 0;
}

static bool
applies(const struct tp_profile *p)
{
	(void)p; /* any profile may have markers */
	return true;
}

/* Steps with more than this many lose their first and last (xprof's rule). */
enum { TRIM_ABOVE = 5 };

static void
trim(struct tp_steps *s)
{
	if (s->count <= TRIM_ABOVE)
		return;
	s->steps++;
	s->count -= 2;
	s->trimmed += 2;
}

/* What steps of hosts are, with GPUs or without. */
#define OF_HOSTS(...)                                                                              \
	{                                                                                              \
		.name = "markers", .applies = applies, .find = find, .trim = trim,                         \
		.input_rule = "TPR-INPUT-001", __VA_ARGS__                                                 \
	}

const struct tp_step_source tp_step_source_markers = OF_HOSTS(HOST_WORDS,
	.classes = 1u << TP_CLASS_HOST_COMPUTE | 1u << TP_CLASS_COMPILE | 1u << TP_CLASS_OTHER |
		1u << TP_CLASS_INPUT_WAIT | 1u << TP_CLASS_IDLE);

static const struct tp_step_source with_gpus = OF_HOSTS(GPU_WORDS, .launches = true,
	.classes = 1u << TP_CLASS_COMPUTE | 1u << TP_CLASS_COLLECTIVE | 1u << TP_CLASS_OUTPUT |
		1u << TP_CLASS_DEVICE_TO_DEVICE | 1u << TP_CLASS_LAUNCH | 1u << TP_CLASS_COMPILE |
		1u << TP_CLASS_OTHER | 1u << TP_CLASS_INPUT_WAIT | 1u << TP_CLASS_IDLE);
