/* Charts of a distributed run: the cores of one step side by side. */
#include "analyze/pod/pod.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

/* A column a core up to here; beyond, a column a host with its slowest core. */
enum { MOST_COLUMNS = 240 };

/* The units that get a column, in order: all, or of each interval of units in a row the one with the longest own time. */
static size_t
columns(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, uint32_t **shown)
{
	const uint32_t *order = pod->by_number;
	size_t each = (pod->count + MOST_COLUMNS - 1) / MOST_COLUMNS, count = 0;

	*shown = tp_new_array(ctx->scratch, uint32_t, MOST_COLUMNS);
	for (size_t i = 0; i < pod->count; i += each) {
		uint32_t slowest = order[i];

		for (size_t k = i; k < i + each && k < pod->count; k++)
			slowest = pod->units[order[k]].own_ps > pod->units[slowest].own_ps ? order[k] : slowest;
		(*shown)[count++] = slowest;
	}
	return count;
}

void
tp_pod_strip(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t at, const char *id,
	struct tp_doc *doc, struct tp_block *parent)
{
	uint32_t *shown;
	size_t points = columns(ctx, pod, &shown);
	const struct tp_step *step = &pod->steps->steps[at];
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t count = tp_pod_parts(pod, parts);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, count);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, points);
	struct tp_slice time = tp_say_value(ctx, tp_ps_in_ms(step->time_ps));
	struct tp_slice what = tp_arena_printf(ctx->keep,
		"Step %.*s%s (%.*s): one column per %s%s, by part of the step.", TP_ARG(step->name),
		at == pod->median_step && pod->steps->count > 1 ? ", the one nearest to the median" : "",
		TP_ARG(time), pod->cores ? "core" : "host",
		points < pod->count ? ", of several in a row the slowest" : "");

	tp_doc_paragraph(doc, parent, TP_PARAGRAPH_SMALL, tp_arena_printf(ctx->keep, "%s-what", id).ptr,
		TP_SAY(doc, "{}", tp_text_value(what)));
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;

	*chart = (struct tp_chart){
		.kind = TP_CHART_STRIP,
		.alt = tp_arena_printf(ctx->keep, "%.*s There are %zu %s.", TP_ARG(what), pod->count,
			pod->cores ? "cores" : "hosts"),
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = count,
		.labels = labels,
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
	for (size_t i = 0; i < points; i++) {
		labels[i] = tp_pod_unit_key(ctx, pod, shown[i]);
		if (tp_pod_has_straggler(pod) && shown[i] == pod->straggler.unit)
			chart->marked = i;
	}
}
