/* How much of a tile holds data: the tile as a rectangle of padding, lanes along its width, sublanes along its height, with
 * the data in its first corner. */
#include "chart/layout.h"

#include <stdio.h>

#include "chart/canvas.h"
#include "chart/label.h"

enum {
	LANES,
	SUBLANES,
	TILE_PX = 128,
	CAPTION_PX = 22,
	BASELINE_PX = 15,
	NAME_PX = 12,
	TEXT_PX = 11,
	ROOM_PX = 84, /* for the name of what lies along sublanes: the page's CSS makes it */
	GAP_PX = 10,
	MOST_LINES = 16, /* sublanes that are told apart */
	TEXT_BUF = 160,
};

/* Data over all along one side, 0…1. */
static double
share(const struct tp_chart *chart, size_t side)
{
	double total = tp_chart_total(chart, side);

	return total > 0 ? chart->series[0].values[side] / total : 0;
}

/* "16 of 128" */
static struct tp_slice
count_text(const struct tp_chart *chart, size_t side, char buf[static TEXT_BUF])
{
	char some[TP_VALUE_BUF], all[TP_VALUE_BUF];
	struct tp_slice data =
		tp_value_text(tp_number(chart->series[0].values[side], chart->unit), some);
	struct tp_slice total = tp_value_text(tp_number(tp_chart_total(chart, side), chart->unit), all);
	int n = snprintf(buf, TEXT_BUF, "%.*s of %.*s", TP_ARG(data), TP_ARG(total));

	return (struct tp_slice){buf, n < TEXT_BUF ? (size_t)n : TEXT_BUF - 1};
}

static void
put(struct tp_canvas *canvas, struct tp_x x, double y, enum tp_ink ink, struct tp_slice text)
{
	TP_WRITE(canvas, .x = x, .y = y, .ink = ink, .size_px = NAME_PX, .text = text);
}

/* Left of the tile what lies along its height, below it what lies along its width. */
static void
draw_names(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	char cut[TEXT_BUF], count[TEXT_BUF], line[2 * TEXT_BUF];
	struct tp_slice name =
		tp_label_cut(chart->labels[SUBLANES], NAME_PX, 400, ROOM_PX - GAP_PX, cut, sizeof cut);
	struct tp_x left = {0, -ROOM_PX};

	put(canvas, left, top + BASELINE_PX, TP_INK_INK, name);
	put(canvas, left, top + 2 * BASELINE_PX, TP_INK_INK2, count_text(chart, SUBLANES, count));
	int n = snprintf(line, sizeof line, "%.*s %.*s",
		(int)(chart->labels[LANES].len > TEXT_BUF / 2 ? TEXT_BUF / 2 : chart->labels[LANES].len),
		chart->labels[LANES].ptr ? chart->labels[LANES].ptr : "",
		TP_ARG(count_text(chart, LANES, count)));

	put(canvas, (struct tp_x){0, 0}, top + TILE_PX + BASELINE_PX, TP_INK_INK,
		(struct tp_slice){line, (size_t)n});
}

/* The padding's share, in its middle where there is room. */
static void
draw_share(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	char value[TP_VALUE_BUF], words[TEXT_BUF];
	double across = share(chart, LANES), down = share(chart, SUBLANES);
	struct tp_slice part = tp_value_text(tp_number(1 - across * down, TP_UNIT_SHARE), value);
	int n = snprintf(words, sizeof words, "%.*s padding", TP_ARG(part));
	bool beside = across < 0.75, below = down < 0.75;

	if (!beside && !below)
		return;
	TP_WRITE(canvas, .x = {beside ? (1 + across) / 2 : 0.5, 0},
		.y = top + (beside ? 0.5 : (1 + down) / 2) * TILE_PX + TEXT_PX / 2.0,
		.anchor = TP_ANCHOR_MIDDLE, .ink = TP_INK_INK, .weight = 600, .halo = true,
		.text = {words, (size_t)n});
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	const struct tp_series *data = &chart->series[0], *padding = &chart->series[1];
	double down = share(chart, SUBLANES), rows = tp_chart_total(chart, SUBLANES);
	struct tp_x left = {0, 0}, right = {1, 0}, across = {share(chart, LANES), 0};

	canvas->ops->mark(
		canvas, left, right, top, TILE_PX, padding->hue, padding->tint, padding->label);
	canvas->ops->mark(
		canvas, left, across, top, TILE_PX * down, data->hue, data->tint, data->label);
	for (double row = 1; rows <= MOST_LINES && row < rows; row++)
		canvas->ops->line(canvas, left, top + row / rows * TILE_PX, right,
			top + row / rows * TILE_PX, TP_INK_PAPER, 1, false);
	canvas->ops->frame(canvas, left, right, top, TILE_PX, TP_INK_LINE2, 1);
	draw_share(chart, canvas, top);
	draw_names(chart, canvas, top);
}

const struct tp_chart_layout tp_tile_layout = {
	.height_px = TILE_PX + CAPTION_PX,
	.room = {ROOM_PX, 0},
	.legend_above = true,
	.draw = draw,
};
