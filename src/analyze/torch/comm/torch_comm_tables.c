/* Tables by worker: devices, parts of a step, who comes last; and every step. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/core/say.h"
#include "analyze/torch/comm/torch_comm_columns.h"
#include "analyze/torch/comm/torch_comm_words.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <math.h>

/* Rows of steps; a run of 512 workers with 100 steps has more than a page should hold. */
enum { MOST_STEPS = 5000 };

static const struct tp_torch_trace *
trace_at(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	return ctx->profile->torch->traces[trace];
}

static struct tp_slice
row_key(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	return tp_arena_printf(ctx->keep, "%.*s.%u", TP_ARG(trace_at(ctx, trace)->worker),
		trace_at(ctx, trace)->span_number);
}

/* Numbers of processes where names have none: by the order of the node's workers, as torch-tb-profiler counts. */
static void
gpu_row(const struct tp_pass_ctx *ctx, struct tp_draft *draft, uint32_t trace, uint32_t gpu,
	unsigned process)
{
	const struct tp_torch_trace *t = trace_at(ctx, trace);
	struct tp_slice host = tp_torch_comm_host(ctx, trace);
	struct tp_slice key = gpu != TP_NONE
		? tp_arena_printf(ctx->keep, "%.*s.gpu%u", TP_ARG(t->worker), gpu)
		: t->worker;
	struct gpu_cells *cells = tp_draft_row_of(draft, key, TP_ROW_NORMAL, 0, t);

	cells->process.value =
		tp_text_value(t->process.len != 0 ? t->process : tp_arena_printf(ctx->keep, "%u", process));
	cells->host.value = host.len != 0 ? tp_text_value(host) : tp_missing(TP_S(why_no_host));
	cells->rank.value = t->distributed.rank >= 0 ? tp_count((uint64_t)t->distributed.rank)
												 : tp_missing(TP_S(why_no_rank));
	if (gpu == TP_NONE) {
		cells->gpu.value = cells->name.value = cells->memory.value = cells->capability.value =
			tp_missing(TP_S(why_no_device_work));
		return;
	}
	cells->gpu.value = tp_text_value(tp_arena_printf(ctx->keep, "GPU %u", gpu));
	tp_torch_gpu_described(ctx, tp_torch_gpu_device(ctx->profile, t, gpu), &cells->name,
		&cells->memory, &cells->capability);
}

/* Whether a trace says more of a worker than its name. */
static bool
any_known(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		uint32_t *gpus = tp_new_array(ctx->scratch, uint32_t, torch->traces[i]->lane_count);

		if (torch->traces[i]->distributed.rank >= 0 || tp_torch_comm_host(ctx, i).len != 0 ||
			tp_torch_gpus_of(torch->traces[i], gpus) != 0)
			return true;
	}
	return false;
}

static void
gpu_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_torch *torch = ctx->profile->torch;

	if (torch->trace_count == 1 && !any_known(ctx))
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/devices", gpu_columns);
	unsigned process = 0;
	bool any = false;

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];
		uint32_t *gpus = tp_new_array(ctx->scratch, uint32_t, t->lane_count);
		size_t count = tp_torch_gpus_of(t, gpus);

		/* Spans of a worker run on the same devices. */
		if (i != 0 && tp_slice_eq(torch->traces[i - 1]->worker, t->worker))
			continue;
		any |= count != 0;
		for (size_t k = 0; k < count; k++)
			gpu_row(ctx, &draft, i, gpus[k], process);
		if (count == 0)
			gpu_row(ctx, &draft, i, TP_NONE, process);
		process++;
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		any ? TP_S(caption_gpus) : TP_S(caption_no_gpus);
}

static void
fill_parts(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, uint32_t trace,
	double step_ps, const double *part_ps, struct part_cells *cells)
{
	cells->step.value = isfinite(step_ps) ? tp_ps_in_ms(step_ps) : tp_missing(TP_S(why_no_steps));
	for (int k = 0; k < TP_TORCH_COMM_PART_COUNT; k++) {
		struct tp_torch_comm_look look = tp_torch_comm_part_look(ctx, (enum tp_torch_comm_part)k);
		struct tp_value mean = tp_torch_comm_part_value(ctx, c, trace, (enum tp_torch_comm_part)k);

		cells->parts[k].value = tp_known(mean) ? tp_ps_in_ms(part_ps[k]) : mean;
		cells->parts[k].swatch = k < TP_TORCH_COMM_TRANSFER ? look.hue : TP_HUE_NONE;
		cells->parts[k].tint = (unsigned)look.tint;
	}
}

