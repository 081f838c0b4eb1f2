/* Tables of a distributed run: what the straggler costs, it against the others, and every core. */
#include "analyze/pod/pod.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/number.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

static const struct tp_column level_columns[] = {
	TP_COLUMN("level", "The slowest"),
	TP_COLUMN("name", "Name"),
	TP_COUNT_COLUMN("steps", "Slowest in steps", TP_COUNT_FIELD(struct tp_pod_lead, steps)),
	TP_COLUMN("cost_ms", "Cost a step", .unit = TP_UNIT_MS, .decimals = 3),
	TP_SHARE_COLUMN("cost_share", "Of step"),
	TP_COLUMN("lost_ms", "All these steps", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("lost_of_hour_s", "An hour of training", .unit = TP_UNIT_S, .decimals = 0),
};
struct level_cells {
	struct tp_cell level, name, steps, cost, cost_share, lost, lost_of_hour;
};
TP_CELLS_ARE_COLUMNS(struct level_cells, level_columns);

static size_t
slowest_of(const struct tp_pod *pod, enum tp_pod_level level)
{
	size_t found = pod->count;

	for (size_t u = 0; u < pod->count; u++) {
		if (tp_pod_group(pod, level, u) == pod->leads[level].group &&
			(found == pod->count || pod->units[u].own_ps > pod->units[found].own_ps))
			found = u;
	}
	return found;
}

/* Where the core, its chip and its host cost the same, it is the core. */
static void
level_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	static const char *const names[] = {"core", "chip", "host"};
	const size_t counts[] = {pod->count, pod->chips, pod->hosts};
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/levels", level_columns);

	for (int level = pod->cores ? TP_POD_CORE : TP_POD_HOST; level < TP_POD_LEVELS; level++) {
		const struct tp_pod_lead *lead = &pod->leads[level];

		if (isnan(lead->cost_ps) || (level == TP_POD_CHIP && pod->chips == pod->count))
			continue;
		size_t unit = slowest_of(pod, (enum tp_pod_level)level);
		struct level_cells *cells =
			tp_draft_row_of(&draft, tp_slice_of(names[level]), TP_ROW_NORMAL, 0, lead);
		double share = lead->cost_ps / pod->steps->time.mean;

		cells->level.value =
			tp_text_value(tp_arena_printf(ctx->keep, "%s of %zu", names[level], counts[level]));
		if (pod->straggler.level == (enum tp_pod_level)level)
			cells->level.judge = TP_JUDGE_WARN;
		cells->name.value = tp_text_value(tp_pod_name(ctx, pod, (enum tp_pod_level)level, unit));
		cells->cost.value = tp_pod_ms(lead->cost_ps);
		cells->cost_share.value =
			tp_share(lead->cost_ps, pod->steps->time.mean, TP_S("steps have no length"));
		cells->lost.value = tp_pod_ms(lead->cost_ps * (double)pod->steps->count);
		cells->lost_of_hour.value = tp_number(share * 3600, TP_UNIT_S);
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(ctx->keep,
		"What the slowest costs at most: a step, the %zu %s of the profile, and an hour of such "
		"steps",
		pod->steps->count, tp_plural(pod->steps->count, "step", "steps"));
}

static const struct tp_column against_columns[] = {
	TP_COLUMN("part", "Part of a mean step"),
	TP_COLUMN("straggler_ms", "Straggler", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("others_ms", "Others' median", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("more_ms", "More", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("times", "Times", .unit = TP_UNIT_TIMES, .decimals = 2),
};
struct against_cells {
	struct tp_cell part, straggler, others, more, times;
};
TP_CELLS_ARE_COLUMNS(struct against_cells, against_columns);

static struct against_cells *
against_row(
	struct tp_draft *draft, struct tp_slice id, enum tp_row_role role, double mine, double others)
{
	struct against_cells *cells = tp_draft_row_of(draft, id, role, 0, NULL);

	cells->straggler.value = tp_pod_ms(mine);
	cells->others.value = tp_pod_ms(others);
	cells->more.value = tp_pod_ms(mine - others);
	cells->times.value = others > 0 ? tp_number(mine / others, TP_UNIT_TIMES)
									: tp_missing(TP_S("the others have none"));
	return cells;
}

static void
against_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_pod_straggler *s = &pod->straggler;
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t n = tp_pod_parts(pod, parts);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/straggler", against_columns);

	for (size_t i = 0; i < n; i++) {
		const struct tp_pod_part_info *info = tp_pod_part_info(parts[i]);
		struct tp_cell *part = &against_row(&draft, tp_slice_of(info->key), TP_ROW_NORMAL,
			s->part_ps[parts[i]], s->part_others_ps[parts[i]])
									->part;

		part->value = tp_text_value(tp_pod_part_label(pod, parts[i]));
		part->swatch = info->hue;
		part->tint = (unsigned)info->tint;
	}
	against_row(&draft, TP_S("own"), TP_ROW_TOTAL, s->own_ps, s->others_ps)->part.value =
		tp_text_value(TP_S("Own time: without waiting for others"));
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(ctx->keep,
		"%.*s, the slowest, against the median of the others; mean over %zu %s",
		TP_ARG(tp_pod_name(ctx, pod, TP_POD_CORE, s->unit)), pod->steps->count,
		tp_plural(pod->steps->count, "step", "steps"));
}

static void
each_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_pod_layout l = tp_pod_lay_out(ctx, pod, false);
	struct tp_draft draft = tp_draft_table(doc, section, "distributed/cores", l.columns, l.count);
	bool named = tp_pod_has_straggler(pod);

	for (size_t i = 0; i < pod->count; i++) {
		size_t u = pod->by_own[i];
		struct tp_cell *cell = tp_draft_row(&draft, tp_pod_unit_key(ctx, pod, u), TP_ROW_NORMAL, 0);

		tp_pod_fill_row(ctx, pod, &l, u, pod->units[u].mean_ps, cell);
		if (named && u == pod->straggler.unit)
			cell->judge = TP_JUDGE_WARN;
	}
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top);

	t->numbered = true;
	t->caption = tp_arena_printf(ctx->keep, "Each %s, the slowest first; mean over %zu %s",
		pod->cores ? "core" : "host", pod->steps->count,
		tp_plural(pod->steps->count, "step", "steps"));
}

void
tp_pod_tables(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	if (tp_pod_has_straggler(pod)) {
		level_table(ctx, pod, doc, section);
		against_table(ctx, pod, doc, section);
	}
	each_table(ctx, pod, doc, section);
	tp_pod_step_tables(ctx, pod, doc, section);
}
