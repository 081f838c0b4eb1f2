/* Headline figures of communication: over all workers, and by worker and span. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

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
	struct tp_slice alone = TP_S("no collective of this worker was matched with another's");

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
	struct tp_value none =
		tp_missing(c == NULL ? skipped : TP_S("no collective was matched over several workers"));

	tp_doc_metric(doc, TP_S("torch.comm.calls"), "Collectives",
		c != NULL ? tp_count(c->calls) : tp_missing(skipped),
		TP_S("calls of all workers and spans, sends, receives and barriers included"), TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.unmatched_calls"), "Collectives that were not matched",
		c != NULL ? tp_count(c->unmatched) : tp_missing(skipped),
		TP_S(
			"calls that move data and whose other workers are not known; sends and receives do not "
			"count here"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.messages"), "Sends and receives",
		c != NULL ? tp_count(c->messages) : tp_missing(skipped),
		TP_S("calls of all workers and spans"), TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.unmatched_messages"),
		"Sends and receives that were not matched",
		c != NULL ? tp_count(c->lone) : tp_missing(skipped),
		TP_S("calls whose other side is not told, not in this report, or not the same message"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.bytes"), "Bytes given to collectives",
		c == NULL           ? tp_missing(skipped)
			: c->calls == 0 ? tp_integer(0, TP_UNIT_BYTES)
			: sum_bytes(c) > 0
			? tp_number(sum_bytes(c), TP_UNIT_BYTES)
			: tp_missing(TP_S("the traces tell no sizes of collectives (record_shapes=True)")),
		TP_S("elements × their size, of each worker's own message, over all calls; elements as the "
			 "collective's arguments tell, else the shapes of its tensors"),
		c != NULL && sum_bytes(c) > 0 && !all_sized(c) ? TP_S("of those calls whose size is told")
													   : TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.straggler.name"), "The worker that comes last",
		late ? tp_text_value(ctx->profile->torch->traces[c->straggler]->worker) : none,
		TP_S(
			"the worker with the largest sum of what it begins collectives later than the last but "
			"one"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.straggler.cost_us"), "Cost of the worker that comes last",
		late ? tp_number(tp_torch_comm_saving_ps(ctx, c) / 1e6, TP_UNIT_US) : none,
		TP_S("a step: what it comes later than the last but one, clocks aligned; no more than the "
			 "communication that the others do not hide"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.straggler.wait_us"),
		"Waiting for the worker that comes last",
		late ? tp_number(c->straggler_wait_ps / 1e6, TP_UNIT_US) : none,
		TP_S("a step: mean over the other workers, in collectives to which it comes last"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.late_us"), "Begin of collectives after the last but one",
		late ? tp_number(c->straggler_lead_ps / 1e6, TP_UNIT_US) : none,
		TP_S(
			"a step, of the worker with the most of it; clocks aligned by the ends of collectives"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.last_share"), "Collectives to which a worker comes last",
		late ? tp_share((double)c->traces[c->straggler].came_last,
				   (double)c->traces[c->straggler].joined, TP_S(""))
			 : none,
		TP_S("of those matched within steps; without a scope: of the worker that costs most"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.comm.clock_us"), "Clocks of workers",
		c != NULL && isfinite(tp_torch_comm_clock_range_ps(c))
			? tp_number(tp_torch_comm_clock_range_ps(c) / 1e6, TP_UNIT_US)
			: none,
		TP_S("median of how much later than the median worker it ends the same collectives, or "
			 "what messages in both directions tell; without a scope: from the least to the most"),
		TP_S(""));
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
				ctx->keep, "%s; mean over all steps of all workers and spans", info->how),
			partly);
		tp_doc_metric_scopes(doc, part_id(ctx, part), "@worker,span");
	}
	register_others(ctx, c, doc, skipped);
	for (size_t i = 0; i < sizeof scoped / sizeof *scoped; i++)
		tp_doc_metric_scopes(doc, scoped[i], "@worker,span");
	for (uint32_t i = 0; c != NULL && i < c->trace_count; i++)
		metrics_of_trace(ctx, c, i, doc);
}
