/* Steps in tables: by class of time, the TPU page's figures, and step by step. */
#include "analyze/steps/steps_section.h"

#include "analyze/core/say.h"
#include "analyze/steps/step_charts.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

static struct tp_value
ms(double ps, const char *reason)
{
	return isfinite(ps) ? tp_number(ps / 1e9, TP_UNIT_MS) : tp_missing(tp_slice_of(reason));
}

#define MS_COLUMN(KEY, TITLE) TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 2)

static const struct tp_column class_columns[] = {
	TP_COLUMN("class", "Class"),
	MS_COLUMN("mean_ms", "Mean"),
	TP_SHARE_COLUMN("share", "Of step", .bar = true),
	MS_COLUMN("sd_ms", "sd"),
	MS_COLUMN("min_ms", "Min"),
	MS_COLUMN("p50_ms", "p50"),
	MS_COLUMN("p95_ms", "p95"),
	MS_COLUMN("max_ms", "Max"),
	MS_COLUMN("slowest_ms", "Slowest step"),
	MS_COLUMN("slowest_more_ms", "Against p50"),
};
enum { CLASS_COLUMNS = sizeof class_columns / sizeof *class_columns };

static void
class_row(struct tp_cell *cell, struct tp_slice name, struct tp_stats t, double step_ps,
	double slowest_ps, enum tp_hue hue)
{
	cell[0].value = tp_text_value(name);
	cell[0].swatch = hue;
	cell[1].value = ms(t.mean, "");
	cell[2].value = tp_share(t.mean, step_ps, TP_S("steps have no length"));
	cell[2].swatch = hue;
	if (t.count < 2) {
		for (size_t i = 3; i < CLASS_COLUMNS; i++)
			cell[i].value = tp_missing(TP_S("of one step alone"));
		return;
	}
	cell[3].value = ms(t.sd, "");
	cell[4].value = ms(t.min, "");
	cell[5].value = ms(t.p50, "");
	cell[6].value = ms(t.p95, "");
	cell[7].value = ms(t.max, "");
	cell[8].value = ms(slowest_ps, "");
	cell[9].value = ms(slowest_ps - t.p50, "");
}

void
tp_step_class_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "steps/classes", class_columns, CLASS_COLUMNS);
	double *values = tp_new_array(ctx->scratch, double, s->count);
	const struct tp_step *slowest = &s->steps[s->slowest];

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);

		if (!(tp_step_part_mean_ps(s, k) > 0))
			continue;
		for (size_t i = 0; i < s->count; i++)
			values[i] = tp_step_part_ps(&s->steps[i], k);
		class_row(tp_draft_row(&draft, tp_slice_of(part.key), TP_ROW_NORMAL, 0),
			tp_slice_of(part.label), tp_stats_of(values, s->count, ctx->scratch), s->time.mean,
			tp_step_part_ps(slowest, k), part.hue);
	}
	struct tp_cell *total = tp_draft_row(&draft, TP_S("step"), TP_ROW_TOTAL, 0);

	class_row(total, TP_S("Step"), s->time, s->time.mean, slowest->time_ps, TP_HUE_NONE);
	total[1].metric = TP_S("step.time.mean_ms");
	if (s->count > 1) {
		total[4].metric = TP_S("step.time.min_ms");
		total[5].metric = TP_S("step.time.p50_ms");
		total[6].metric = TP_S("step.time.p95_ms");
		total[7].metric = TP_S("step.time.max_ms");
	}
	char steps[TP_VALUE_BUF], lines[TP_VALUE_BUF];
	struct tp_slice n = tp_value_text(tp_count(s->count), steps);
	struct tp_slice m = tp_value_text(tp_count(s->timelines), lines);

	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(ctx->keep,
		s->count > 1 ? "%s by class of time, mean over %.*s %s; %.*s %s; slowest: step %.*s"
					 : "%s by class of time, mean over %.*s %s",
		s->inferred ? "An inferred step" : "A step", TP_ARG(m),
		tp_plural(s->timelines, s->source->timeline, s->source->timelines), TP_ARG(n),
		tp_plural(s->count, "step", "steps"), TP_ARG(slowest->name));
}

static const struct tp_column tpu_columns[] = {
	TP_COLUMN("part", "Part"),
	MS_COLUMN("mean_ms", "Mean"),
	MS_COLUMN("sd_ms", "sd"),
	MS_COLUMN("min_ms", "Min"),
	MS_COLUMN("max_ms", "Max"),
	TP_COLUMN("how", "Over cores"),
};
enum { TPU_COLUMNS = sizeof tpu_columns / sizeof *tpu_columns };

