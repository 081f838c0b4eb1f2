/* Who asked for the memory of a record: the innermost range on its host thread then that is no step. */
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

uint32_t *
tp_torch_memory_owners(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[trace];
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_correlation *links = &linked->traces[trace];
	uint32_t *owner = tp_new_array(ctx->scratch, uint32_t, t->memory_count);
	uint32_t *on_lane = tp_new_array(ctx->scratch, uint32_t, t->memory_count);
	uint32_t *range = tp_new_array(ctx->scratch, uint32_t, t->memory_count);
	int64_t *times = tp_new_array(ctx->scratch, int64_t, t->memory_count);
	uint32_t *next = tp_new_array(ctx->scratch, uint32_t, t->lane_count + 1);

	/* By lane, in order of time within each. */
	for (uint32_t i = 0; i < t->memory_count; i++) {
		owner[i] = TP_NONE;
		if (t->memory[i].lane < t->lane_count)
			next[t->memory[i].lane + 1]++;
	}
	for (uint32_t l = 0; l < t->lane_count; l++)
		next[l + 1] += next[l];
	for (uint32_t i = 0; i < t->memory_count; i++) {
		if (t->memory[i].lane < t->lane_count) {
			uint32_t at = next[t->memory[i].lane]++;

			on_lane[at] = i;
			times[at] = t->memory[i].time_ps;
		}
	}
	for (uint32_t l = 0, from = 0; l < t->lane_count; from = next[l++]) {
		if (next[l] == from)
			continue;
		tp_torch_ranges_at(t, l, times + from, next[l] - from, ctx->scratch, range + from);
		for (uint32_t k = from; k < next[l]; k++) {
			uint32_t at = range[k];

			while (at != TP_NONE && t->kind[at] == TP_TORCH_STEP)
				at = links->parent[at];
			owner[on_lane[k]] = at;
		}
	}
	return owner;
}

struct tp_slice
tp_torch_pool_owner(
	const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, uint32_t record)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[pool->trace];
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	uint32_t event = pool->owner[record];

	if (event == TP_NONE)
		return TP_S("");
	struct tp_slice name = tp_torch_name(ctx->profile, t, event);

	if (!tp_slice_starts(name, TP_S("aten::empty")))
		return name;
	const struct tp_torch_correlation *links = &linked->traces[pool->trace];
	uint32_t around = links->parent[event];

	while (around != TP_NONE && t->kind[around] == TP_TORCH_STEP)
		around = links->parent[around];
	if (around == TP_NONE)
		return name;
	return tp_arena_printf(
		ctx->keep, "%.*s (%.*s)", TP_ARG(tp_torch_name(ctx->profile, t, around)), TP_ARG(name));
}
