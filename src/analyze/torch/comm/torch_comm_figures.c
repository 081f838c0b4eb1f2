/* Figures of communication that several places say: parts of a mean step, what others do not hide, who comes last and what it costs.
 * And the headline figures among them: over all workers, and by worker and span. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/core/say.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_words.h"
#include "analyze/torch_steps/torch_say.h"
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
	return &part_infos[part];
}

struct tp_torch_comm_look
tp_torch_comm_part_look(const struct tp_pass_ctx *ctx, enum tp_torch_comm_part part)
{
	const struct tp_torch_comm_part_info *info = tp_torch_comm_part_info(part);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	struct tp_torch_comm_look look = {info->hue, info->tint};

	if (s == NULL || tp_steps_tell(s, TP_CLASS_COMPUTE))
		return look;
	if (look.hue == TP_HUE_COMPUTE)
		look.hue = TP_HUE_HOST;
	else if (part == TP_TORCH_COMM_OTHER)
		look = (struct tp_torch_comm_look){TP_HUE_IDLE, TP_TINT_UNRECORDED};
	return look;
}

int64_t
tp_torch_comm_absent(const struct tp_torch_comm *c)
{
	return c->world_size > (int64_t)c->workers ? c->world_size - (int64_t)c->workers : 0;
}

static struct tp_slice
why_not_split(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, uint32_t trace)
{
	int64_t absent = tp_torch_comm_absent(c);

	if (c->workers == 1 && absent == 1)
		return TP_S(why_other_absent);
	if (c->workers == 1 && absent != 0)
		return tp_arena_printf(ctx->keep, why_others_absent, (long long)absent);
	if (c->calls != 0 && c->measured == 0)
		return TP_S(why_not_measured);
	if (c->workers == 1)
		return TP_S(why_one_trace);
	return trace == TP_NONE ? TP_S(why_none_matched) : TP_S(why_worker_not_matched);
}

struct tp_value
tp_torch_comm_part_value(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	uint32_t trace, enum tp_torch_comm_part part)
{
	const double *mean_ps = trace == TP_NONE ? c->mean_ps : c->traces[trace].mean_ps;
	bool split = trace == TP_NONE ? c->split_known : c->traces[trace].split_known;

	if (tp_torch_comm_unmeasured(c))
		return tp_missing(TP_S(why_no_kernels));
	if ((part == TP_TORCH_COMM_TRANSFER || part == TP_TORCH_COMM_SYNC) && !split)
		return tp_missing(why_not_split(ctx, c, trace));
	if (!isfinite(mean_ps[part]))
		return tp_missing(TP_S(why_no_steps));
	return tp_number(mean_ps[part] / 1e6, TP_UNIT_US);
}

bool
tp_torch_comm_has_straggler(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	return c->straggler != TP_NONE &&
		tp_torch_comm_late_share(ctx, c) >= TP_TORCH_LATE_MEDIUM_SHARE;
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

/* What the worker that comes last costs: its lead, but no more than the exposed communication of the others. NaN: not known. */
static double
cost_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	return c->straggler == TP_NONE ? NAN : fmin(others_exposed_ps(ctx, c), c->straggler_lead_ps);
}

double
tp_torch_comm_saving_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	double cost = cost_ps(ctx, c);

	/* Of two figures fmin takes the one that is known. */
	return isfinite(cost) ? fmin(fmin(cost, c->mean_ps[TP_TORCH_COMM_EXPOSED]), c->wait_mean_ps)
						  : NAN;
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
tp_torch_comm_unmeasured(const struct tp_torch_comm *c)
{
	return c->unrecorded || (c->calls != 0 && c->measured == 0);
}

double
tp_torch_comm_exposed_ps(const struct tp_torch_comm *c)
{
	return c == NULL || tp_torch_comm_unmeasured(c) ? NAN : c->mean_ps[TP_TORCH_COMM_EXPOSED];
}

