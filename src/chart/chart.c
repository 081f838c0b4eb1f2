/* Charts: each kind's layout, and the legend beside it. */
#include "chart/chart.h"

#include "chart/canvas.h"
#include "chart/layout.h"
#include "report/doc.h"

static const struct tp_chart_layout *const layouts[] = {
	[TP_CHART_STACK] = &tp_stack_layout,
	[TP_CHART_STRIP] = &tp_strip_layout,
	[TP_CHART_BARS] = &tp_bars_layout,
	[TP_CHART_SCATTER] = &tp_scatter_layout,
	[TP_CHART_GRID] = &tp_grid_layout,
	[TP_CHART_TILE] = &tp_tile_layout,
	[TP_CHART_CURVES] = &tp_curves_layout,
	[TP_CHART_FLAME] = &tp_flame_layout,
	[TP_CHART_GRAPH] = &tp_diagram_layout,
};

enum { LEGEND_GAP_PX = 6 }; /* between legend and plot */

double
tp_chart_total(const struct tp_chart *chart, size_t point)
{
	double total = 0;

	for (size_t i = 0; i < chart->series_count; i++)
		total += chart->series[i].values[point];
	return total;
}

double
tp_chart_plot_height(const struct tp_chart *chart)
{
	return layouts[chart->kind]->height(chart);
}

struct tp_margins
tp_chart_margins(const struct tp_chart *chart)
{
	return layouts[chart->kind]->margins(chart);
}

bool
tp_chart_legend_above(const struct tp_chart *chart)
{
	return layouts[chart->kind]->legend_above;
}

static bool
is_zero(const struct tp_chart *chart, const struct tp_series *series)
{
	for (size_t i = 0; i < chart->point_count; i++)
		if (series->values[i] > 0)
			return false;
	return true;
}

size_t
tp_chart_legend(const struct tp_chart *chart, double width_px, struct tp_legend_entry *entries)
{
	const struct tp_chart_layout *layout = layouts[chart->kind];
	struct tp_value none = tp_missing(TP_S(""));
	size_t count = 0;

	if (!chart->legend || chart->point_count == 0)
		return 0;
	for (size_t i = 0; i < chart->series_count; i++) {
		const struct tp_series *series = &chart->series[i];
		struct tp_legend_entry *entry = &entries[count];

		if (is_zero(chart, series))
			continue;
		*entry = (struct tp_legend_entry){.series = series, .value = none, .share = none};
		if (chart->point_count == 1) {
			entry->value = tp_number(series->values[0], chart->unit);
			entry->share =
				tp_share(series->values[0], tp_chart_total(chart, 0), TP_S("of nothing"));
		}
		entry->labelled = layout->labelled != NULL && layout->labelled(chart, i, width_px);
		count++;
	}
	return count;
}

double
tp_chart_height(const struct tp_chart *chart, double width_px)
{
	double legend = tp_legend_height(chart, width_px);

	return tp_chart_plot_height(chart) + (legend > 0 ? legend + LEGEND_GAP_PX : 0);
}

static void
draw_plot(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	struct tp_margins margins = tp_chart_margins(chart);

	if ((chart->point_count == 0 || chart->series_count == 0) && chart->scatter == NULL &&
		chart->grid == NULL && chart->frames == NULL && chart->curves == NULL &&
		chart->diagram == NULL)
		return;
	canvas->ops->inset(canvas, margins.left_px, margins.right_px);
	layouts[chart->kind]->draw(chart, canvas, top);
}

void
tp_chart_draw_plot(const struct tp_chart *chart, struct tp_canvas *canvas)
{
	draw_plot(chart, canvas, 0);
}

void
tp_chart_draw(const struct tp_chart *chart, struct tp_canvas *canvas)
{
	double legend = tp_legend_height(chart, canvas->width_px);
	bool above = tp_chart_legend_above(chart);

	if (legend > 0)
		tp_legend_draw(chart, canvas, above ? 0 : tp_chart_plot_height(chart) + LEGEND_GAP_PX);
	draw_plot(chart, canvas, above && legend > 0 ? legend + LEGEND_GAP_PX : 0);
}
