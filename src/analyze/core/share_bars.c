/* A bar chart with one series a class of time, so that each bar has the colour of its class. */
#include "analyze/core/share_bars.h"

#include "base/arena.h"

/* Shorter bars cannot be seen. */
#define LEAST_SHOWN 0.0005
enum { MOST_SHOWN = 8 };

static size_t
add_series(const struct tp_pass_ctx *ctx, const struct tp_share_bar *bars, size_t count,
	int64_t whole_ps, struct tp_slice label, struct tp_series *series)
{
	size_t series_count = 0;

	for (enum tp_hue hue = TP_HUE_NONE + 1; hue <= TP_HUE_IDLE; hue++) {
		double *values = tp_new_array(ctx->keep, double, count);
		bool any = false;

		for (size_t i = 0; i < count; i++) {
			if (bars[i].hue != hue)
				continue;
			values[i] = whole_ps > 0 ? (double)bars[i].time_ps / (double)whole_ps : 0;
			any = true;
		}
		if (any)
			series[series_count++] = (struct tp_series){
				.key = tp_hue_name(hue), .label = label, .hue = hue, .values = values};
	}
	return series_count;
}

void
tp_share_bars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const char *id, const struct tp_share_bar *bars, size_t count, int64_t whole_ps,
	const char *what, const char *of)
{
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, TP_HUE_IDLE + 1);
	size_t shown = 0;
	char buf[TP_VALUE_BUF];

	while (shown < count && shown < MOST_SHOWN &&
		(shown == 0 || (double)bars[shown].time_ps >= LEAST_SHOWN * (double)whole_ps))
		shown++;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, shown);

	for (size_t i = 0; i < shown; i++)
		labels[i] = bars[i].label;
	struct tp_slice first =
		tp_value_text(tp_share((double)bars[0].time_ps, (double)whole_ps, TP_S("no time")), buf);
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;

	*chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep,
			"Share of %s: the %zu longest %s; the first, %.*s, takes %.*s.", of, shown, what,
			TP_ARG(labels[0]), TP_ARG(first)),
		.unit = TP_UNIT_SHARE,
		.series = series,
		.series_count =
			add_series(ctx, bars, shown, whole_ps, tp_arena_printf(ctx->keep, "of %s", of), series),
		.labels = labels,
		.point_count = shown,
		.marked = SIZE_MAX,
	};
}
