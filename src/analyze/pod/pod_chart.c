/* Charts of a distributed run: the cores of one step, and of the mean step, side by side. */
#include "analyze/pod/pod.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

#include <math.h>

/* A column a core up to here; beyond, one for several in a row. The chart of the first screen is half as wide. */
enum { MOST_COLUMNS = 240, MOST_HALF_COLUMNS = 120 };

/* The units that get a column, in order: all, or of each interval of units in a row the one with the longest own time. */
static size_t
columns(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t most, uint32_t **shown)
{
	const uint32_t *order = pod->by_number;
	size_t each = (pod->count + most - 1) / most, count = 0;

	*shown = tp_new_array(ctx->scratch, uint32_t, most);
	for (size_t i = 0; i < pod->count; i += each) {
		uint32_t slowest = order[i];

		for (size_t k = i; k < i + each && k < pod->count; k++)
			slowest = pod->units[order[k]].own_ps > pod->units[slowest].own_ps ? order[k] : slowest;
		(*shown)[count++] = slowest;
	}
	return count;
}

/* Names the columns, and outlines the straggler's. */
static void
name_columns(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const uint32_t *shown,
	struct tp_chart *chart)
{
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, chart->point_count);

	for (size_t i = 0; i < chart->point_count; i++) {
		labels[i] = tp_pod_unit_key(ctx, pod, shown[i]);
		if (tp_pod_has_straggler(pod) && shown[i] == pod->straggler.unit)
			chart->marked = i;
	}
	chart->labels = labels;
}

void
tp_pod_strip(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t at, const char *id,
	struct tp_doc *doc, struct tp_block *parent)
{
	uint32_t *shown;
	size_t points = columns(ctx, pod, MOST_COLUMNS, &shown);
	const struct tp_step *step = &pod->steps->steps[at];
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t count = tp_pod_parts(pod, parts);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, count);
	struct tp_slice time = tp_say_value(ctx, tp_ps_in_ms(step->time_ps));
	struct tp_slice what = tp_arena_printf(ctx->keep, text_step_strip, TP_ARG(step->name),
		at == pod->median_step && pod->steps->count > 1 ? text_nearest_median : "", TP_ARG(time),
		pod->cores ? "core" : "host", points < pod->count ? text_slowest_of_several : "");

	tp_doc_paragraph(doc, parent, TP_PARAGRAPH_SMALL, tp_arena_printf(ctx->keep, "%s-what", id).ptr,
		TP_SAY(doc, "{}", tp_text_value(what)));
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;

	*chart = (struct tp_chart){
		.kind = TP_CHART_STRIP,
		.alt = tp_arena_printf(ctx->keep, text_step_strip_alt, TP_ARG(what), pod->count,
			pod->cores ? "cores" : "hosts"),
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = count,
		.point_count = points,
		.marked = SIZE_MAX,
		.legend = true,
	};
	for (size_t k = 0; k < count; k++) {
		const struct tp_pod_part_info *info = tp_pod_part_info(parts[k]);
		double *values = tp_new_array(ctx->keep, double, points);

		for (size_t i = 0; i < points; i++)
			values[i] = tp_pod_part_ps(pod, at, shown[i], parts[k]) / 1e9;
		series[k] = (struct tp_series){.key = tp_slice_of(info->key),
			.label = tp_pod_part_label(pod, parts[k]),
			.hue = info->hue,
			.tint = tp_pod_part_tint(pod, parts[k]),
			.values = values};
	}
	name_columns(ctx, pod, shown, chart);
}

/* Whether the mean steps of cores look different: some part of one by so much of a step. */
static bool
cores_differ(const struct tp_pod *pod)
{
	for (int k = 0; k < TP_POD_PART_COUNT; k++) {
		double least = INFINITY, most = 0;

		for (size_t u = 0; u < pod->count; u++) {
			least = fmin(least, pod->units[u].mean_ps[k]);
			most = fmax(most, pod->units[u].mean_ps[k]);
		}
		if (most - least >= TP_POD_MEDIUM_SHARE * pod->steps->time.mean)
			return true;
	}
	return false;
}

bool
tp_pod_worth_a_chart(const struct tp_pod *pod)
{
	return pod != NULL && pod->count > 1 && (tp_steps_equal(pod->steps) || cores_differ(pod));
}

/* Which part's series a part is stacked in: the bar of the mean step does not part compute. */
static enum tp_pod_part
stacked_in(const struct tp_pod *pod, enum tp_pod_part part)
{
	bool parted = !pod->coarse && pod->precomputed_ps == NULL;

	return part == TP_POD_LOW_FLOPS && parted ? TP_POD_HIGH_FLOPS : part;
}

/* The series of a part: with those that are stacked in it, over the columns. */
static struct tp_series
mean_series(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, enum tp_pod_part part,
	const uint32_t *shown, size_t points)
{
	const struct tp_pod_part_info *info = tp_pod_part_info(part);
	bool compute = stacked_in(pod, TP_POD_LOW_FLOPS) == part && part == TP_POD_HIGH_FLOPS;
	double *values = tp_new_array(ctx->keep, double, points);

	for (size_t i = 0; i < points; i++)
		for (int k = 0; k < TP_POD_PART_COUNT; k++)
			if (stacked_in(pod, (enum tp_pod_part)k) == part)
				values[i] += pod->units[shown[i]].mean_ps[k] / 1e9;
	return (struct tp_series){.key = compute ? TP_S("compute") : tp_slice_of(info->key),
		.label = compute ? TP_S("Compute") : tp_pod_part_label(pod, part),
		.hue = info->hue,
		/* The bar above hatches waiting, too. */
		.tint = part == TP_POD_RECV ? TP_TINT_UNUSED : tp_pod_part_tint(pod, part),
		.values = values};
}

void
tp_pod_mean_strip(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, TP_POD_PART_COUNT);
	uint32_t *shown;
	size_t points = columns(ctx, pod, MOST_HALF_COLUMNS, &shown);

	*chart = (struct tp_chart){
		.kind = TP_CHART_STRIP,
		.alt = tp_arena_printf(ctx->keep, text_mean_strip_alt, pod->count,
			pod->cores ? "cores" : "hosts", points < pod->count ? text_column_of_several : ""),
		.unit = TP_UNIT_MS,
		.series = series,
		.point_count = points,
		.marked = SIZE_MAX,
	};
	for (int k = 0; k < TP_POD_PART_COUNT; k++) {
		struct tp_series part = mean_series(ctx, pod, (enum tp_pod_part)k, shown, points);
		double sum = 0;

		for (size_t i = 0; i < points; i++)
			sum += part.values[i];
		if (sum > 0)
			series[chart->series_count++] = part;
	}
	name_columns(ctx, pod, shown, chart);
}
