/* A stacked bar a host. */
#include "analyze/pod/host_chart.h"

#include "analyze/pod/hosts.h"
#include "analyze/steps/step_charts.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/doc.h"

#include <stdlib.h>

enum { MOST_HOSTS = 24 };

static int
slowest_first(const void *left, const void *right)
{
	const struct tp_host_figures *a = *(const struct tp_host_figures *const *)left,
								 *b = *(const struct tp_host_figures *const *)right;

	if (a->steps->time.mean != b->steps->time.mean)
		return a->steps->time.mean > b->steps->time.mean ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

/* The parts of which some host has any. */
static size_t
series_of(const struct tp_pass_ctx *ctx, const struct tp_host_figures *const *hosts, size_t count,
	struct tp_series *series)
{
	size_t n = 0;

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);
		double *values = tp_new_array(ctx->keep, double, count), sum = 0;

		for (size_t i = 0; i < count; i++) {
			values[i] = tp_step_part_mean_ps(hosts[i]->steps, k) / 1e9;
			values[i] = values[i] > 0 ? values[i] : 0;
			sum += values[i];
		}
		if (sum > 0)
			series[n++] = (struct tp_series){
				tp_slice_of(part.key), tp_slice_of(part.label), part.hue, part.tint, values};
	}
	return n;
}

void
tp_host_chart(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_host_figures **list =
		tp_new_array(ctx->scratch, const struct tp_host_figures *, hosts->count);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, TP_STEP_PART_COUNT);
	size_t all = 0;

	for (uint32_t i = 0; i < hosts->count; i++) {
		if (hosts->hosts[i].steps != NULL)
			list[all++] = &hosts->hosts[i];
	}
	if (all < 2)
		return;
	qsort(list, all, sizeof(const struct tp_host_figures *), slowest_first);
	size_t count = all < MOST_HOSTS ? all : MOST_HOSTS;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, count);

	for (size_t i = 0; i < count; i++)
		labels[i] = ctx->profile->hosts[list[i]->host].name;
	char buf[2][TP_VALUE_BUF];
	struct tp_block *block = tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("hosts/steps"));

	block->chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep,
			"Mean step of %s%zu hosts by class of time, the slowest first: %.*s to %.*s.",
			count < all ? "the slowest " : "", count,
			TP_ARG(tp_value_text(tp_number(list[0]->steps->time.mean / 1e9, TP_UNIT_MS), buf[0])),
			TP_ARG(tp_value_text(
				tp_number(list[count - 1]->steps->time.mean / 1e9, TP_UNIT_MS), buf[1]))),
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = series_of(ctx, list, count, series),
		.labels = labels,
		.point_count = count,
		.marked = SIZE_MAX,
		.legend = true,
	};
}
