/* From the return of the call to the begin of the work. */
#include "analyze/torch_steps/torch_queue.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch_steps/torch_busy.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_steps.h"
#include "model/profile.h"
#include "model/torch.h"

#define BEGINS_WITHIN_PS 100000000 /* 0.1 ms */

int64_t
tp_torch_queued_ps(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_trace_steps *steps, struct tp_torch_busy *busy)
{
	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]) || links->call[e] == TP_NONE)
			continue;
		uint32_t call = links->call[e];
		int64_t from = tp_add_ps(t->start_ps[call] + t->duration_ps[call], BEGINS_WITHIN_PS);

		if (from < t->start_ps[e])
			busy->s[busy->count++] = (struct tp_interval){from, t->start_ps[e]};
	}
	return tp_torch_busy_more_ps(busy, steps);
}
