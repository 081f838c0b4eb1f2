/* Charts: each kind's layout, and the legend: swatch, label, value and share of each series, wrapped to the width. */
#include "chart/chart.h"

#include "chart/canvas.h"
#include "chart/label.h"
#include "chart/layout.h"
#include "report/column.h"
#include "report/timeline.h"

static const struct tp_chart_layout *const layouts[] = {
#define LAYOUT(KIND, name) [TP_CHART_##KIND] = &tp_##name##_layout,
	TP_CHART_KINDS(LAYOUT)
#undef LAYOUT
};

enum {
	LEGEND_GAP_PX = 6, /* between legend and plot */
	MOST_ENTRIES = 32,
	ROW_PX = 18,
	BASELINE_PX = 13,
	SWATCH_PX = 10,
	SWATCH_GAP_PX = 5,
	WORD_GAP_PX = 4,
	ENTRY_GAP_PX = 16,
	TEXT_PX = 12,
};

double
tp_chart_plot_height(const struct tp_chart *chart)
{
	const struct tp_chart_layout *layout = layouts[chart->kind];

	return layout->height != NULL ? layout->height(chart) : layout->height_px;
}

struct tp_margins
tp_chart_margins(const struct tp_chart *chart)
{
	const struct tp_chart_layout *layout = layouts[chart->kind];

	return layout->margins != NULL ? layout->margins(chart) : layout->room;
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

/* The classes of time that events of a timeline are coloured by, in the order in which steps stack them. */
static const struct tp_series timeline_classes[] = {
	{.label = TP_LIT("Compute"), .hue = TP_HUE_COMPUTE},
	{.label = TP_LIT("Memory, copy"), .hue = TP_HUE_MEMORY},
	{.label = TP_LIT("Collectives"), .hue = TP_HUE_COLLECTIVE},
	{.label = TP_LIT("Output"), .hue = TP_HUE_OUTPUT},
	{.label = TP_LIT("Host compute"), .hue = TP_HUE_HOST},
	{.label = TP_LIT("Launch"), .hue = TP_HUE_HOST, .tint = 1},
	{.label = TP_LIT("Compile, set-up"), .hue = TP_HUE_COMPILE},
	{.label = TP_LIT("Input"), .hue = TP_HUE_INPUT},
	{.label = TP_LIT("Ranges, waits, other"), .hue = TP_HUE_NONE, .tint = 2},
};
enum { TIMELINE_CLASSES = sizeof timeline_classes / sizeof *timeline_classes };

/* Whether an event that is drawn is of the class. */
static bool
is_drawn(const struct tp_timeline *t, const struct tp_series *class)
{
	for (size_t w = 0; w < t->window_count; w++) {
		for (size_t i = 0; i < t->windows[w].bar_count; i++) {
			const struct tp_timeline_bar *bar = &t->windows[w].bars[i];

			if (bar->hue == class->hue && bar->tint == class->tint)
				return true;
		}
	}
	return false;
}

/* Whether one is that a script draws. */
static bool
is_live(const struct tp_timeline *t, const struct tp_series *class)
{
	for (size_t i = 0; i < t->name_count; i++) {
		if (t->names[i].hue == class->hue && t->names[i].tint == class->tint)
			return true;
	}
	return false;
}

static size_t
timeline_key(const struct tp_timeline *t, struct tp_legend_entry *entries)
{
	size_t count = 0;

	for (size_t i = 0; i < TIMELINE_CLASSES; i++) {
		const struct tp_series *class = &timeline_classes[i];
		bool drawn = is_drawn(t, class);

		if (drawn || is_live(t, class))
			entries[count++] = (struct tp_legend_entry){.series = class,
				.label = class->label,
				.tint = class->tint,
				.value = tp_missing(TP_S("")),
				.share = tp_missing(TP_S("")),
				.live = !drawn};
	}
	return count;
}

/* Below a curve of memory, what is there throughout is pale. */
static const struct tp_series throughout = {
	.label = TP_LIT("Buffer that is always live"), .hue = TP_HUE_MEMORY, .tint = 2};

static bool
has_pale_lifetimes(const struct tp_chart *chart)
{
	for (size_t i = 0; i < chart->lifetime_count; i++)
		if (chart->lifetimes[i].tint == throughout.tint)
			return true;
	return false;
}

size_t
tp_chart_legend_most(const struct tp_chart *chart)
{
	return chart->kind == TP_CHART_TIMELINE ? TIMELINE_CLASSES : 2 * chart->series_count + 1;
}

size_t
tp_chart_legend(const struct tp_chart *chart, double width_px, struct tp_legend_entry *entries)
{
	const struct tp_chart_layout *layout = layouts[chart->kind];
	struct tp_value none = tp_missing(TP_S(""));
	size_t count = 0;

	if (chart->legend && chart->kind == TP_CHART_TIMELINE)
		return timeline_key(chart->timeline, entries);
	if (!chart->legend || chart->point_count == 0)
		return 0;
	for (size_t i = 0; i < chart->series_count; i++) {
		const struct tp_series *series = &chart->series[i];
		struct tp_legend_entry *entry = &entries[count];

		if (is_zero(chart, series))
			continue;
		*entry = (struct tp_legend_entry){.series = series,
			.label = series->label,
			.tint = series->tint,
			.value = none,
			.share = none};
		if (chart->point_count == 1) {
			entry->value = tp_number(series->values[0], chart->unit);
			entry->share =
				tp_share(series->values[0], tp_chart_total(chart, 0), TP_S("of nothing"));
		}
		entry->labelled = layout->labelled != NULL && layout->labelled(chart, i, width_px);
		count++;
		if (series->unused > 0 || series->unused_count != 0)
			entries[count++] = (struct tp_legend_entry){.series = series,
				.label = series->unused_label,
				.tint = TP_TINT_UNUSED,
				.value = series->unused > 0 ? tp_number(series->unused, chart->unit) : none,
				.share = none,
				.unused = true};
	}
	if (has_pale_lifetimes(chart))
		entries[count++] = (struct tp_legend_entry){.series = &throughout,
			.label = throughout.label,
			.tint = throughout.tint,
			.value = none,
			.share = none};
	return count;
}

struct word {
	char buf[TP_VALUE_BUF];
	struct tp_slice text;
	enum tp_ink ink;
	int weight;
};

/* Label, value, share; the last two may be empty. */
static void
entry_words(const struct tp_legend_entry *entry, struct word words[static 3])
{
	words[0] = (struct word){.text = entry->label, .ink = TP_INK_INK2, .weight = 400};
	words[1] = (struct word){.ink = TP_INK_INK, .weight = 500};
	words[2] = (struct word){.ink = TP_INK_INK3, .weight = 400};
	if (tp_known(entry->value))
		words[1].text = tp_value_text(entry->value, words[1].buf);
	if (tp_known(entry->share))
		words[2].text = tp_value_text(entry->share, words[2].buf);
}

static double
entry_width(const struct tp_legend_entry *entry)
{
	struct word words[3];
	double width = SWATCH_PX + SWATCH_GAP_PX - WORD_GAP_PX;

	entry_words(entry, words);
	for (int i = 0; i < 3; i++)
		if (words[i].text.len > 0)
			width += WORD_GAP_PX + tp_label_width(words[i].text, TEXT_PX, words[i].weight);
	return width;
}

static void
draw_entry(const struct tp_legend_entry *entry, struct tp_canvas *canvas, double x, double top)
{
	struct tp_x left = {0, x}, right = {0, x + SWATCH_PX};
	struct word words[3];

	canvas->ops->mark(canvas, left, right, top + BASELINE_PX - SWATCH_PX + 1, SWATCH_PX,
		entry->series->hue, entry->tint, TP_S(""));
	x += SWATCH_PX + SWATCH_GAP_PX;
	entry_words(entry, words);
	for (int i = 0; i < 3; i++) {
		if (words[i].text.len == 0)
			continue;
		TP_WRITE(canvas, .x = {0, x}, .y = top + BASELINE_PX, .ink = words[i].ink,
			.size_px = TEXT_PX, .weight = words[i].weight, .text = words[i].text);
		x += canvas->ops->measure(canvas, words[i].text, TEXT_PX, words[i].weight) + WORD_GAP_PX;
	}
}

/* Goes over the entries that are not labelled in the plot; draws them unless canvas is NULL. Returns the height. */
static double
lay_out_legend(const struct tp_chart *chart, double width_px, struct tp_canvas *canvas, double top)
{
	struct tp_legend_entry entries[2 * MOST_ENTRIES + 1];
	size_t count =
		chart->series_count <= MOST_ENTRIES ? tp_chart_legend(chart, width_px, entries) : 0;
	double x = 0;
	double y = 0;

	for (size_t i = 0; i < count; i++) {
		double width = entry_width(&entries[i]);

		if (entries[i].labelled || entries[i].live)
			continue;
		if (x > 0 && x + width > width_px) {
			x = 0;
			y += ROW_PX;
		}
		if (canvas != NULL)
			draw_entry(&entries[i], canvas, x, top + y);
		x += width + ENTRY_GAP_PX;
	}
	return x > 0 ? y + ROW_PX : 0;
}

double
tp_chart_height(const struct tp_chart *chart, double width_px)
{
	double legend = lay_out_legend(chart, width_px, NULL, 0);

	return tp_chart_plot_height(chart) + (legend > 0 ? legend + LEGEND_GAP_PX : 0);
}

static void
draw_plot(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	struct tp_margins margins = tp_chart_margins(chart);

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
	double legend = lay_out_legend(chart, canvas->width_px, NULL, 0);
	bool above = tp_chart_legend_above(chart);

	if (legend > 0)
		lay_out_legend(chart, canvas->width_px, canvas,
			above ? 0 : tp_chart_plot_height(chart) + LEGEND_GAP_PX);
	draw_plot(chart, canvas, above && legend > 0 ? legend + LEGEND_GAP_PX : 0);
}