double
tp_torch_comm_hideable_ps(const struct tp_torch_comm *c)
{
	return fmin(tp_torch_comm_exposed_ps(c), c->mean_ps[TP_TORCH_COMM_COMPUTATION]);
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

/* Of a step; a smaller part needs no word. */
#define LEAST_HIDDEN_SHARE 0.01

bool
tp_torch_comm_partly_hidden(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return s != NULL &&
		s->class_mean_ps[TP_CLASS_COLLECTIVE] - tp_torch_comm_exposed_ps(c) >=
		LEAST_HIDDEN_SHARE * s->time.mean;
}

double
tp_torch_comm_late_share(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c)
{
	return c == NULL || !(c->step_mean_ps > 0)
		? NAN
		: tp_torch_comm_saving_ps(ctx, c) / whole_step_ps(ctx, c);
}

static const char *
part_id(const struct tp_pass_ctx *ctx, enum tp_torch_comm_part part)
{
	return tp_arena_printf(ctx->keep, "torch.comm.%s_us", tp_torch_comm_part_info(part)->key).ptr;
}

/* Each collective counts once for every worker. */
static double
sum_bytes(const struct tp_torch_comm *c)
{
	double bytes = 0;

	for (size_t i = 0; i < c->sum_count; i++)
		bytes += c->sums[i].bytes;
	return bytes;
}

static bool
all_sized(const struct tp_torch_comm *c)
{
	for (size_t i = 0; i < c->sum_count; i++) {
		if (c->sums[i].sized != c->sums[i].calls &&
			c->ops[c->sums[i].op].kind != TP_TORCH_COMM_IS_BARRIER)
			return false;
	}
	return true;
}

static void
metrics_of_trace(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, uint32_t trace,
	struct tp_doc *doc)
{
	const struct tp_torch_comm_trace *t = &c->traces[trace];
	struct tp_scope scope = tp_torch_scope(ctx, ctx->profile->torch->traces[trace]);
	struct tp_slice alone = TP_S(why_worker_not_matched);

	for (int k = 0; k < TP_TORCH_COMM_PART_COUNT; k++) {
		enum tp_torch_comm_part part = (enum tp_torch_comm_part)k;

		tp_doc_metric_for(doc, part_id(ctx, part), scope,
			tp_torch_comm_part_value(ctx, c, trace, part), TP_S(""));
	}
	tp_doc_metric_for(doc, "torch.comm.calls", scope, tp_count(t->call_count), TP_S(""));
	tp_doc_metric_for(doc, "torch.comm.last_share", scope,
		tp_share((double)t->came_last, (double)t->joined, alone), TP_S(""));
	tp_doc_metric_for(doc, "torch.comm.late_us", scope,
		t->joined != 0 && t->steps != 0 ? tp_number(t->lead_ps / t->steps / 1e6, TP_UNIT_US)
										: tp_missing(alone),
		TP_S(""));
	tp_doc_metric_for(doc, "torch.comm.clock_us", scope,
		t->clock_count != 0 ? tp_number(t->clock_ps / 1e6, TP_UNIT_US) : tp_missing(alone),
		TP_S(""));
}

static void
register_others(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_slice skipped)
{
	bool late = c != NULL && c->straggler != TP_NONE;
	struct tp_value none = tp_missing(c == NULL ? skipped : TP_S(why_none_matched));

	tp_say_metric(doc, "torch.comm.calls", "Collectives",
		c != NULL ? tp_count(c->calls) : tp_missing(skipped),
		"calls of all workers and spans, including sends, receives and barriers");
	tp_say_metric(doc, "torch.comm.unmatched_calls", "Unmatched collectives",
		c != NULL ? tp_count(c->unmatched) : tp_missing(skipped),
		"calls that move data and whose other workers are unknown; excluding sends and receives");
	tp_say_metric(doc, "torch.comm.messages", "Sends and receives",
		c != NULL ? tp_count(c->messages) : tp_missing(skipped), "calls of all workers and spans");
	tp_say_metric(doc, "torch.comm.unmatched_messages", "Unmatched sends and receives",
		c != NULL ? tp_count(c->lone) : tp_missing(skipped),
		"calls whose other side is unknown, not in this report, or not the same message");
	tp_doc_metric(doc, TP_S("torch.comm.bytes"), "Bytes passed to collectives",
		c == NULL              ? tp_missing(skipped)
			: c->calls == 0    ? tp_integer(0, TP_UNIT_BYTES)
			: sum_bytes(c) > 0 ? tp_number(sum_bytes(c), TP_UNIT_BYTES)
							   : tp_missing(TP_S(why_no_sizes)),
		TP_S("Σ over calls of elements × size of each worker's message; elements from the "
			 "collective's arguments, else from tensor shapes"),
		c != NULL && sum_bytes(c) > 0 && !all_sized(c) ? TP_S("of calls with known size")
													   : TP_S(""));
	tp_say_metric(doc, "torch.comm.straggler.name", "Straggler",
		late ? tp_text_value(ctx->profile->torch->traces[c->straggler]->worker) : none,
		"the worker with the largest sum of its delays behind the second-to-last worker in "
		"starting collectives");
	tp_say_metric(doc, "torch.comm.straggler.cost_us", "Cost of the straggler",
		late ? tp_number(cost_ps(ctx, c) / 1e6, TP_UNIT_US) : none,
		"per step: its delay behind the second-to-last worker, clocks aligned; capped at the "
		"others' exposed communication");
	tp_say_metric(doc, "torch.comm.straggler.saving_us", "Saving without the straggler",
		late ? tp_number(tp_torch_comm_saving_ps(ctx, c) / 1e6, TP_UNIT_US) : none,
		"per step, at most: torch.comm.straggler.cost_us, capped at the exposed communication of a "
		"mean step and at the waiting in it, over all workers");
	tp_say_metric(doc, "torch.comm.straggler.wait_us", "Waiting for the straggler",
		late ? tp_number(c->straggler_wait_ps / 1e6, TP_UNIT_US) : none,
		"per step: mean over the other workers, in collectives that it enters last");
	tp_say_metric(doc, "torch.comm.late_us", "Delay behind the second-to-last worker",
		late ? tp_number(c->straggler_lead_ps / 1e6, TP_UNIT_US) : none,
		"per step, in starting collectives, of the worker with the most; clocks aligned by the "
		"ends of collectives");
	tp_say_metric(doc, "torch.comm.last_share", "Collectives that a worker enters last",
		late ? tp_share((double)c->traces[c->straggler].came_last,
				   (double)c->traces[c->straggler].joined, TP_S(""))
			 : none,
		"of those matched within steps; without a scope: of the straggler");
	tp_say_metric(doc, "torch.comm.clock_us", "Clock offsets of workers",
		c != NULL && isfinite(tp_torch_comm_clock_range_ps(c))
			? tp_number(tp_torch_comm_clock_range_ps(c) / 1e6, TP_UNIT_US)
			: none,
		"median offset from the median worker at the ends of the same collectives, or from "
		"messages in both directions; without a scope: max − min");
}

void
tp_torch_comm_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const char *const scoped[] = {
		"torch.comm.calls", "torch.comm.last_share", "torch.comm.late_us", "torch.comm.clock_us"};
	const struct tp_torch_comm *c = result;
	struct tp_slice skipped = tp_skipped_itself(ctx);
	struct tp_slice partly = TP_S("");

	if (c != NULL && tp_torch_comm_absent(c) != 0)
		partly =
			tp_arena_printf(ctx->keep, "%u of %lld workers", c->workers, (long long)c->world_size);
	for (int k = 0; k < TP_TORCH_COMM_PART_COUNT; k++) {
		enum tp_torch_comm_part part = (enum tp_torch_comm_part)k;
		const struct tp_torch_comm_part_info *info = tp_torch_comm_part_info(part);

		tp_doc_metric(doc, tp_slice_of(part_id(ctx, part)),
			tp_arena_printf(ctx->keep, "Distributed: %s", info->label).ptr,
			c != NULL ? tp_torch_comm_part_value(ctx, c, TP_NONE, part) : tp_missing(skipped),
			tp_arena_printf(
				ctx->keep, "%s; mean over the workers of the steps in step.count", info->how),
			partly);
		tp_doc_metric_scopes(doc, part_id(ctx, part), "@worker,span");
	}
	register_others(ctx, c, doc, skipped);
	for (size_t i = 0; i < sizeof scoped / sizeof *scoped; i++)
		tp_doc_metric_scopes(doc, scoped[i], "@worker,span");
	for (uint32_t i = 0; c != NULL && i < c->trace_count; i++)
		metrics_of_trace(ctx, c, i, doc);
}
