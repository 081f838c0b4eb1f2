/* Steps in tables: by class of time, the TPU page's figures, and step by step. */
#include "analyze/steps/steps_section.h"

#include "analyze/core/say.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps_columns.h"
#include "analyze/steps/steps_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

static struct tp_stats
in_ms(struct tp_stats ps)
{
	return (struct tp_stats){.count = ps.count,
		.mean = ps.mean / 1e9,
		.sd = ps.sd / 1e9,
		.min = ps.min / 1e9,
		.max = ps.max / 1e9,
		.p50 = ps.p50 / 1e9,
		.p95 = ps.p95 / 1e9};
}

static struct class_cells *
class_row(struct tp_draft *draft, struct tp_slice key, struct tp_slice name, enum tp_row_role role,
	struct tp_stats ps, double step_ps, double slowest_ps)
{
	struct class_row row = {
		.name = name,
		.ms = in_ms(ps),
		.share = step_ps > 0 ? ps.mean / step_ps : NAN,
		.slowest_ms = slowest_ps / 1e9,
		.more_ms = (slowest_ps - ps.p50) / 1e9,
	};

	if (ps.count < 2)
		row = (struct class_row){
			name, {1, row.ms.mean, NAN, NAN, NAN, NAN, NAN}, row.share, NAN, NAN};
	return tp_draft_row_of(draft, key, role, 0, &row);
}

void
tp_step_class_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "steps/classes", class_columns);
	double *values = tp_new_array(ctx->scratch, double, s->count);
	const struct tp_step *slowest = &s->steps[s->slowest];

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);

		if (!(tp_step_part_mean_ps(s, k) > 0))
			continue;
		for (size_t i = 0; i < s->count; i++)
			values[i] = tp_step_part_ps(&s->steps[i], k);
		struct class_cells *cells = class_row(&draft, tp_slice_of(part.key),
			tp_slice_of(part.label), TP_ROW_NORMAL, tp_stats_of(values, s->count, ctx->scratch),
			s->time.mean, tp_step_part_ps(slowest, k));

		cells->name.swatch = cells->share.swatch = part.hue;
		cells->name.tint = cells->share.tint = (unsigned)part.tint;
	}
	struct class_cells *total = class_row(
		&draft, TP_S("step"), TP_S("Step"), TP_ROW_TOTAL, s->time, s->time.mean, slowest->time_ps);

	total->mean.metric = TP_S("step.time.mean_ms");
	if (s->count > 1) {
		total->min.metric = TP_S("step.time.min_ms");
		total->p50.metric = TP_S("step.time.p50_ms");
		total->p95.metric = TP_S("step.time.p95_ms");
		total->max.metric = TP_S("step.time.max_ms");
	}
	char steps[TP_VALUE_BUF];
	struct tp_slice n = tp_value_text(tp_count(s->count), steps);

	struct tp_slice caption = tp_arena_printf(ctx->keep, caption_classes,
		s->inferred ? text_an_inferred_step : text_a_step, TP_ARG(tp_steps_of_whom(ctx, s).text),
		tp_steps_end_with_slowest(s) ? text_to_slowest : "");

	if (s->count > 1)
		caption = tp_arena_printf(ctx->keep, "%.*s; %.*s %s", TP_ARG(caption), TP_ARG(n),
			tp_plural(s->count, "step", "steps"));
	if (s->count > 1 && !tp_steps_equal(s))
		caption =
			tp_arena_printf(ctx->keep, caption_slowest, TP_ARG(caption), TP_ARG(slowest->name));
	tp_draft_finish(&draft, SIZE_MAX)->caption = caption;
}

static void
tpu_row(struct tp_draft *draft, const char *id, const char *metric, const struct tpu_row *row)
{
	struct tpu_cells *cells = tp_draft_row_of(draft, tp_slice_of(id), TP_ROW_NORMAL, 0, row);

	cells->mean.metric = tp_slice_of(metric);
}

/* Over all steps, with their metrics and how each part is taken; or over whole ones. */
static void
tpu_table(struct tp_doc *doc, struct tp_block *fold, const char *id,
	const struct tp_step_stats *stats, bool all, struct tp_slice caption)
{
	size_t columns = TP_COLUMN_OF(struct tpu_cells, how) + all;
	struct tp_draft draft = tp_draft_table(doc, fold, id, tpu_columns, columns);

	tpu_row(&draft, "step", all ? "step.time.mean_ms" : "step.time.whole.mean_ms",
		&(struct tpu_row){TP_S("Step"), TP_S(text_step_over_cores), in_ms(stats->time)});
	for (int i = 0; i < TP_TPU_PART_COUNT; i++) {
		const struct tp_tpu_part_info *part = tp_tpu_part_info((enum tp_tpu_part)i);

		tpu_row(&draft, part->id, all ? part->id : "",
			&(struct tpu_row){
				tp_slice_of(part->label), tp_slice_of(part->how), in_ms(stats->tpu[i])});
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = caption;
}

void
tp_step_tpu_tables(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "steps/tpu-page", title_tpu);

	fold->section.off_paper = true;
	tpu_table(doc, fold, "steps/tpu", &s->all, true, TP_S(caption_tpu));
	if (s->open_count != 0)
		tpu_table(doc, fold, "steps/tpu-whole", &s->whole, false,
			tp_arena_printf(ctx->keep, caption_tpu_whole, s->whole.count,
				tp_plural(s->whole.count, "step", "steps")));
}

