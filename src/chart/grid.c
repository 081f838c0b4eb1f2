/* A heat map: cells in rows, names at left, figures in cells where there is room, outlined cells, arrows from cell to cell, and
 * the scale below. */
#include "chart/layout.h"

#include "chart/axis.h"
#include "chart/canvas.h"
#include "chart/label.h"
#include "chart/row_names.h"

#include <math.h>
#include <stdio.h>

enum {
	HIGH_ROW_PX = 22,
	LOW_ROW_PX = 13,
	FEW_ROWS = 12,
	GAP_PX = 2, /* between rows */
	TITLE_PX = 20,
	SCALE_PX = 26,
	SCALE_TOP_PX = 10,
	SCALE_BOX_PX = 10,
	SCALE_STEP_PX = 18,
	TEXT_PX = 11,
	CELL_PAD_PX = 4,
	SMALLER_PHONE_PX = 30, /* some phones are narrower than the width that labels are cut for */
	TITLE_BUF = 256,
};

/* Gaps between cells and between groups, in shares of a cell. */
static const double cell_gap = .08, group_gap = .25;

static double
row_px(const struct tp_grid *g)
{
	return g->row_count <= FEW_ROWS ? HIGH_ROW_PX : LOW_ROW_PX;
}

static double
title_px(const struct tp_grid *g)
{
	return g->title.len != 0 ? TITLE_PX : 0;
}

static double
height(const struct tp_chart *chart)
{
	return title_px(chart->grid) + (double)chart->grid->row_count * row_px(chart->grid) + SCALE_PX;
}

static struct tp_margins
margins(const struct tp_chart *chart)
{
	const struct tp_grid *g = chart->grid;

	/* Title and scale begin where the names do, on a phone too. */
	return (struct tp_margins){
		tp_row_names_phone_px(tp_row_names_px(g->rows, g->row_count, TEXT_PX)), 0};
}

/* Where a cell begins or, with `after` 1, where its slot ends, as a share of the width. */
static double
edge(const struct tp_grid *g, size_t column, double after)
{
	size_t groups = (g->columns + g->group - 1) / g->group;
	double gap = g->group > 1 ? group_gap : 0;
	double all = (double)g->columns + gap * (double)(groups - 1);

	return ((double)column + after + gap * (double)(column / g->group)) / all;
}

static double
left_of(const struct tp_grid *g, size_t cell)
{
	return edge(g, cell % g->columns, 0);
}

static double
right_of(const struct tp_grid *g, size_t cell)
{
	return edge(g, cell % g->columns, 1 - cell_gap);
}

static double
top_of(const struct tp_grid *g, size_t cell, double top)
{
	return top + (double)(cell / g->columns) * row_px(g);
}

static int
step_of(const struct tp_grid *g, double value)
{
	double share = (value - g->low) / (g->high - g->low);

	return share <= 0 ? 0 : share >= 1 ? TP_HEAT_STEPS - 1 : (int)(share * TP_HEAT_STEPS);
}

/* "core 13: 5.67 ms" */
static struct tp_slice
words(const struct tp_chart *chart, size_t cell, char buf[static TITLE_BUF])
{
	char value[TP_VALUE_BUF];
	struct tp_slice figure =
		tp_value_text(tp_number(chart->grid->values[cell], chart->unit), value);
	struct tp_slice label = chart->grid->labels[cell];
	int most = TITLE_BUF - TP_VALUE_BUF - 8;
	int n = snprintf(buf, TITLE_BUF, "%.*s: %.*s", label.len < (size_t)most ? (int)label.len : 0,
		label.ptr ? label.ptr : "", TP_ARG(figure));

	return (struct tp_slice){buf, (size_t)n};
}

/* The same and what else is known of it. */
static struct tp_slice
tooltip(const struct tp_chart *chart, size_t cell, char buf[static TITLE_BUF])
{
	struct tp_slice first = words(chart, cell, buf);
	struct tp_slice note = chart->grid->notes ? chart->grid->notes[cell] : TP_S("");

	if (note.len == 0 || first.len + note.len + 3 > TITLE_BUF)
		return first;
	first.len += (size_t)snprintf(buf + first.len, TITLE_BUF - first.len, "; %.*s", TP_ARG(note));
	return first;
}

static void
draw_cells(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	const struct tp_grid *g = chart->grid;

	for (size_t i = 0; i < g->row_count * g->columns; i++) {
		char title[TITLE_BUF];

		if (isnan(g->values[i]))
			continue;
		canvas->ops->heat(canvas, (struct tp_x){left_of(g, i), 0}, (struct tp_x){right_of(g, i), 0},
			top_of(g, i, top), row_px(g) - GAP_PX, step_of(g, g->values[i]),
			tooltip(chart, i, title));
	}
	for (size_t i = 0; i < g->marked_count; i++)
		canvas->ops->frame(canvas, (struct tp_x){left_of(g, g->marked[i]), 0},
			(struct tp_x){right_of(g, g->marked[i]), 0}, top_of(g, g->marked[i], top),
			row_px(g) - GAP_PX, TP_INK_INK, 1.5);
}

