/* The steps of each worker by itself. */
#include "analyze/core/pass.h"
#include "analyze/steps/step_workers.h"
#include "analyze/steps/steps.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/spread.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

struct tp_step
tp_step_of_part(const struct tp_torch *torch, const struct tp_step_part *part, struct tp_slice name)
{
	const struct tp_torch_step *from = part->step;
	uint32_t host = torch->traces[part->trace]->host;
	struct tp_step step = {.name = name,
		.idle_ps = NAN,
		.time_ps = (double)(from->end_ps - from->start_ps),
		.slowest = host,
		.waits_most = host,
		.start_ps = from->start_ps,
		.end_ps = from->end_ps,
		.mark_ps = (double)(from->host_end_ps - from->host_start_ps)};

	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
		if (!tp_torch_role_is_of_host((enum tp_torch_role)k))
			step.class_ps[tp_torch_role_info((enum tp_torch_role)k)->class] +=
				(double)from->role_ps[k];
	}
	for (int k = 0; k < TP_TORCH_HOST_PARTS; k++)
		step.class_ps[tp_torch_class_of_host((enum tp_torch_host_part)k)] +=
			(double)from->host_ps[k];
	step.class_ps[TP_CLASS_COMPUTE] -= (double)from->copy_beside_collective_ps;
	step.class_ps[TP_CLASS_COLLECTIVE] += (double)from->copy_beside_collective_ps;
	step.copy_ps = (double)from->role_ps[TP_TORCH_ROLE_MEMCPY] +
		(double)from->role_ps[TP_TORCH_ROLE_MEMSET] - (double)from->copy_beside_collective_ps;
	step.input_ps = step.class_ps[TP_CLASS_INPUT_WAIT];
	step.input_share_mean = step.time_ps > 0 ? step.input_ps / step.time_ps : 0;
	step.input_share_min = step.input_share_max = step.input_share_mean;
	return step;
}

struct splitting {
	const struct tp_torch *torch;
	const struct tp_step_workers *w;
	const uint32_t *number; /* of each group: which of the steps of all it is */
	const uint32_t *parts;  /* places of the parts, those of a worker together */
	const uint32_t *ends;   /* of each worker, among them */
	struct tp_steps *out;
};

static void
split_some(void *with, size_t from, size_t to, struct tp_arena *keep)
{
	const struct splitting *s = with;

	for (size_t i = from; i < to; i++) {
		struct tp_steps *one = &s->out->hosts[i];

		one->steps = tp_new_array(keep, struct tp_step, s->out->count);
		for (uint32_t k = i != 0 ? s->ends[i - 1] : 0; k < s->ends[i]; k++) {
			const struct tp_step_part *part = &s->w->parts[s->parts[k]];
			uint32_t at = s->number[part->group];

			one->steps[at] = tp_step_of_part(s->torch, part, s->out->steps[at].name);
		}
	}
}

/* The parts of each worker together. */
static void
sort_by_worker(const struct tp_pass_ctx *ctx, const uint32_t *place, struct splitting *s)
{
	size_t count = s->out->host_count;
	uint32_t *parts = tp_new_array(ctx->scratch, uint32_t, s->w->part_count);
	uint32_t *ends = tp_new_array(ctx->scratch, uint32_t, count + 1);

	for (size_t i = 0; i < s->w->part_count; i++) {
		if (place[i] != TP_NONE)
			ends[place[i] + 1]++;
	}
	for (size_t i = 0; i < count; i++)
		ends[i + 1] += ends[i];
	/* Each begins where the one before ends, and has ended once all of its parts stand there. */
	for (uint32_t i = 0; i < s->w->part_count; i++) {
		if (place[i] != TP_NONE)
			parts[ends[place[i]]++] = i;
	}
	s->parts = parts;
	s->ends = ends;
}

void
tp_step_workers_split(const struct tp_pass_ctx *ctx, const struct tp_step_workers *w,
	const uint32_t *number, struct tp_steps *out)
{
	const struct tp_torch *torch = ctx->profile->torch;
	uint32_t *of_worker = tp_new_array(ctx->scratch, uint32_t, torch->worker_count);
	uint32_t *place = tp_new_array(ctx->scratch, uint32_t, w->part_count);
	struct splitting s = {.torch = torch, .w = w, .number = number, .out = out};
	struct tp_steps of_one = *out;

	for (size_t i = 0; i < w->group_count; i++) {
		if (w->groups[i].kept && w->groups[i].parts != out->timelines)
			return;
	}
	if (out->timelines < 2 || out->jobs > 1)
		return;
	of_one.timelines = 1;
	out->hosts = tp_new_array(ctx->keep, struct tp_steps, out->timelines);
	for (size_t i = 0; i < w->part_count; i++) {
		const struct tp_torch_trace *t = torch->traces[w->parts[i].trace];
		uint32_t *host = &of_worker[t->worker_number];

		place[i] = TP_NONE;
		if (number[w->parts[i].group] == TP_NONE)
			continue;
		if (*host == 0) {
			of_one.host = t->host;
			out->hosts[out->host_count] = of_one;
			*host = (uint32_t)++out->host_count;
		}
		place[i] = *host - 1;
	}
	sort_by_worker(ctx, place, &s);
	tp_spread(ctx->options->pool, ctx->keep, out->host_count, split_some, &s);
}