static void
name_row(const struct tp_pass_ctx *ctx, uint32_t trace, struct trace_cells *cells)
{
	cells->worker.value = tp_text_value(trace_at(ctx, trace)->worker);
	cells->span.value =
		tp_text_value(tp_arena_printf(ctx->keep, "%u", trace_at(ctx, trace)->span_number));
}

static void
worker_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	size_t steps = 0;

	for (uint32_t i = 0; i < c->trace_count; i++)
		steps += stepped->traces[i].count;
	if (steps == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/workers", worker_columns);

	draft.adds_up = true;
	for (uint32_t i = 0; i < c->trace_count; i++) {
		const struct tp_torch_comm_trace *t = &c->traces[i];
		struct worker_cells *cells = tp_draft_row_of(&draft, row_key(ctx, i), TP_ROW_NORMAL, 0, t);

		name_row(ctx, i, &cells->trace);
		fill_parts(ctx, c, i, stepped->traces[i].mean_ps, t->mean_ps, &cells->parts);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_workers);
}

static void
step_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	size_t rows = 0, all = 0;

	for (uint32_t i = 0; i < c->trace_count; i++)
		all += stepped->traces[i].count;
	if (all == 0)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "distributed/by-step", title_steps);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "distributed/steps", step_columns);

	fold->section.off_paper = draft.adds_up = true;
	for (uint32_t i = 0; i < c->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];

		for (uint32_t k = 0; k < s->count && rows < MOST_STEPS; k++, rows++) {
			const struct tp_torch_step *step = &s->steps[k];
			struct step_cells *cells = tp_draft_row_of(&draft,
				tp_arena_printf(
					ctx->keep, "%.*s.%.*s", TP_ARG(row_key(ctx, i)), TP_ARG(step->name)),
				TP_ROW_NORMAL, 0, step);

			name_row(ctx, i, &cells->trace);
			fill_parts(ctx, c, i, (double)(step->end_ps - step->start_ps), c->traces[i].step_ps[k],
				&cells->parts);
		}
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = rows == all
		? TP_S(caption_steps)
		: tp_arena_printf(ctx->keep, caption_some_steps, rows, all);
}

/* Of a step, where the worker takes part in collectives of others. */
static struct tp_value
a_step(const struct tp_torch_comm_trace *t, double ps, struct tp_slice none)
{
	return t->joined != 0 && t->steps != 0 ? tp_ps_in_ms(ps / t->steps) : tp_missing(none);
}

static void
late_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_slice none = TP_S(why_worker_not_matched);
	struct tp_slice no_end = TP_S(why_no_end);

	if (c->straggler == TP_NONE && (c->one_host || !isfinite(tp_torch_comm_clock_range_ps(c))))
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/late", late_columns);
	bool has_straggler = tp_torch_comm_has_straggler(ctx, c);

	for (uint32_t i = 0; i < c->trace_count; i++) {
		const struct tp_torch_comm_trace *t = &c->traces[i];
		struct late_cells *cells = tp_draft_row_of(&draft, row_key(ctx, i), TP_ROW_NORMAL, 0, t);

		name_row(ctx, i, &cells->trace);
		if (has_straggler &&
			tp_slice_eq(trace_at(ctx, i)->worker, trace_at(ctx, c->straggler)->worker))
			cells->trace.worker.judge = tp_say_mark_of(doc, "TPR-RANK-001");
		cells->last_share.value = tp_share((double)t->came_last, (double)t->joined, none);
		cells->others_wait.value = a_step(t, t->others_wait_ps, none);
		cells->late.value = a_step(t, t->lead_ps, none);
		cells->waits.value = a_step(t, t->own_wait_ps, none);
		cells->clock.value =
			t->clock_count != 0 ? tp_number(t->clock_ps / 1e6, TP_UNIT_US) : tp_missing(no_end);
		cells->clock_spread.value = t->clock_count != 0
			? tp_number(t->clock_spread_ps / 1e6, TP_UNIT_US)
			: tp_missing(no_end);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = c->straggler == TP_NONE
		? TP_S(caption_clocks)
		: c->one_host ? TP_S(caption_late_one_host)
					  : TP_S(caption_late);
}

void
tp_torch_comm_tables(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	struct tp_doc *doc, struct tp_block *section)
{
	worker_table(ctx, c, doc, section);
	late_table(ctx, c, doc, section);
	gpu_table(ctx, doc, section);
	step_table(ctx, c, doc, section);
}
