/* What of a class was paid for and not used, in charts of single steps: known only once passes above have run. */
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps_section.h"
#include "analyze/steps/steps_words.h"

#include "base/arena.h"
#include "report/doc.h"

#include <math.h>
#include <string.h>

static struct tp_chart *
chart_with_id(struct tp_doc *doc, const char *id)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.block->kind == TP_BLOCK_CHART && tp_slice_eq(w.block->id, tp_slice_of(id)))
			return &((struct tp_block *)w.block)->chart;
	}
	return NULL;
}

bool
tp_step_bar_hatches(struct tp_doc *doc, enum tp_class c)
{
	const struct tp_chart *bar = chart_with_id(doc, "summary/step/classes");

	for (size_t i = 0; bar != NULL && i < bar->series_count; i++) {
		if (tp_slice_eq(bar->series[i].key, tp_slice_of(tp_class_info(c)->key)))
			return bar->series[i].unused > 0;
	}
	return false;
}

/* shown: of each point the step that it shows. */
static void
hatch(const struct tp_pass_ctx *ctx, struct tp_chart *chart, const size_t *shown, enum tp_class c,
	const double *unused_ps)
{
	struct tp_series *all = tp_new_array(ctx->keep, struct tp_series, chart->series_count);
	double *values = tp_new_array(ctx->keep, double, chart->point_count);

	memcpy(all, chart->series, chart->series_count * sizeof *all);
	chart->series = all;
	for (size_t i = 0; i < chart->series_count; i++) {
		if (!tp_slice_eq(all[i].key, tp_slice_of(tp_class_info(c)->key)))
			continue;
		for (size_t at = 0; at < chart->point_count; at++)
			values[at] = fmin(unused_ps[shown[at]] / 1e9, all[i].values[at]);
		all[i].unused_values = values;
		all[i].unused_count = chart->point_count;
		all[i].unused_label = tp_step_unused_waiting(c);
	}
}

void
tp_step_charts_unused(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	enum tp_class c, const double *unused_ps)
{
	static const char *const strips[] = {"summary/step/strip", "steps/strip"};
	size_t *shown, pair[2];

	tp_step_columns(ctx, s, &shown);
	for (size_t i = 0; i < sizeof strips / sizeof *strips; i++) {
		struct tp_chart *strip = chart_with_id(doc, strips[i]);

		if (strip != NULL)
			hatch(ctx, strip, shown, c, unused_ps);
	}
	struct tp_chart *compared = chart_with_id(doc, TP_STEP_SLOWEST_CHART);

	if (compared != NULL && tp_step_slowest_pair(s, pair))
		hatch(ctx, compared, pair, c, unused_ps);
}
