/* PyTorch steps by role, as the profiler's own page has them: of all workers, of each worker and span, step by step. */
#include "analyze/steps/steps_section.h"

#include "analyze/core/say.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps_columns.h"
#include "analyze/steps/steps_words.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_say.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <math.h>

enum { MOST_EACH = 2000 }; /* steps in the table of each */

static struct tp_value
us(double ps)
{
	return isfinite(ps) ? tp_number(ps / 1e6, TP_UNIT_US) : tp_missing(TP_S(why_trace_no_steps));
}

static struct tp_value
metric(const struct tp_doc *doc, struct tp_slice id)
{
	return tp_doc_find_metric(doc, id)->value;
}

/* That of its class, but copies are told from kernels as they are in charts of classes. */
static struct tp_step_part
role_look(enum tp_torch_role role)
{
	const struct tp_torch_role_info *info = tp_torch_role_info(role);
	const struct tp_class_info *class = tp_class_info(info->class);

	switch (role) {
	case TP_TORCH_ROLE_MEMCPY:
		return (struct tp_step_part){info->key, info->label, TP_HUE_MEMORY, 0};
	case TP_TORCH_ROLE_MEMSET:
		return (struct tp_step_part){info->key, info->label, TP_HUE_MEMORY, 1};
	case TP_TORCH_ROLE_KERNEL:
	case TP_TORCH_ROLE_COMMUNICATION:
	case TP_TORCH_ROLE_RUNTIME:
	case TP_TORCH_ROLE_DATALOADER:
	case TP_TORCH_ROLE_CPU:
	case TP_TORCH_ROLE_OTHER:
	case TP_TORCH_ROLE_COUNT:
		break;
	}
	return (struct tp_step_part){info->key, info->label, class->hue, class->tint};
}

/* The mean step as one bar of its roles, those that a trace could hold. */
static void
mean_chart(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *fold)
{
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, TP_TORCH_ROLE_COUNT);
	struct tp_slice *label = tp_new(ctx->keep, struct tp_slice);
	struct tp_value step = metric(doc, TP_S("torch.step.mean_us"));
	size_t count = 0;

	if (!(tp_value_in(step, TP_UNIT_US) > 0))
		return;
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
		struct tp_step_part look = role_look((enum tp_torch_role)k);
		struct tp_value mean =
			metric(doc, tp_arena_printf(ctx->scratch, "torch.step.%s_us", look.key));
		double *value = tp_new(ctx->keep, double);

		if (!tp_known(mean))
			continue;
		*value = fmax(0, tp_value_in(mean, TP_UNIT_US));
		series[count++] = (struct tp_series){.key = tp_slice_of(look.key),
			.label = tp_slice_of(look.label),
			.hue = look.hue,
			.tint = look.tint,
			.values = value};
	}
	*label = TP_S(text_mean_step);
	tp_doc_add(doc, fold, TP_BLOCK_CHART, TP_S("steps/roles/chart"))->chart = (struct tp_chart){
		.kind = TP_CHART_STACK,
		.alt = tp_arena_printf(
			ctx->keep, text_roles_alt, TP_ARG(tp_torch_all(ctx)), TP_ARG(tp_say_value(ctx, step))),
		.unit = TP_UNIT_US,
		.series = series,
		.series_count = count,
		.labels = label,
		.point_count = 1,
		.marked = SIZE_MAX,
		.legend = true,
	};
}

/* Roles by priority, over all steps of all workers. */
static void
mean_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *fold)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "steps/roles/mean", mean_columns);
	struct tp_value step = metric(doc, TP_S("torch.step.mean_us"));

	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
		const struct tp_torch_role_info *info = tp_torch_role_info((enum tp_torch_role)k);
		struct tp_slice id = tp_arena_printf(ctx->keep, "torch.step.%s_us", info->key);
		struct mean_cells *cells =
			tp_draft_row_of(&draft, tp_slice_of(info->key), TP_ROW_NORMAL, 0, NULL);

		cells->role.value = tp_text_value(tp_slice_of(info->label));
		cells->role.swatch = cells->share.swatch = role_look((enum tp_torch_role)k).hue;
		cells->role.tint = cells->share.tint = (unsigned)role_look((enum tp_torch_role)k).tint;
		cells->mean.value = metric(doc, id);
		cells->mean.metric = id;
		cells->share.value = tp_known(cells->mean.value)
			? tp_share(cells->mean.value.number, step.number, TP_S(why_no_length))
			: cells->mean.value;
		cells->when.value = tp_text_value(tp_slice_of(info->how));
	}
	struct mean_cells *total = tp_draft_row_of(&draft, TP_S("step"), TP_ROW_TOTAL, 0, NULL);

	total->role.value = tp_text_value(TP_S("Step"));
	total->mean.value = step;
	total->mean.metric = TP_S("torch.step.mean_us");
	total->share.value = tp_share(step.number, step.number, TP_S(why_no_length));
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		tp_arena_printf(ctx->keep, caption_roles, TP_ARG(tp_torch_all(ctx)));
}