/* What cells say, at their ends: all do or none does. */
struct cell_texts {
	struct tp_slice (*of)(const struct tp_chart *chart, size_t cell, char buf[static TITLE_BUF]);
	enum tp_anchor anchor;
	int weight;
};

/* In the unit of the scale, with as many decimals as its end needs for three digits. */
static struct tp_slice
figure_of(const struct tp_chart *chart, size_t cell, char buf[static TITLE_BUF])
{
	struct tp_axis axis = tp_axis_for(chart->grid->high, chart->unit, 2);
	double high = chart->grid->high * axis.factor;
	int decimals = high >= 100 ? 0 : high >= 10 ? 1 : 2;

	return tp_value_fixed(
		tp_number(chart->grid->values[cell], chart->unit), axis.unit, decimals, buf);
}

static struct tp_slice
place_of(const struct tp_chart *chart, size_t cell, char buf[static TITLE_BUF])
{
	const struct tp_grid *g = chart->grid;

	(void)buf;
	return g->places != NULL ? g->places[cell] : g->labels[cell];
}

/* The widest of them, with the room beside it. */
static double
texts_px(const struct tp_chart *chart, const struct cell_texts *texts)
{
	double widest = 0;

	for (size_t i = 0; i < chart->grid->row_count * chart->grid->columns; i++) {
		char buf[TITLE_BUF];

		if (!isnan(chart->grid->values[i]))
			widest = fmax(widest, tp_label_width(texts->of(chart, i, buf), TEXT_PX, texts->weight));
	}
	return widest + 2 * CELL_PAD_PX;
}

static void
write_cells(const struct tp_chart *chart, struct tp_canvas *canvas, double top,
	const struct cell_texts *texts, bool wide)
{
	const struct tp_grid *g = chart->grid;
	bool at_end = texts->anchor == TP_ANCHOR_END;

	for (size_t i = 0; i < g->row_count * g->columns; i++) {
		char buf[TITLE_BUF];

		if (isnan(g->values[i]))
			continue;
		bool darkest = step_of(g, g->values[i]) == TP_HEAT_STEPS - 1;

		TP_WRITE(canvas,
			.x = {at_end ? right_of(g, i) : left_of(g, i), at_end ? -CELL_PAD_PX : CELL_PAD_PX},
			.y = top_of(g, i, top) + (row_px(g) - GAP_PX) / 2 + TEXT_PX / 3.0,
			.anchor = texts->anchor, .ink = darkest ? TP_INK_PAPER : TP_INK_INK,
			.weight = texts->weight, .wide = wide, .cell = true, .text = texts->of(chart, i, buf));
	}
}

/* Figures where there is room for them, and where the cell is beside them; not below links. */
static void
draw_cell_texts(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	static const struct cell_texts all[] = {
		{figure_of, TP_ANCHOR_END, 500},
		{place_of, TP_ANCHOR_START, 400},
	};
	const struct tp_grid *g = chart->grid;
	double cell_share = right_of(g, 0) - left_of(g, 0), needed_px = 0;

	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		needed_px += texts_px(chart, &all[k]);
		if (g->link_count != 0 || g->row_count > FEW_ROWS ||
			needed_px > cell_share * canvas->width_px)
			return;
		write_cells(
			chart, canvas, top, &all[k], needed_px > cell_share * tp_canvas_least_px(canvas));
	}
}

static void
draw_names(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	double room_px = margins(chart).left_px;

	for (size_t i = 0; i < chart->grid->row_count; i++)
		tp_row_name_draw(canvas, chart->grid->rows, chart->grid->row_count, i, room_px,
			top + ((double)i + .5) * row_px(chart->grid) + TEXT_PX / 3.0, TEXT_PX, TP_INK_INK2);
}

/* A line from the middle of one cell to that of another, with a dot at its end. */
static void
draw_links(const struct tp_grid *g, struct tp_canvas *canvas, double top, double bottom)
{
	for (size_t i = 0; i < g->link_count; i++) {
		double xs[2], ys[2];

		for (int k = 0; k < 2; k++) {
			size_t cell = g->links[i][k];

			xs[k] = (left_of(g, cell) + right_of(g, cell)) / 2;
			ys[k] = top_of(g, cell, top) + (row_px(g) - GAP_PX) / 2;
		}
		/* On dark cells, too, it must be seen. */
		canvas->ops->curve(canvas, (struct tp_x){0, 0}, (struct tp_x){1, 0}, xs, ys, 2, false,
			bottom, TP_INK_PAPER, 4.5);
		canvas->ops->dot(canvas, (struct tp_x){xs[1], 0}, ys[1], 5, TP_INK_PAPER);
		canvas->ops->curve(canvas, (struct tp_x){0, 0}, (struct tp_x){1, 0}, xs, ys, 2, false,
			bottom, TP_INK_INK, 1.5);
		canvas->ops->dot(canvas, (struct tp_x){xs[1], 0}, ys[1], 3.5, TP_INK_INK);
	}
}

