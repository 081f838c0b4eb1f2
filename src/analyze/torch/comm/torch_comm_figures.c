/* What is said of communication in several places: parts of a mean step, what others do not hide, who comes last and what it costs. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/facts/torch_unrecorded.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

struct tp_slice
tp_torch_comm_host(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	const struct tp_profile *p = ctx->profile;

	for (const struct tp_fact *f = p->hosts[p->torch->traces[trace]->host].facts; f != NULL;
		 f = f->next) {
		if (tp_slice_eq(f->key, TP_S("host_name")))
			return f->value;
	}
	return TP_S("");
}

const struct tp_torch_comm_part_info *
tp_torch_comm_part_info(enum tp_torch_comm_part part)
{
	static const struct tp_torch_comm_part_info infos[TP_TORCH_COMM_PART_COUNT] = {
		[TP_TORCH_COMM_COMPUTATION] = {"computation", "Computation",
			"kernels that are no collective run (in a trace without kernels: operators), and no "
			"communication",
			TP_HUE_COMPUTE, 0},
		[TP_TORCH_COMM_OVERLAP] = {"overlap", "Overlapping",
			"computation and communication at the same time", TP_HUE_COMPUTE, 2},
		[TP_TORCH_COMM_EXPOSED] = {"communication", "Communication",
			"communication that no computation hides", TP_HUE_COLLECTIVE, 0},
		[TP_TORCH_COMM_OTHER] = {"other", "Other", "neither computation nor communication",
			TP_HUE_IDLE, 0},
		[TP_TORCH_COMM_TRANSFER] = {"transfer", "Data transfer",
			"of each collective what the fastest worker needs, at the end of every worker's time "
			"in it",
			TP_HUE_COLLECTIVE, 0},
		[TP_TORCH_COMM_SYNC] = {"sync", "Synchronising",
			"the rest of collectives that were matched over workers: waiting for the last one",
			TP_HUE_COLLECTIVE, 2},
		[TP_TORCH_COMM_UNMATCHED] = {"unmatched", "Not matched",
			"in sends, receives and collectives whose other workers are not known",
			TP_HUE_COLLECTIVE, 3},
		[TP_TORCH_COMM_BARRIER] = {"barrier", "Barriers",
			"in barriers, which move no data, and in no other collective", TP_HUE_COLLECTIVE, 1},
	};

	return &infos[part];
}

int64_t
tp_torch_comm_absent(const struct tp_torch_comm *c)
{
	return c->world_size > (int64_t)c->workers ? c->world_size - (int64_t)c->workers : 0;
}

static struct tp_slice
why_not_split(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	int64_t absent = tp_torch_comm_absent(c);

	if (c->workers == 1 && absent == 1)
		return TP_S("the trace of the other worker is not in this report: what is waiting for it "
					"cannot be told");
	if (c->workers == 1 && absent != 0)
		return tp_arena_printf(ctx->keep,
			"the traces of the other %lld workers are not in this report: what is waiting for them "
			"cannot be told",
			(long long)absent);
	if (c->calls != 0 && c->measured == 0)
		return TP_S("the trace holds no kernel of its collectives");
	if (c->workers == 1)
		return TP_S("the trace of one worker, which does not say how many there are");
	return TP_S("no collective of this worker could be matched with those of others");
}

struct tp_value
tp_torch_comm_part_value(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	uint32_t trace, enum tp_torch_comm_part part)
{
	const double *mean_ps = trace == TP_NONE ? c->mean_ps : c->traces[trace].mean_ps;
	bool split = trace == TP_NONE ? c->split_known : c->traces[trace].split_known;

	if (tp_torch_comm_unmeasured(ctx, c))
		return tp_missing(TP_S("the traces hold collectives, but none of their kernels"));
	if ((part == TP_TORCH_COMM_TRANSFER || part == TP_TORCH_COMM_SYNC) && !split)
		return tp_missing(why_not_split(ctx, c));
	if (!isfinite(mean_ps[part]))
		return tp_missing(TP_S("the trace holds no step and no operator"));
	return tp_number(mean_ps[part] / 1e6, TP_UNIT_US);
}

bool
tp_torch_comm_has_straggler(const struct tp_torch_comm *c)
{
	return c->straggler != TP_NONE &&
		c->straggler_lead_ps >= TP_TORCH_LATE_MEDIUM_SHARE * c->step_mean_ps;
}

/* What the other workers do not hide, of a mean step of theirs. */
static double
others_exposed_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	struct tp_torch_trace *const *traces = ctx->profile->torch->traces;
	double sum = 0, steps = 0;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		if (c->traces[i].steps == 0 || tp_slice_eq(traces[i]->worker, traces[c->straggler]->worker))
			continue;
		sum += c->traces[i].mean_ps[TP_TORCH_COMM_EXPOSED] * c->traces[i].steps;
		steps += c->traces[i].steps;
	}
	return steps > 0 ? sum / steps : NAN;
}

double
tp_torch_comm_saving_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	if (c->straggler == TP_NONE)
		return NAN;
	double exposed = others_exposed_ps(ctx, c);

	return exposed < c->straggler_lead_ps ? exposed : c->straggler_lead_ps;
}

double
tp_torch_comm_clock_range_ps(const struct tp_torch_comm *c)
{
	double least = INFINITY, most = -INFINITY;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		if (c->traces[i].clock_count == 0)
			continue;
		least = fmin(least, c->traces[i].clock_ps);
		most = fmax(most, c->traces[i].clock_ps);
	}
	return most - least;
}

bool
tp_torch_comm_unmeasured(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	double all = c->mean_ps[TP_TORCH_COMM_OVERLAP] + c->mean_ps[TP_TORCH_COMM_EXPOSED];

	/* What the host then spends in collectives is launching them. */
	if (tp_torch_unrecorded_reason(ctx).len != 0)
		return true;
	return !(all > 0) && c->calls != 0 && c->measured == 0;
}

double
tp_torch_comm_exposed_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	return c == NULL || tp_torch_comm_unmeasured(ctx, c) ? NAN : c->mean_ps[TP_TORCH_COMM_EXPOSED];
}

/* What shares are of: the mean step as the whole report has it, in which of several workers the slowest one's counts. */
static double
whole_step_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return s != NULL ? s->time.mean : c->step_mean_ps;
}

double
tp_torch_comm_exposed_share(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	return c == NULL || !(c->step_mean_ps > 0)
		? NAN
		: c->mean_ps[TP_TORCH_COMM_EXPOSED] / whole_step_ps(ctx, c);
}

double
tp_torch_comm_late_share(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	return c == NULL || !(c->step_mean_ps > 0)
		? NAN
		: tp_torch_comm_saving_ps(ctx, c) / whole_step_ps(ctx, c);
}
