/* A node-link drawing: boxes in rows, and arrows between them that lead down; those of a cycle that must lead up are darker. */
#include "chart/layout.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "chart/canvas.h"
#include "chart/label.h"
#include "chart/layers.h"

enum {
	WIDEST_ROW = 4, /* boxes; a phone scrolls the drawing */
	BOX_PX = 38,
	GAP_PX = 34,
	LEAST_GAP_PX = 20, /* of drawings with many rows */
	MANY_ROWS = 12,
	HEAD_PX = 5, /* room for an arrow's head */
	EDGE_PX = 1, /* above and below all */
	BAR_PX = 4,
	PAD_PX = 7,
	LABEL_Y = 16,
	NOTE_Y = 30,
	TEXT_PX = 11,
	TEXT_BUF = 512,
};
static const double thinnest_px = 1, thickest_px = 4.5;

static double
gap_px(unsigned rows)
{
	return rows > MANY_ROWS ? LEAST_GAP_PX : GAP_PX;
}

static double
height(const struct tp_chart *chart)
{
	unsigned row_of[TP_DIAGRAM_MOST_BOXES];
	bool turned[TP_DIAGRAM_MOST_ARROWS];
	unsigned rows = tp_layer_rows(chart->diagram, WIDEST_ROW, row_of, turned);

	return rows * BOX_PX + (rows > 0 ? rows - 1 : 0) * gap_px(rows) + 2 * EDGE_PX;
}

static double
top_of(const struct tp_layers *l, size_t item)
{
	return EDGE_PX + l->items[item].row * (BOX_PX + gap_px(l->row_count));
}

/* "conv1 → logits: 3 tensors" */
static struct tp_slice
title_of(const struct tp_diagram *d, const struct tp_layers *l, const struct tp_layer_link *link,
	struct tp_arena *arena)
{
	if (link->arrow == SIZE_MAX) {
		const struct tp_slice name = d->boxes[l->items[link->upper].box].label;

		return tp_arena_printf(arena, link->up ? "%.*s ← several" : "%.*s → several", TP_ARG(name));
	}
	const struct tp_arrow *a = &d->arrows[link->arrow];

	return tp_arena_printf(arena, "%.*s → %.*s%s%.*s", TP_ARG(d->boxes[a->from].label),
		TP_ARG(d->boxes[a->to].label), a->label.len != 0 ? ": " : "", TP_ARG(a->label));
}

static double
heaviest(const struct tp_layers *l)
{
	double most = 0;

	for (size_t i = 0; i < l->link_count; i++)
		most = fmax(most, l->links[i].weight);
	return most;
}

/* A link from item to item, and the way of a lane past the row that it comes to. */
static size_t
add_link(const struct tp_diagram *d, const struct tp_layers *l, size_t index, double top,
	double most, struct tp_arena *arena, struct tp_canvas_link *out)
{
	const struct tp_layer_link *k = &l->links[index];
	const struct tp_layer_item *lower = &l->items[k->lower], *upper = &l->items[k->upper];
	double begin = top + top_of(l, k->upper) + BOX_PX, end = top + top_of(l, k->lower);
	struct tp_canvas_link link = {
		.x0 = k->from,
		.y0 = begin,
		.x1 = k->to,
		.y1 = end,
		.ink = k->up ? TP_INK_INK : TP_INK_INK3,
		.stroke_px =
			thinnest_px + (thickest_px - thinnest_px) * (most > 0 ? sqrt(k->weight / most) : 0),
		.dashed = k->control,
		.title = title_of(d, l, k, arena),
	};

	if (k->up && !upper->lane) {
		link.y0 += HEAD_PX;
		link.head = TP_HEAD_AT_START;
	} else if (!k->up && !lower->lane) {
		link.y1 -= HEAD_PX;
		link.head = TP_HEAD_AT_END;
	}
	out[0] = link;
	if (!lower->lane)
		return 1;
	link.x0 = link.x1;
	link.y0 = end;
	link.y1 = end + BOX_PX;
	link.head = TP_HEAD_NONE;
	out[1] = link;
	return 2;
}

static void
draw_links(const struct tp_diagram *d, const struct tp_layers *l, struct tp_canvas *canvas,
	double top, double bottom, struct tp_arena *arena)
{
	struct tp_canvas_link *links = tp_new_array(arena, struct tp_canvas_link, 2 * l->link_count);
	double most = heaviest(l);
	size_t count = 0;

	for (size_t i = 0; i < l->link_count; i++)
		count += add_link(d, l, i, top, most, arena, links + count);
	canvas->ops->links(canvas, links, count, bottom);
}

static void
put_line(struct tp_canvas *canvas, struct tp_x x, double y, enum tp_ink ink, int weight,
	struct tp_slice words, struct tp_slice title, double share)
{
	char cut[TEXT_BUF];
	double room = share * canvas->width_px - 2 * PAD_PX - BAR_PX;

	TP_WRITE(canvas, .x = x, .y = y, .ink = ink, .weight = weight,
		.text = tp_label_cut(words, TEXT_PX, weight, room, cut, sizeof cut), .title = title);
}

static void
draw_box(const struct tp_box *b, const struct tp_layer_item *item, double share,
	struct tp_canvas *canvas, double top, struct tp_arena *arena)
{
	struct tp_x left = {item->x - share / 2, 0}, right = {item->x + share / 2, 0};
	struct tp_slice title =
		tp_arena_printf(arena, "%.*s%s%.*s%s%.*s", TP_ARG(b->label), b->note.len != 0 ? ": " : "",
			TP_ARG(b->note), b->more.len != 0 ? "; " : "", TP_ARG(b->more));

	canvas->ops->fill(canvas, left, right, top, BOX_PX, TP_INK_TRACK);
	canvas->ops->mark(
		canvas, left, (struct tp_x){left.share, BAR_PX}, top, BOX_PX, b->hue, b->tint, title);
	canvas->ops->frame(
		canvas, left, right, top, BOX_PX, b->strong ? TP_INK_INK : TP_INK_LINE2, b->strong ? 2 : 1);
	left.px = BAR_PX + PAD_PX;
	put_line(
		canvas, left, top + LABEL_Y, TP_INK_INK, b->strong ? 600 : 500, b->label, title, share);
	put_line(canvas, left, top + NOTE_Y, TP_INK_INK2, 400, b->note, title, share);
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	const struct tp_diagram *d = chart->diagram;
	struct tp_arena *arena = tp_arena_new();
	struct tp_layers l;

	tp_layers_make(d, WIDEST_ROW, arena, &l);
	draw_links(d, &l, canvas, top, top + height(chart), arena);
	for (size_t i = 0; i < d->box_count; i++)
		draw_box(&d->boxes[i], &l.items[i], l.box_share, canvas, top + top_of(&l, i), arena);
	tp_arena_free(arena);
}

const struct tp_chart_layout tp_diagram_layout = {
	.height = height,
	.draw = draw,
};