/* how: NULL in a table without that column. */
static void
tpu_row(struct tp_draft *draft, struct tp_slice id, const char *label, struct tp_stats t,
	const char *how, struct tp_slice metric)
{
	struct tp_cell *cell = tp_draft_row(draft, id, TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(tp_slice_of(label));
	cell[1].value = ms(t.mean, "no such step");
	cell[1].metric = metric;
	cell[2].value = ms(t.sd, "one step has no deviation");
	cell[3].value = ms(t.min, "no such step");
	cell[4].value = ms(t.max, "no such step");
	if (how != NULL)
		cell[5].value = tp_text_value(tp_slice_of(how));
}

/* Over all steps, with their metrics and how each part is taken; or over whole ones. */
static void
tpu_table(struct tp_doc *doc, struct tp_block *fold, const char *id,
	const struct tp_step_stats *stats, bool all, struct tp_slice caption)
{
	struct tp_draft draft =
		tp_draft_table(doc, fold, id, tpu_columns, all ? TPU_COLUMNS : TPU_COLUMNS - 1);

	tpu_row(&draft, TP_S("step"), "Step", stats->time, all ? "maximum over cores" : NULL,
		all ? TP_S("step.time.mean_ms") : TP_S("step.time.whole.mean_ms"));
	for (int i = 0; i < TP_TPU_PART_COUNT; i++) {
		const struct tp_tpu_part_info *part = tp_tpu_part_info((enum tp_tpu_part)i);

		tpu_row(&draft, tp_slice_of(part->id), part->label, stats->tpu[i], all ? part->how : NULL,
			all ? tp_slice_of(part->id) : TP_S(""));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = caption;
}

void
tp_step_tpu_tables(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "steps/tpu-page", "The figures of the TPU page");

	fold->section.off_paper = true;
	tpu_table(doc, fold, "steps/tpu", &s->all, true,
		TP_S("Parts as the profiler's TPU page counts them: over different cores, so they need not "
			 "sum to the step"));
	if (s->open_count != 0)
		tpu_table(doc, fold, "steps/tpu-whole", &s->whole, false,
			tp_arena_printf(ctx->keep, "The same for the %zu %s that the capture does not cut",
				s->whole.count, tp_plural(s->whole.count, "step", "steps")));
}

struct tp_slice
tp_steps_timeline_name(const struct tp_pass_ctx *ctx, const struct tp_steps *s, uint32_t timeline)
{
	const struct tp_profile *p = ctx->profile;

	if (s->cores == NULL)
		return p->hosts[timeline].name;
	struct tp_slice name = p->devices[s->cores[timeline].device].name;

	if (tp_slice_starts(name, TP_S("/device:")))
		name = tp_slice_from(name, strlen("/device:"));
	if (p->host_count == 1)
		return name;
	return tp_arena_printf(
		ctx->keep, "%.*s %.*s", TP_ARG(p->hosts[s->cores[timeline].host].name), TP_ARG(name));
}

static struct tp_slice
cut_text(const struct tp_step *step)
{
	return step->open_start && step->open_end ? TP_S("at both ends")
		: step->open_start                    ? TP_S("at its beginning")
		: step->open_end                      ? TP_S("at its end")
											  : TP_S("");
}

enum { MOST_EACH = 2000 }; /* steps in the table of each */

/* Columns of each step: name and time, on a TPU the page's parts, else the classes; the range of waiting for input. */
struct each {
	struct tp_column *columns;
	size_t count, first_part;
	size_t parts[TP_STEP_PART_COUNT +
		TP_TPU_PART_COUNT]; /* parts of the TPU page, else classes, that are ever above 0 */
	size_t part_count;
	bool slowest, cut;
};

static struct each
plan_columns(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	struct each e = {.slowest = s->timelines > 1, .cut = s->open_count != 0};
	struct tp_column *c =
		tp_new_array(ctx->keep, struct tp_column, TP_STEP_PART_COUNT + TP_TPU_PART_COUNT + 8);
	size_t n = 0;

	c[n++] = (struct tp_column){.key = TP_S("step"), .title = TP_S("Step")};
	c[n++] = (struct tp_column)MS_COLUMN("time_ms", "Time");
	if (e.slowest)
		c[n++] = (struct tp_column){.key = TP_S("slowest"),
			.title = tp_arena_printf(ctx->keep, "Slowest %s", s->source->timeline)};
	e.first_part = n;
	for (size_t k = 0; s->source->of_cores && k < TP_TPU_PART_COUNT; k++) {
		const struct tp_tpu_part_info *part = tp_tpu_part_info((enum tp_tpu_part)k);

		if (!(s->all.tpu[k].max > 0))
			continue;
		struct tp_slice key = tp_slice_from(tp_slice_of(part->id), strlen("step.tpu."));

		e.parts[e.part_count++] = k;
		c[n++] = (struct tp_column){
			.key = key, .title = tp_slice_of(part->label), .unit = TP_UNIT_MS, .decimals = 2};
	}
	for (size_t k = 0; !s->source->of_cores && k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);

		if (!(tp_step_part_mean_ps(s, k) > 0))
			continue;
		e.parts[e.part_count++] = k;
		c[n++] = (struct tp_column){.key = tp_arena_printf(ctx->keep, "%s_ms", part.key),
			.title = tp_slice_of(part.label),
			.unit = TP_UNIT_MS,
			.decimals = 2};
	}
	if (e.slowest) {
		c[n++] = (struct tp_column){.key = TP_S("input_least_share"),
			.title = TP_S("Input wait, least"),
			.unit = TP_UNIT_SHARE,
			.decimals = 1};
		c[n++] = (struct tp_column){.key = TP_S("input_mean_share"),
			.title = TP_S("Mean"),
			.unit = TP_UNIT_SHARE,
			.decimals = 1};
	}
	c[n++] = (struct tp_column){.key = TP_S("input_most_share"),
		.title = e.slowest ? TP_S("Input wait, most") : TP_S("Input wait"),
		.unit = TP_UNIT_SHARE,
		.decimals = 1};
	if (e.slowest)
		c[n++] = (struct tp_column){.key = TP_S("waits_most"), .title = TP_S("Waits most")};
	if (e.cut)
		c[n++] = (struct tp_column){.key = TP_S("cut"), .title = TP_S("Cut off")};
	e.columns = c;
	e.count = n;
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
	size_t n = e->first_part;

	cell[0].value = tp_text_value(step->name);
	cell[1].value = ms(step->time_ps, "");
	if (e->slowest)
		cell[2].value = tp_text_value(tp_steps_timeline_name(ctx, s, step->slowest));
	for (size_t k = 0; k < e->part_count; k++)
		cell[n++].value =
			ms(s->source->of_cores ? step->tpu_ps[e->parts[k]] : tp_step_part_ps(step, e->parts[k]),
				"");
	if (e->slowest) {
		cell[n++].value = input_share(s, step->input_share_min);
		cell[n++].value = input_share(s, step->input_share_mean);
	}
	cell[n++].value = input_share(s, step->input_share_max);
	if (e->slowest)
		cell[n++].value = step->input_share_max > 0
			? tp_text_value(tp_steps_timeline_name(ctx, s, step->waits_most))
			: tp_missing(s->shows_input ? TP_S("none waits") : s->source->input_unseen.why);
	if (e->cut)
		cell[n++].value = tp_text_value(cut_text(step));
}

void
tp_step_each_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "steps/every", "Step by step");
	struct each e = plan_columns(ctx, s);

	fold->section.off_paper = true;
	struct tp_draft draft = tp_draft_table(doc, fold, "steps/each", e.columns, e.count);

	for (size_t i = 0; i < s->count && i < MOST_EACH; i++)
		each_row(
			ctx, s, &e, &s->steps[i], tp_draft_row(&draft, s->steps[i].name, TP_ROW_NORMAL, 0));
	tp_draft_finish(&draft, ctx->options->top)->caption = tp_arena_printf(ctx->keep,
		"%s in order, %s%s", s->count > MOST_EACH ? "The first 2,000 steps" : "Each step",
		s->source->of_cores ? "with the figures of the TPU page" : "by class of time",
		!s->shows_input  ? ""
			: !e.slowest ? "; waiting for input as a share of the step"
			: s->source->of_cores
			? "; waiting for input as a share of the step, of the core that waits least and "
			  "of the one that waits most"
			: "; waiting for input as a share of the step, of the host that waits least and of the "
			  "one that waits most");
}
