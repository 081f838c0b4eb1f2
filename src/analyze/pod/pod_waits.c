/* What cores wait for others, of a mean step. */
#include "analyze/pod/pod.h"

#include "analyze/facts/environment.h"
#include "analyze/steps/steps.h"
#include "model/profile.h"

bool
tp_pod_tells_waits(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, enum tp_pod_part part)
{
	return pod != NULL && pod->cores && pod->steps == tp_result(ctx, &tp_pass_steps) &&
		(part != TP_POD_COLLECTIVE_SYNC || pod->sync_known) && tp_environment_holds_all(ctx);
}

double
tp_pod_waits_ps(const struct tp_pod *pod, enum tp_pod_part part, uint32_t host)
{
	double sum_ps = 0, count = 0;

	for (size_t i = 0; i < pod->count; i++) {
		if (host != TP_NONE && pod->units[i].host != host)
			continue;
		sum_ps += pod->units[i].mean_ps[part];
		count++;
	}
	return count > 0 ? sum_ps / count : 0;
}
