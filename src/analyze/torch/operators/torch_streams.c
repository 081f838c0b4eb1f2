/* From lines back to traces. */
#include "analyze/torch/operators/torch_streams.h"

#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

const struct tp_torch_stream *
tp_torch_streams(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_ops *ops = tp_result(ctx, &tp_pass_torch_ops);

	if (p->torch == NULL || linked == NULL || ops == NULL)
		return NULL;
	struct tp_torch_stream *all = tp_new_array(ctx->scratch, struct tp_torch_stream, p->line_count);

	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		for (uint32_t l = 0; l < t->lane_count; l++) {
			const struct tp_torch_lane *lane = &t->lanes[l];

			if (lane->kind != TP_TORCH_LANE_STREAM || lane->line >= p->line_count)
				continue;
			all[lane->line] = (struct tp_torch_stream){.trace = t,
				.links = &linked->traces[i],
				.calls = ops->traces[i].calls,
				.gpu = tp_torch_gpu_of(t, lane->gpu),
				.first = lane->first};
		}
	}
	return all;
}

bool
tp_torch_stream_kernel(const struct tp_torch_stream *s, uint32_t i, struct tp_torch_kernel *out)
{
	const struct tp_torch_trace *t = s->trace;
	uint32_t event = s->first + i, owner = s->links->owner[event];

	if (t->kind[event] != TP_TORCH_KERNEL || t->detail[event] == TP_NONE)
		return false;
	const struct tp_torch_work *w = &t->works[t->detail[event]];

	*out = (struct tp_torch_kernel){
		.owner = owner,
		.no_call = s->links->call[event] == TP_NONE && tp_torch_names_call(t, event),
		.untold = !tp_torch_names_call(t, event),
		.in_graph = w->graph != 0,
		.eligible =
			owner != TP_NONE && t->detail[owner] != TP_NONE && s->calls[t->detail[owner]].eligible,
		.occupancy = NAN,
	};
	if (w->launch != TP_NONE)
		out->occupancy = tp_torch_occupancy(s->gpu, &t->launches[w->launch]);
	return true;
}