struct tp_slice
tp_steps_timeline_name(const struct tp_pass_ctx *ctx, const struct tp_steps *s, uint32_t timeline)
{
	const struct tp_profile *p = ctx->profile;

	if (s->cores == NULL)
		return p->hosts[timeline].name;
	struct tp_slice name = tp_say_device(ctx, s->cores[timeline].device);

	if (p->host_count == 1)
		return name;
	return tp_arena_printf(
		ctx->keep, "%.*s %.*s", TP_ARG(p->hosts[s->cores[timeline].host].name), TP_ARG(name));
}

static struct tp_slice
cut_text(const struct tp_step *step)
{
	return step->open_start && step->open_end ? TP_S(text_cut_both)
		: step->open_start                    ? TP_S(text_cut_start)
		: step->open_end                      ? TP_S(text_cut_end)
											  : TP_S("");
}

enum { MOST_EACH = 2000 }; /* steps in the table of each */

/* Columns of each step: name and time, the parts of the TPU page or the classes, the range of waiting for input. */
struct each {
	struct tp_column *columns;
	size_t count;
	bool tpu_page;
	size_t parts[TP_STEP_PART_COUNT + TP_TPU_PART_COUNT]; /* that are ever above 0 */
	size_t part_count;
	bool several, cut;
};

static void
add(struct each *e, struct tp_column column)
{
	e->columns[e->count++] = column;
}

static void
plan_parts(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct each *e)
{
	for (size_t k = 0; k < (e->tpu_page ? (size_t)TP_TPU_PART_COUNT : TP_STEP_PART_COUNT); k++) {
		struct tp_column column = MS_COLUMN("", "");

		if (e->tpu_page) {
			const struct tp_tpu_part_info *part = tp_tpu_part_info((enum tp_tpu_part)k);

			column.key = tp_slice_from(tp_slice_of(part->id), strlen("step.tpu."));
			column.title = tp_slice_of(part->label);
		} else {
			column.key = tp_arena_printf(ctx->keep, "%s_ms", tp_step_part(k).key);
			column.title = tp_slice_of(tp_step_part(k).label);
		}
		if (!((e->tpu_page ? s->all.tpu[k].max : tp_step_part_mean_ps(s, k)) > 0))
			continue;
		e->parts[e->part_count++] = k;
		add(e, column);
	}
}

static struct each
plan_columns(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	struct each e = {
		.columns =
			tp_new_array(ctx->keep, struct tp_column, TP_STEP_PART_COUNT + TP_TPU_PART_COUNT + 8),
		.tpu_page = s->source->of_cores,
		.several = s->timelines > 1,
		.cut = s->open_count != 0,
	};

	add(&e, step_column);
	add(&e, time_ms_column);
	if (e.several)
		add(&e,
			(struct tp_column){.key = TP_S("slowest"),
				.title = tp_arena_printf(ctx->keep, title_slowest_column, s->source->timeline)});
	plan_parts(ctx, s, &e);
	if (e.several) {
		add(&e, input_least_share_column);
		add(&e, input_mean_share_column);
		add(&e, input_most_share_column);
		add(&e, waits_most_column);
	} else {
		add(&e, input_share_column);
	}
	if (e.cut)
		add(&e, cut_column);
	return e;
}

static struct tp_value
input_share(const struct tp_steps *s, double share)
{
	return s->shows_input ? tp_number(share, TP_UNIT_SHARE)
						  : tp_missing(s->source->input_unseen.why);
}

static void
each_row(const struct tp_pass_ctx *ctx, const struct tp_steps *s, const struct each *e,
	const struct tp_step *step, struct tp_cell *cell)
{
	cell++->value = tp_text_value(step->name);
	cell++->value = tp_ps_in_ms(step->time_ps);
	if (e->several)
		cell++->value = tp_text_value(tp_steps_timeline_name(ctx, s, step->slowest));
	for (size_t k = 0; k < e->part_count; k++)
		cell++->value = tp_ps_in_ms(
			e->tpu_page ? step->tpu_ps[e->parts[k]] : tp_step_part_ps(step, e->parts[k]));
	if (e->several) {
		cell++->value = input_share(s, step->input_share_min);
		cell++->value = input_share(s, step->input_share_mean);
	}
	cell++->value = input_share(s, step->input_share_max);
	if (e->several)
		cell++->value = step->input_share_max > 0
			? tp_text_value(tp_steps_timeline_name(ctx, s, step->waits_most))
			: tp_missing(s->shows_input ? TP_S(why_none_waits) : s->source->input_unseen.why);
	if (e->cut)
		cell++->value = tp_text_value(cut_text(step));
}

void
tp_step_each_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "steps/every", title_each);
	struct each e = plan_columns(ctx, s);

	fold->section.off_paper = true;
	struct tp_draft draft = tp_draft_table(doc, fold, "steps/each", e.columns, e.count);

	for (size_t i = 0; i < s->count && i < MOST_EACH; i++)
		each_row(
			ctx, s, &e, &s->steps[i], tp_draft_row(&draft, s->steps[i].name, TP_ROW_NORMAL, 0));
	tp_draft_finish(&draft, ctx->options->top)->caption = tp_arena_printf(ctx->keep, caption_each,
		s->count > MOST_EACH ? text_first_steps : text_each_step,
		e.tpu_page ? text_by_tpu_part : text_by_class,
		!s->shows_input  ? ""
			: !e.several ? text_input_one
			: e.tpu_page ? text_input_cores
						 : text_input_hosts);
}
