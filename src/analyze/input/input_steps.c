/* The wait for input step by step: its spread over steps, and a strip of them. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/say.h"
#include "analyze/input/input_columns.h"
#include "analyze/input/input_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "report/draft.h"

#include <math.h>
#include <stdint.h>

/* Columns of the strip of steps. */
enum { MOST_COLUMNS = 240 };

static struct tp_value
figure(double number, enum tp_unit unit)
{
	return isfinite(number) ? tp_number(number, unit) : tp_missing(TP_S(why_single_step));
}

static void
spread_row(struct tp_draft *draft, const char *key, const char *what, const struct tp_stats *t,
	double scale, enum tp_unit unit)
{
	struct spread_cells *cells = tp_draft_row_of(draft, tp_slice_of(key), TP_ROW_NORMAL, 0, NULL);

	cells->what.value = tp_text_value(tp_slice_of(what));
	cells->mean.value = figure(t->mean * scale, unit);
	cells->sd.value = figure(t->sd * scale, unit);
	cells->min.value = figure(t->min * scale, unit);
	cells->max.value = figure(t->max * scale, unit);
}

static void
spread_table(const struct tp_steps *steps, struct tp_doc *doc, struct tp_block *parent)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, "input-pipeline/steps", spread_columns);

	spread_row(&draft, "time", "Step time", &steps->time, 1e-9, TP_UNIT_MS);
	spread_row(&draft, "wait", steps->source->of_cores ? "Waiting, worst core" : "Waiting",
		&steps->all.worst_input, 1, TP_UNIT_SHARE);
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		steps->source->of_cores ? TP_S(caption_steps_worst) : TP_S(caption_steps);
}

/* The steps that are drawn: of several in a row the one that waits most. */
static size_t
pick(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, const struct tp_step ***shown)
{
	size_t each = (steps->count + MOST_COLUMNS - 1) / MOST_COLUMNS, count = 0;

	*shown = tp_new_array(ctx->scratch, const struct tp_step *, MOST_COLUMNS);
	for (size_t i = 0; i < steps->count; i += each) {
		const struct tp_step *most = &steps->steps[i];

		for (size_t k = i; k < i + each && k < steps->count; k++) {
			if (steps->steps[k].input_share_max > most->input_share_max)
				most = &steps->steps[k];
		}
		(*shown)[count++] = most;
	}
	return count;
}

static struct tp_slice
chart_alt(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, size_t points)
{
	return tp_arena_printf(ctx->keep, text_strip_alt, steps->count,
		steps->timelines > 1 ? text_strip_most : "",
		TP_ARG(tp_say_value(ctx, tp_number(steps->all.worst_input.min, TP_UNIT_SHARE))),
		TP_ARG(tp_say_value(ctx, tp_number(steps->all.worst_input.max, TP_UNIT_SHARE))),
		points < steps->count ? text_column_of_several : "");
}

/* Waits of a smaller share are told as less than 0.1 %. */
#define LEAST_SHARE 0.001

/* A column a step: what all cores wait at least, and on it how much more the core waits that waits most. */
static void
strip(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, struct tp_doc *doc,
	struct tp_block *parent)
{
	const struct tp_step **shown;
	size_t points = pick(ctx, steps, &shown);
	double most = 0;

	for (size_t i = 0; i < points; i++)
		most = fmax(most, shown[i]->input_share_max);
	/* Columns of what rounds to nothing would fill the plot. */
	if (most < LEAST_SHARE)
		return;
	struct tp_chart *chart =
		&tp_doc_add(doc, parent, TP_BLOCK_CHART, TP_S("input-pipeline/strip"))->chart;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, points);
	double *least = tp_new_array(ctx->keep, double, points);
	double *more = tp_new_array(ctx->keep, double, points);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, 2);
	bool several = steps->timelines > 1;

	for (size_t i = 0; i < points; i++) {
		labels[i] = shown[i]->name;
		least[i] = shown[i]->input_share_min;
		more[i] = shown[i]->input_share_max - shown[i]->input_share_min;
	}
	series[0] = (struct tp_series){.key = TP_S("least"),
		.label = several ? tp_arena_printf(ctx->keep, "every %s waits", steps->source->timeline)
						 : TP_S("waits for input"),
		.hue = TP_HUE_INPUT,
		.values = least};
	series[1] = (struct tp_series){.key = TP_S("more"),
		.label = tp_arena_printf(ctx->keep, "some %s wait", steps->source->timelines),
		.hue = TP_HUE_INPUT,
		.tint = 2,
		.values = more};
	*chart = (struct tp_chart){.kind = TP_CHART_STRIP,
		.alt = chart_alt(ctx, steps, points),
		.unit = TP_UNIT_SHARE,
		.series = series,
		.series_count = several ? 2 : 1,
		.labels = labels,
		.point_count = points,
		.marked = SIZE_MAX,
		.legend = several};
}

void
tp_input_steps(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, struct tp_doc *doc,
	struct tp_block *section)
{
	if (steps == NULL || !(steps->input_share > 0))
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "input-pipeline/device", title_steps);

	spread_table(steps, doc, part);
	if (steps->count < 2)
		return;
	strip(ctx, steps, doc, part);
	tp_doc_paragraph(
		doc, part, TP_PARAGRAPH_SMALL, "input-pipeline/by-step", TP_SAY0(doc, text_by_step));
}
