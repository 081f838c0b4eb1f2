/* Products and convolutions that could have run on tensor cores and did not, and what these would save at most. */
#include "analyze/facts/op_times.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch/operators/torch_op_calls.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_role.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

/* How many times as fast tensor cores multiply as the other ones, by makers' peak rates: bf16 (fp16 before Ampere) against fp32,
 * dense. NVIDIA: FLOP a clock of a multiprocessor, as in facts/peaks_rule.c, over 128 (64 cores), 256 from 8.6 on. Others:
 * AMD's, 8 from MI100 to MI300; where it is not known, the largest of all. */
static double
core_speedup(const struct tp_device *d)
{
	static const struct {
		unsigned major, minor;
		double times;
	} known[] = {{7, 0, 8}, {7, 5, 8}, {8, 0, 16}, {8, 6, 4}, {8, 9, 4}, {9, 0, 16}, {9, 4, 8}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (d->compute_major == known[i].major && d->compute_minor == known[i].minor)
			return known[i].times;
	}
	return 32;
}

/* Of the devices of the trace the one that gains most. */
static double
trace_speedup(const struct tp_profile *p, const struct tp_torch_trace *t)
{
	double most = 0;

	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].host == t->host)
			most = fmax(most, core_speedup(&p->devices[i]));
	}
	return most > 0 ? most : 32;
}

/* Kernels of operators that could use tensor cores: unused where no kernel of the same call did, nor may have. */
void
tp_torch_add_products(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_torch_kernel_names *names,
	struct tp_torch_costs *out)
{
	bool *used = tp_new_array(ctx->scratch, bool, t->count);
	double saved = 1 - 1 / trace_speedup(ctx->profile, t);

	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t owner = links->owner[e];

		if (t->kind[e] == TP_TORCH_KERNEL && owner != TP_NONE &&
			tp_torch_kernel_cores(names, t, e) != TP_TENSOR_CORE_NOT_USED)
			used[owner] = true;
	}
	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t owner = links->owner[e];

		if (t->kind[e] != TP_TORCH_KERNEL)
			continue;
		out->kernel_ps = tp_add_ps(out->kernel_ps, t->duration_ps[e]);
		if (owner == TP_NONE || !tp_torch_op_eligible(tp_torch_name(ctx->profile, t, owner)))
			continue;
		out->eligible_ps = tp_add_ps(out->eligible_ps, t->duration_ps[e]);
		if (used[owner])
			continue;
		out->unused_ps = tp_add_ps(out->unused_ps, t->duration_ps[e]);
		out->core_gain_ps += saved * (double)t->duration_ps[e];
	}
}