static void
put(struct tp_canvas *canvas, double px, double y, struct tp_slice text)
{
	TP_WRITE(canvas, .x = {0, px}, .y = y, .ink = TP_INK_INK3, .text = text);
}

/* On a phone there is room for the name alone. */
static void
draw_marked_short(const struct tp_chart *chart, struct tp_canvas *canvas, double x, double y)
{
	char cut[TITLE_BUF];
	struct tp_slice name = tp_label_cut(chart->grid->labels[chart->grid->marked[0]], TEXT_PX, 400,
		canvas->narrow_px - SMALLER_PHONE_PX - x, cut, sizeof cut);

	TP_WRITE(canvas, .x = {0, x}, .y = y, .ink = TP_INK_INK2, .narrow = true, .text = name);
}

/* Where cells differ by little, the scale goes on beyond the largest of them, so that they look alike. */
static double
largest_cell(const struct tp_grid *g)
{
	double most = g->low;

	for (size_t i = 0; i < g->row_count * g->columns; i++)
		most = fmax(most, g->values[i]);
	return most;
}

/* The least and the most, with the shades that cells have between them, and the first outlined cell. Where all cells say the same, that
 * alone. */
static void
draw_scale(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	const struct tp_grid *g = chart->grid;
	char low[TP_VALUE_BUF], high[TP_VALUE_BUF], named[TITLE_BUF], cut[TITLE_BUF];
	struct tp_slice least = tp_value_text(tp_number(g->low, chart->unit), low);
	double largest = largest_cell(g);
	struct tp_slice most = tp_value_text(tp_number(largest, chart->unit), high);
	bool alike = tp_slice_eq(least, most);
	int shades = step_of(g, largest) + 1;
	/* From the names' left edge on: beside them it would not fit a phone. */
	double left = -margins(chart).left_px, y = top + SCALE_BOX_PX - 1;
	double x = left + (alike ? 0 : canvas->ops->measure(canvas, least, TEXT_PX, 400) + 8);

	if (!alike)
		put(canvas, left, y, least);
	for (int i = 0; i < shades; i++, x += SCALE_STEP_PX)
		canvas->ops->heat(canvas, (struct tp_x){0, x}, (struct tp_x){0, x + SCALE_STEP_PX - 1}, top,
			SCALE_BOX_PX, i, TP_S(""));
	put(canvas, x + 6, y, most);
	if (g->marked_count == 0)
		return;
	x += 6 + canvas->ops->measure(canvas, most, TEXT_PX, 400) + 20;
	canvas->ops->frame(canvas, (struct tp_x){0, x}, (struct tp_x){0, x + SCALE_BOX_PX}, top,
		SCALE_BOX_PX, TP_INK_INK, 1.5);
	x += SCALE_BOX_PX + 6;
	struct tp_slice whole = words(chart, g->marked[0], named);
	double room = canvas->width_px - x;

	TP_WRITE(canvas, .x = {0, x}, .y = y, .ink = TP_INK_INK2, .wide = canvas->narrow_px > 0,
		.text = tp_label_cut(whole, TEXT_PX, 400, room, cut, sizeof cut));
	if (canvas->narrow_px > 0)
		draw_marked_short(chart, canvas, x, y);
}

static void
draw_title(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	double room_px = margins(chart).left_px;
	char cut[TITLE_BUF];
	double width = (canvas->narrow_px > 0 ? canvas->narrow_px : canvas->width_px) + room_px;

	if (chart->grid->title.len == 0)
		return;
	TP_WRITE(canvas, .x = {0, -room_px}, .y = top + TEXT_PX, .ink = TP_INK_INK2, .weight = 500,
		.text = tp_label_cut(chart->grid->title, TEXT_PX, 500, width, cut, sizeof cut));
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	double bottom;

	draw_title(chart, canvas, top);
	top += title_px(chart->grid);
	bottom = top + (double)chart->grid->row_count * row_px(chart->grid);
	draw_cells(chart, canvas, top);
	draw_cell_texts(chart, canvas, top);
	draw_names(chart, canvas, top);
	draw_links(chart->grid, canvas, top, bottom);
	draw_scale(chart, canvas, bottom + SCALE_TOP_PX);
}

const struct tp_chart_layout tp_grid_layout = {
	.height = height,
	.margins = margins,
	.legend_above = true,
	.draw = draw,
};
