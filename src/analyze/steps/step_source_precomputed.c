/* Steps out of tool files: the profiler worked out how long each took and into which classes of time it falls. */
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/steps/step_source_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>

static const enum tp_class classes[TP_PRECOMPUTED_PART_COUNT] = {
	[TP_PRECOMPUTED_COMPUTE] = TP_CLASS_COMPUTE,
	[TP_PRECOMPUTED_INPUT] = TP_CLASS_INPUT_WAIT,
	[TP_PRECOMPUTED_TO_DEVICE] = TP_CLASS_INPUT_WAIT,
	[TP_PRECOMPUTED_OUTPUT] = TP_CLASS_OUTPUT,
	[TP_PRECOMPUTED_COLLECTIVE] = TP_CLASS_COLLECTIVE,
	[TP_PRECOMPUTED_DEVICE_TO_DEVICE] = TP_CLASS_DEVICE_TO_DEVICE,
	[TP_PRECOMPUTED_SPARSE_CORE] = TP_CLASS_SPARSE_CORE,
	[TP_PRECOMPUTED_HOST_COMPUTE] = TP_CLASS_HOST_COMPUTE,
	[TP_PRECOMPUTED_LAUNCH] = TP_CLASS_LAUNCH,
	[TP_PRECOMPUTED_COMPILE] = TP_CLASS_COMPILE,
	[TP_PRECOMPUTED_HOST_TRANSFER] = TP_CLASS_HOST_TRANSFER,
	[TP_PRECOMPUTED_IDLE] = TP_CLASS_IDLE,
	[TP_PRECOMPUTED_OTHER] = TP_CLASS_OTHER,
};

static double
share_or(double share, double otherwise)
{
	return share >= 0 && share <= 1 ? share : otherwise;
}

static struct tp_step
step_of(const struct tp_precomputed_step *g)
{
	struct tp_step step = {.name = g->name, .idle_ps = NAN};

	for (int k = 0; k < TP_PRECOMPUTED_PART_COUNT; k++) {
		step.class_ps[classes[k]] += g->part_ms[k] * 1e9;
		step.time_ps += g->part_ms[k] * 1e9;
	}
	/* Time of the step that no part has. */
	if (g->time_ms * 1e9 > step.time_ps * (1 + 1e-9)) {
		step.class_ps[TP_CLASS_OTHER] += g->time_ms * 1e9 - step.time_ps;
		step.time_ps = g->time_ms * 1e9;
	}
	double share = step.time_ps > 0 ? step.class_ps[TP_CLASS_INPUT_WAIT] / step.time_ps : 0;

	step.input_ps = step.class_ps[TP_CLASS_INPUT_WAIT];
	step.output_ps = step.class_ps[TP_CLASS_OUTPUT];
	step.to_device_ps = g->part_ms[TP_PRECOMPUTED_TO_DEVICE] * 1e9;
	step.input_share_mean = share_or(g->input_share_mean, share);
	step.input_share_min = share_or(g->input_share_min, share);
	step.input_share_max = share_or(g->input_share_max, share);
	return step;
}

static const struct tp_step_source of_gpus, of_tpus;

static const struct tp_step_source *
source_of(struct tp_slice hardware)
{
	return tp_slice_starts(hardware, TP_S("TPU")) ? &of_tpus
		: tp_slice_starts(hardware, TP_S("GPU"))  ? &of_gpus
												  : &tp_step_source_precomputed;
}

static struct tp_steps
steps_of(const struct tp_pass_ctx *ctx, const struct tp_precomputed *g)
{
	struct tp_steps out = {
		.source = source_of(g->hardware),
		.precomputed_from = g->steps_from,
		.shows_input = true,
		.steps = tp_new_array(ctx->keep, struct tp_step, g->step_count),
		.count = g->step_count,
		.seen = g->step_count,
		.timelines = 1,
		.gap_mean_ps = NAN,
		.host = g->host != TP_NONE ? g->host : 0,
	};

	for (size_t i = 0; i < g->step_count; i++)
		out.steps[i] = step_of(&g->steps[i]);
	for (int k = 0; k < TP_PRECOMPUTED_PART_COUNT; k++)
		out.classes |= g->parts & 1u << k ? 1u << classes[k] : 0;
	return out;
}

/* The steps are those of the first host that has any; each host's own are in hosts, where several have. */
static bool
find(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);
	const struct tp_profile *p = ctx->profile;
	struct tp_steps *hosts = tp_new_array(ctx->keep, struct tp_steps, p->precomputed_host_count);
	size_t count = 0;

	(void)reason; /* that of the events stands */
	if (g == NULL || g->step_count == 0)
		return false;
	for (uint32_t i = 0; i < p->precomputed_host_count; i++) {
		if (p->precomputed_hosts[i]->step_count != 0 && p->precomputed_hosts[i]->host != TP_NONE)
			hosts[count++] = steps_of(ctx, p->precomputed_hosts[i]);
	}
	*out = count != 0 ? hosts[0] : steps_of(ctx, g);
	if (out->steps != NULL && count > 1) {
		out->hosts = hosts;
		out->host_count = count;
	}
	return true;
}

/* What such steps are, on any hardware. */
#define OF_TOOL_FILES(...)                                                                         \
	{                                                                                              \
		TOOL_FILE_WORDS, .name = "precomputed", .find = find, .tells_device = true,                \
						 .input_rule = "TPR-INPUT-001", __VA_ARGS__                                \
	}

const struct tp_step_source tp_step_source_precomputed = OF_TOOL_FILES(.launches = false);
static const struct tp_step_source of_gpus = OF_TOOL_FILES(.launches = true);
static const struct tp_step_source of_tpus = OF_TOOL_FILES(.gaps_are_idle = true);