/* Columns: who or which step, more, then the step and its roles. */
struct role_columns {
	struct tp_column *columns;
	size_t count;
};

static struct role_columns
role_columns(const struct tp_pass_ctx *ctx, const struct tp_column *leading, size_t count)
{
	struct role_columns c = {
		.columns = tp_new_array(ctx->keep, struct tp_column, count + TP_TORCH_ROLE_COUNT + 1),
		.count = count + 1 + TP_TORCH_ROLE_COUNT,
	};

	memcpy(c.columns, leading, count * sizeof *leading);
	c.columns[count] = (struct tp_column){
		.key = TP_S("step_us"), .title = TP_S("Step"), .unit = TP_UNIT_US, .decimals = 0};
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++) {
		const struct tp_torch_role_info *info = tp_torch_role_info((enum tp_torch_role)k);

		c.columns[count + 1 + (size_t)k] =
			(struct tp_column){.key = tp_arena_printf(ctx->keep, "%s_us", info->key),
				.title = tp_slice_of(info->label),
				.unit = TP_UNIT_US,
				.decimals = 0};
	}
	return c;
}

static void
role_cells(struct tp_cell *cell, const struct tp_torch_trace_steps *s, double step_ps,
	const double *role_ps)
{
	cell++->value = us(step_ps);
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++)
		cell++->value = s->role_known[k] ? us(role_ps[k]) : tp_missing(TP_S(why_no_role));
}

static void
worker_table(const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped,
	struct tp_doc *doc, struct tp_block *fold)
{
	const struct tp_torch *torch = ctx->profile->torch;
	struct role_columns c = role_columns(ctx, worker_columns, 2);
	struct tp_draft draft = tp_draft_table(doc, fold, "steps/roles/workers", c.columns, c.count);

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];
		struct tp_slice who = tp_torch_who(ctx, torch->traces[i]);
		struct tp_cell *cell = tp_draft_row(&draft, who, TP_ROW_NORMAL, 0);

		cell++->value = tp_text_value(who);
		cell++->value = tp_count(s->count);
		role_cells(cell, s, s->mean_ps, s->role_mean_ps);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_roles_workers);
}

static void
step_table(const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped,
	struct tp_doc *doc, struct tp_block *fold)
{
	const struct tp_torch *torch = ctx->profile->torch;
	size_t leading = torch->trace_count > 1 ? 2 : 1, rows = 0;
	struct role_columns c = role_columns(ctx, step_columns, leading);
	struct tp_draft draft = tp_draft_table(doc, fold, "steps/roles/each", c.columns, c.count);

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *s = &stepped->traces[i];
		struct tp_slice who = tp_torch_who(ctx, torch->traces[i]);

		for (uint32_t k = 0; k < s->count && rows < MOST_EACH; k++, rows++) {
			const struct tp_torch_step *step = &s->steps[k];
			double role_ps[TP_TORCH_ROLE_COUNT];
			struct tp_cell *cell = tp_draft_row(&draft,
				tp_arena_printf(ctx->keep, "%.*s/%.*s", TP_ARG(who), TP_ARG(step->name)),
				TP_ROW_NORMAL, 0);

			for (int r = 0; r < TP_TORCH_ROLE_COUNT; r++)
				role_ps[r] = (double)step->role_ps[r];
			cell++->value = tp_text_value(step->name);
			if (leading == 2)
				cell++->value = tp_text_value(who);
			role_cells(cell, s, (double)(step->end_ps - step->start_ps), role_ps);
		}
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		rows == MOST_EACH ? TP_S(caption_roles_first) : TP_S(caption_roles_each);
}

void
tp_step_torch_tables(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	(void)s;
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "steps/roles", title_roles);

	fold->section.off_paper = true;
	mean_chart(ctx, doc, fold);
	mean_table(ctx, doc, fold);
	if (ctx->profile->torch->trace_count > 1)
		worker_table(ctx, stepped, doc, fold);
	step_table(ctx, stepped, doc, fold);
}
