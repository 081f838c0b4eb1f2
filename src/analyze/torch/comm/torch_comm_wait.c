/* What workers wait in collectives and barriers, step by step: of each step's class of collectives, at most. */
#include "analyze/torch/comm/torch_comm.h"

#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"

#include <math.h>

/* Sums over the workers of one step that tell transfer from waiting. */
struct sum {
	double waits_ps, weight;
};

/* Computation may hide some of a worker's waiting, which its class of collectives is without. */
static double
own_ps(const struct tp_torch_comm_trace *t, const struct tp_torch_step *steps, uint32_t step)
{
	double collective_ps = (double)steps[step].role_ps[TP_TORCH_ROLE_COMMUNICATION] +
		(double)steps[step].copy_beside_collective_ps;

	return fmin(t->step_ps[step][TP_TORCH_COMM_SYNC] + t->step_ps[step][TP_TORCH_COMM_BARRIER],
		collective_ps);
}

/* By step of the report; where there is none, each worker's steps stand for themselves. */
static size_t
sum_up(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct sum **sums)
{
	const struct tp_steps *all = tp_result(ctx, &tp_pass_steps);
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	bool joined = all != NULL && all->traces != NULL;
	size_t count = joined ? all->count : 0, next = 0;

	for (uint32_t i = 0; i < c->trace_count && !joined; i++)
		count += c->traces[i].steps;
	*sums = tp_new_array(ctx->scratch, struct sum, count);
	for (uint32_t i = 0; i < c->trace_count; i++) {
		const struct tp_torch_comm_trace *t = &c->traces[i];
		double weight = joined ? all->traces[i].weight : 1;

		for (uint32_t n = 0; n < t->steps && t->split_known; n++) {
			size_t at = joined ? all->traces[i].step[n] : next++;

			if (at == TP_NONE)
				continue;
			(*sums)[at].waits_ps += weight * own_ps(t, stepped->traces[i].steps, n);
			(*sums)[at].weight += weight;
		}
	}
	return count;
}

void
tp_torch_comm_find_waits(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	const struct tp_steps *all = tp_result(ctx, &tp_pass_steps);
	bool joined = all != NULL && all->traces != NULL;
	struct sum *sums;
	size_t count = sum_up(ctx, c, &sums), known = 0;
	double *waits_ps = tp_new_array(ctx->keep, double, count), total_ps = 0;

	for (size_t i = 0; i < count; i++) {
		if (!(sums[i].weight > 0))
			continue;
		waits_ps[i] = sums[i].waits_ps / sums[i].weight;
		/* Workers that do not tell may spend less on collectives than those that do. */
		if (joined)
			waits_ps[i] = fmin(waits_ps[i], all->steps[i].class_ps[TP_CLASS_COLLECTIVE]);
		total_ps += waits_ps[i];
		known++;
	}
	bool measured = known != 0 && !tp_torch_comm_unmeasured(c);

	c->wait_mean_ps = measured ? total_ps / (double)known : NAN;
	c->wait_ps = measured && joined && known == count ? waits_ps : NULL;
}
