/* Charts in HTML: inline SVG, and the legend as text that wraps with the page. */
#include "render/html.h"

#include "base/arena.h"
#include "chart/canvas_svg.h"
#include "chart/chart.h"

enum {
	FITTED_WIDTH_PX =
		720, /* labels are dropped that would not fit here; wider pages only have more room */
	PHONE_WIDTH_PX = 358,
};

static void
write_legend_entry(struct tp_html_page *page, const struct tp_legend_entry *entry)
{
	struct tp_html *h = &page->out;

	tp_html_div(page, "li",
		entry->labelled     ? "lab"
			: entry->live   ? "live"
			: entry->unused ? "of"
							: "");
	tp_html_div(page, "svg", "sw");
	tp_html_attr(h, "width", TP_S("10"));
	tp_html_attr(h, "height", TP_S("10"));
	tp_html_attr(h, "aria-hidden", TP_S("true"));
	tp_svg_below_pattern(h, entry->series->hue, entry->tint);
	tp_html_open(h, "rect");
	tp_svg_hue(h, entry->series->hue, entry->tint);
	tp_html_attr(h, "width", TP_S("10"));
	tp_html_attr(h, "height", TP_S("10"));
	tp_html_close(h);
	tp_html_close(h);
	tp_html_text(h, TP_S(" "));
	tp_html_text(h, entry->label);
	if (tp_known(entry->value)) {
		tp_html_text(h, TP_S(" "));
		tp_html_div(page, "b", "");
		tp_html_value(page, entry->value);
		tp_html_end(page);
	}
	if (tp_known(entry->share)) {
		tp_html_text(h, TP_S(" "));
		tp_html_div(page, "span", "m");
		tp_html_value(page, entry->share);
		tp_html_end(page);
	}
	tp_html_end(page);
}

static void
write_legend(struct tp_html_page *page, const struct tp_chart *chart)
{
	struct tp_margins room = tp_chart_margins(chart);
	struct tp_legend_entry *entries =
		tp_new_array(page->scratch, struct tp_legend_entry, tp_chart_legend_most(chart));
	size_t count = tp_chart_legend(chart, FITTED_WIDTH_PX - room.left_px - room.right_px, entries);

	if (count == 0)
		return;
	tp_html_div(page, "ul", "legend");
	for (size_t i = 0; i < count; i++)
		write_legend_entry(page, &entries[i]);
	tp_html_end(page);
}

static bool
legend_above(struct tp_html_page *page, const void *thing)
{
	const struct tp_chart *chart = &((const struct tp_block *)thing)->chart;

	(void)page;
	return chart->legend && tp_chart_legend_above(chart);
}

static bool
legend_below(struct tp_html_page *page, const void *thing)
{
	const struct tp_chart *chart = &((const struct tp_block *)thing)->chart;

	(void)page;
	return chart->legend && !tp_chart_legend_above(chart);
}

static void
legend(struct tp_html_page *page, const void *thing)
{
	write_legend(page, &((const struct tp_block *)thing)->chart);
}

static void
plot(struct tp_html_page *page, const void *thing)
{
	struct tp_canvas_svg canvas;

	tp_canvas_svg_init(&canvas, &page->out, FITTED_WIDTH_PX, PHONE_WIDTH_PX);
	tp_chart_draw_plot(&((const struct tp_block *)thing)->chart, &canvas.canvas);
}

/* Of the caption, which says the chart in words: to those who cannot see it, and where drawings or style sheets are refused. */
static struct tp_slice
alt_id(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	return tp_arena_printf(page->scratch, "tp-chart-%u", page->charts);
}

/* The page's CSS has a class for each room that the kinds of chart ask for. */
static struct tp_slice
room(struct tp_html_page *page, const void *thing)
{
	const struct tp_chart *chart = &((const struct tp_block *)thing)->chart;
	struct tp_margins m = tp_chart_margins(chart);
	const char *kind = chart->kind == TP_CHART_DIAGRAM ? " drawing" : "";

	return tp_arena_printf(page->scratch, "plot l%d r%d%s", m.left_px, m.right_px, kind);
}

/* Room for labels at left where no style sheet makes it. */
static struct tp_slice
shift(struct tp_html_page *page, const void *thing)
{
	struct tp_margins m = tp_chart_margins(&((const struct tp_block *)thing)->chart);

	return m.left_px == 0 ? TP_S("") : tp_arena_printf(page->scratch, "translate(%d)", m.left_px);
}

static struct tp_slice
height(struct tp_html_page *page, const void *thing)
{
	return tp_arena_printf(
		page->scratch, "%g", tp_chart_plot_height(&((const struct tp_block *)thing)->chart));
}

/* What a phone scrolls must be reached by the keyboard. */
static struct tp_slice
focus(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return ((const struct tp_block *)thing)->chart.kind == TP_CHART_DIAGRAM ? TP_S("0") : TP_S("");
}

/* For the script, which shows lifetimes and steps on a strip: points of the x axis, how high the strip is, and for which value, and
 * where a column is in its slot. */
static struct tp_slice
axis(struct tp_html_page *page, const void *thing)
{
	const struct tp_chart *chart = &((const struct tp_block *)thing)->chart;
	struct tp_strip_axis a;

	if (chart->kind != TP_CHART_STRIP)
		return TP_S("");
	a = tp_chart_strip_axis(chart);
	return tp_arena_printf(page->scratch, "%zu %g %g %g %g",
		chart->lifetime_count != 0 ? chart->axis_points : chart->point_count, a.height_px, a.top,
		a.slot.left, a.slot.width);
}

static const struct tp_slot chart_slots[] = {
	{.name = "axis", .text = axis},
	{.name = "focus", .text = focus},
	{.name = "id", TP_SLOT_TEXT(tp_block, id)},
	{.name = "alt", TP_SLOT_TEXT(tp_block, chart.alt)},
	{.name = "alt-id", .text = alt_id},
	{.name = "room", .text = room},
	{.name = "height", .text = height},
	{.name = "shift", .text = shift},
	{.name = "legend-above", .write = legend, .has = legend_above},
	{.name = "legend-below", .write = legend, .has = legend_below},
	{.name = "plot", .write = plot},
	{.name = NULL},
};

void
tp_html_chart(struct tp_html_page *page, const struct tp_block *block)
{
	page->charts++;
	tp_fill(page->templates, "chart.html", chart_slots, block);
}
