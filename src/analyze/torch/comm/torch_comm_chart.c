/* Bars of each worker: computation and communication, and transfer against waiting. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

/* A bar a worker up to here; beyond, a column, and of very many the one with the most of several in a row. */
enum { MOST_BARS = 16, MOST_COLUMNS = 240 };

struct chart {
	const char *id, *what;
	const enum tp_torch_comm_part *parts;
	size_t part_count;
	bool split; /* only traces that tell transfer from waiting */
};

static double
total_ps(const struct tp_torch_comm_trace *t, const struct chart *chart)
{
	double sum = 0;

	for (size_t k = 0; k < chart->part_count; k++)
		sum += t->mean_ps[chart->parts[k]];
	return sum;
}

static bool
shows(const struct tp_torch_comm_trace *t, const struct chart *chart)
{
	return t->steps != 0 && (!chart->split || t->split_known) && total_ps(t, chart) > 0;
}

/* The traces that get a bar. */
static size_t
choose(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, const struct chart *chart,
	uint32_t **chosen, size_t *all)
{
	uint32_t *list = tp_new_array(ctx->keep, uint32_t, c->trace_count);
	size_t count = 0, kept = 0;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		if (shows(&c->traces[i], chart))
			list[count++] = i;
	}
	size_t each = (count + MOST_COLUMNS - 1) / MOST_COLUMNS;

	for (size_t i = 0; i < count; i += each) {
		uint32_t most = list[i];

		for (size_t k = i; k < i + each && k < count; k++) {
			if (total_ps(&c->traces[list[k]], chart) > total_ps(&c->traces[most], chart))
				most = list[k];
		}
		list[kept++] = most;
	}
	*chosen = list;
	*all = count;
	return kept;
}

static void
draw(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, const struct chart *chart,
	struct tp_doc *doc, struct tp_block *section)
{
	uint32_t *chosen;
	size_t all, points = choose(ctx, c, chart, &chosen, &all);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, chart->part_count);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, points);

	if (points == 0)
		return;
	struct tp_slice what = tp_arena_printf(ctx->keep, "%s, mean over steps, by worker%s.",
		chart->what, points < all ? "; of several in a row the one with the most" : "");

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL,
		tp_arena_printf(ctx->keep, "%s-what", chart->id).ptr,
		TP_SAY(doc, "{}", tp_text_value(what)));
	for (size_t k = 0; k < chart->part_count; k++) {
		const struct tp_torch_comm_part_info *info = tp_torch_comm_part_info(chart->parts[k]);
		double *values = tp_new_array(ctx->keep, double, points);

		for (size_t i = 0; i < points; i++)
			values[i] = fmax(0, c->traces[chosen[i]].mean_ps[chart->parts[k]] / 1e9);
		series[k] = (struct tp_series){.key = tp_slice_of(info->key),
			.label = tp_slice_of(info->label),
			.hue = info->hue,
			.tint = info->tint,
			.values = values};
	}
	for (size_t i = 0; i < points; i++)
		labels[i] = tp_torch_who(ctx, ctx->profile->torch->traces[chosen[i]]);
	tp_doc_add(doc, section, TP_BLOCK_CHART, tp_slice_of(chart->id))->chart = (struct tp_chart){
		.kind = points <= MOST_BARS ? TP_CHART_BARS : TP_CHART_STRIP,
		.alt = what,
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = chart->part_count,
		.labels = labels,
		.point_count = points,
		.marked = SIZE_MAX,
		.legend = true,
	};
}

void
tp_torch_comm_charts(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	struct tp_doc *doc, struct tp_block *section)
{
	static const enum tp_torch_comm_part step[] = {TP_TORCH_COMM_COMPUTATION, TP_TORCH_COMM_OVERLAP,
		TP_TORCH_COMM_EXPOSED, TP_TORCH_COMM_OTHER};
	static const enum tp_torch_comm_part split[] = {
		TP_TORCH_COMM_TRANSFER, TP_TORCH_COMM_SYNC, TP_TORCH_COMM_BARRIER, TP_TORCH_COMM_UNMATCHED};
	const struct chart charts[] = {
		{"distributed/overlap", "A step: computation, communication, both and neither", step,
			sizeof step / sizeof *step, false},
		{"distributed/split", "Communication of a step, hidden or not: transfer and waiting", split,
			sizeof split / sizeof *split, true},
	};

	for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
		draw(ctx, c, &charts[i], doc, section);
}
