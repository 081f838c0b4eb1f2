/* The canvas on cairo: rectangles, hatching and curves as vector paths in the palette of print, text set by pango in the report's
 * fonts. */
#include "chart/canvas_cairo.h"

#include <math.h>

#include <pango/pangocairo.h>

#include "chart/palette.h"
#include "chart/visible.h"

/* The light palette with pure black ink and slightly darker greys, for thin type on paper. */
static const unsigned ink_rgb[] = {
	[TP_INK_INK] = 0x000000,
	[TP_INK_INK2] = 0x3A414A,
	[TP_INK_INK3] = 0x565E68,
	[TP_INK_LINE] = 0xDFE2E6,
	[TP_INK_LINE2] = 0xB9BFC7,
	[TP_INK_TRACK] = 0xECEEF1,
	[TP_INK_PAPER] = 0xFFFFFF,
	[TP_INK_ON_MARK] = 0x16191D,
};

static void
set_rgb(cairo_t *cr, unsigned rgb, double keep)
{
	double red = (rgb >> 16 & 255) / 255.0, green = (rgb >> 8 & 255) / 255.0;
	double blue = (rgb & 255) / 255.0;

	cairo_set_source_rgb(cr, 1 - keep * (1 - red), 1 - keep * (1 - green), 1 - keep * (1 - blue));
}

void
tp_cairo_set_ink(cairo_t *cr, enum tp_ink ink)
{
	set_rgb(cr, ink_rgb[ink], 1);
}

static void
set_heat(cairo_t *cr, int step)
{
	set_rgb(cr, tp_heat_rgb(step), 1);
}

static void
set_pale(cairo_t *cr)
{
	set_rgb(cr, ink_rgb[TP_INK_INK3], TP_PALE_SHARE);
}

/* Lines at 45° over the box, which go on in boxes beside it; those of idle time lean the other way, so that nobody takes them for a
 * grey class. They are drawn one by one, not as a pattern: viewers blur patterns. */
static void
hatch(cairo_t *cr, double x, double y, double width, double height, enum tp_hue hue)
{
	bool idle = hue == TP_HUE_IDLE;
	double step = TP_HATCH_PERIOD_PX * sqrt(2);
	/* Where a line meets the top of the box, and how far it has moved on at the bottom. */
	double lean = idle ? height : -height, shift = idle ? -y : y;
	double first = idle ? x - height : x, end = x + width + (idle ? 0 : height);

	cairo_save(cr);
	cairo_rectangle(cr, x, y, width, height);
	cairo_clip(cr);
	for (double at = (floor((first + shift) / step) + .5) * step - shift; at < end + step;
		 at += step) {
		cairo_move_to(cr, at, y);
		cairo_line_to(cr, at + lean, y + height);
	}
	set_rgb(cr, idle ? TP_HATCH_RGB : tp_hue_rgb(hue), 1);
	cairo_set_line_width(cr, idle ? TP_IDLE_HATCH_PX : TP_HATCH_PX);
	cairo_stroke(cr);
	cairo_restore(cr);
}

/* Dots over the box, as dashed lines: a page of them is still small. */
static void
dots(cairo_t *cr, double x, double y, double width, double height)
{
	static const double dashes[] = {
		TP_UNRECORDED_DOT_PX, TP_HATCH_PERIOD_PX - TP_UNRECORDED_DOT_PX};

	cairo_save(cr);
	cairo_rectangle(cr, x, y, width, height);
	cairo_clip(cr);
	for (double at = y + TP_HATCH_PERIOD_PX / 2.; at < y + height; at += TP_HATCH_PERIOD_PX) {
		cairo_move_to(cr, x, at);
		cairo_line_to(cr, x + width, at);
	}
	set_rgb(cr, TP_HATCH_RGB, 1);
	cairo_set_dash(cr, dashes, 2, 0);
	cairo_set_line_width(cr, TP_UNRECORDED_DOT_PX);
	cairo_stroke(cr);
	cairo_restore(cr);
}

/* Below the lines or the dots. */
static void
set_ground(cairo_t *cr, enum tp_hue hue, int tint)
{
	if (tint < TP_TINTS)
		set_rgb(cr, tp_hue_rgb(hue), tp_tint_share(tint));
	else
		tp_cairo_set_ink(cr, TP_INK_PAPER);
}

void
tp_cairo_mark(
	cairo_t *cr, double x, double y, double width, double height, enum tp_hue hue, int tint)
{
	if (!(width > 0) || !(height > 0))
		return;
	set_ground(cr, hue, tint);
	cairo_rectangle(cr, x, y, width, height);
	cairo_fill(cr);
	if (tp_is_hatched(hue, tint))
		hatch(cr, x, y, width, height, hue);
	else if (tint == TP_TINT_UNRECORDED)
		dots(cr, x, y, width, height);
}

enum { LONGEST_LABEL = 400 };
static const double halo_stroke = 4, ground_stroke = 10;

static struct tp_canvas_cairo *
self(struct tp_canvas *c)
{
	return (struct tp_canvas_cairo *)c;
}

static double
place(const struct tp_canvas *c, struct tp_x x)
{
	return ((const struct tp_canvas_cairo *)c)->left_px + x.share * c->width_px + x.px;
}

static void
inset(struct tp_canvas *c, double left_px, double right_px)
{
	self(c)->left_px += left_px;
	c->width_px -= left_px + right_px;
}

static void
mark(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_hue hue, int tint, struct tp_slice title)
{
	double x = place(c, left);

	(void)title; /* paper has no tooltips */
	tp_cairo_mark(self(c)->cr, x, top, place(c, right) - x, height, hue, tint);
}

static void
area(struct tp_canvas *c, const struct tp_canvas_piece *pieces, size_t count, enum tp_hue hue,
	int tint)
{
	cairo_t *cr = self(c)->cr;
	double left, top, right, bottom;

	cairo_save(cr);
	cairo_new_path(cr);
	for (size_t i = 0; i < count; i++) {
		double x = place(c, (struct tp_x){pieces[i].from, 0});

		cairo_rectangle(
			cr, x, pieces[i].top, place(c, (struct tp_x){pieces[i].to, 0}) - x, pieces[i].height);
	}
	cairo_path_extents(cr, &left, &top, &right, &bottom);
	cairo_clip(cr);
	tp_cairo_mark(cr, left, top, right - left, bottom - top, hue, tint);
	cairo_restore(cr);
}

static void
heat(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height, int step,
	struct tp_slice title)
{
	double x = place(c, left);

	(void)title;
	set_heat(self(c)->cr, step);
	cairo_rectangle(self(c)->cr, x, top, place(c, right) - x, height);
	cairo_fill(self(c)->cr);
}

static void
fill(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_ink ink)
{
	cairo_t *cr = self(c)->cr;
	double x = place(c, left);

	tp_cairo_set_ink(cr, ink);
	cairo_rectangle(cr, x, top, place(c, right) - x, height);
	cairo_fill(cr);
}

static void
frame(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_ink ink, double stroke_px)
{
	cairo_t *cr = self(c)->cr;
	double x = place(c, left);

	tp_cairo_set_ink(cr, ink);
	cairo_set_line_width(cr, stroke_px);
	cairo_rectangle(cr, x, top, place(c, right) - x, height);
	cairo_stroke(cr);
}

static void
line(struct tp_canvas *c, struct tp_x x0, double y0, struct tp_x x1, double y1, enum tp_ink ink,
	double stroke_px, bool dashed)
{
	cairo_t *cr = self(c)->cr;
	static const double dashes[] = {3, 2};

	cairo_save(cr);
	tp_cairo_set_ink(cr, ink);
	cairo_set_line_width(cr, stroke_px);
	cairo_set_dash(cr, dashes, dashed ? 2 : 0, 0);
	cairo_move_to(cr, place(c, x0), y0);
	cairo_line_to(cr, place(c, x1), y1);
	cairo_stroke(cr);
	cairo_restore(cr);
}

static void
curve(struct tp_canvas *c, struct tp_x left, struct tp_x right, const double *xs, const double *ys,
	size_t count, bool area, double bottom, enum tp_ink ink, double stroke_px)
{
	cairo_t *cr = self(c)->cr;
	double x = place(c, left), width = place(c, right) - x;

	if (count == 0)
		return;
	cairo_new_path(cr); /* setting a text leaves a point behind */
	if (area) {
		cairo_move_to(cr, x + xs[0] * width, bottom);
		for (size_t i = 0; i < count; i++)
			cairo_line_to(cr, x + xs[i] * width, ys[i]);
		cairo_line_to(cr, x + xs[count - 1] * width, bottom);
		cairo_close_path(cr);
		tp_cairo_set_ink(cr, TP_INK_TRACK);
		cairo_fill(cr);
	}
	for (size_t i = 0; i < count; i++)
		cairo_line_to(cr, x + xs[i] * width, ys[i]);
	cairo_save(cr);
	tp_cairo_set_ink(cr, ink);
	cairo_set_line_width(cr, stroke_px);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	cairo_stroke(cr);
	cairo_restore(cr);
}

static void
dot(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_ink ink)
{
	cairo_t *cr = self(c)->cr;

	tp_cairo_set_ink(cr, ink);
	cairo_new_sub_path(cr);
	cairo_arc(cr, place(c, x), y, radius_px, 0, 2 * M_PI);
	cairo_fill(cr);
}

static void
disc(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_hue hue, bool pale,
	struct tp_slice title)
{
	cairo_t *cr = self(c)->cr;

	(void)title;
	cairo_save(cr);
	cairo_new_sub_path(cr);
	cairo_arc(cr, place(c, x), y, radius_px, 0, 2 * M_PI);
	if (pale) {
		set_pale(cr);
		cairo_fill(cr);
	} else {
		tp_cairo_set_ink(cr, TP_INK_PAPER);
		cairo_set_line_width(cr, 2); /* half of it stays outside of the mark */
		cairo_stroke_preserve(cr);
		cairo_clip(cr);
		tp_cairo_mark(
			cr, place(c, x) - radius_px, y - radius_px, 2 * radius_px, 2 * radius_px, hue, 0);
	}
	cairo_restore(cr);
}

static void
draw_link(struct tp_canvas *c, const struct tp_canvas_link *l)
{
	cairo_t *cr = self(c)->cr;
	double x0 = place(c, (struct tp_x){l->x0, 0}), x1 = place(c, (struct tp_x){l->x1, 0});
	double middle = (l->y0 + l->y1) / 2;
	bool up = l->head == TP_HEAD_AT_START;
	static const double dashes[] = {3, 2};

	cairo_save(cr);
	tp_cairo_set_ink(cr, l->ink);
	cairo_set_line_width(cr, l->stroke_px);
	cairo_set_dash(cr, dashes, l->dashed ? 2 : 0, 0);
	cairo_new_path(cr);
	cairo_move_to(cr, x0, l->y0);
	cairo_curve_to(cr, x0, middle, x1, middle, x1, l->y1);
	cairo_stroke(cr);
	if (l->head != TP_HEAD_NONE) {
		cairo_move_to(cr, (up ? x0 : x1) - 4, up ? l->y0 : l->y1);
		cairo_rel_line_to(cr, 8, 0);
		cairo_rel_line_to(cr, -4, up ? -5 : 5);
		cairo_fill(cr);
	}
	cairo_restore(cr);
}

static void
links(struct tp_canvas *c, const struct tp_canvas_link *l, size_t count, double bottom)
{
	(void)bottom;
	for (size_t i = 0; i < count; i++)
		draw_link(c, &l[i]);
}

static PangoLayout *
set(struct tp_canvas *c, struct tp_slice text, double size_px, int weight)
{
	PangoLayout *layout = pango_layout_new(self(c)->pango);
	PangoFontDescription *font = pango_font_description_new();
	PangoAttrList *attributes = pango_attr_list_new();
	GString *shown = g_string_new(NULL);

	pango_font_description_set_family_static(font, "Inter");
	pango_font_description_set_weight(font, (PangoWeight)weight);
	pango_font_description_set_absolute_size(font, size_px * PANGO_SCALE);
	pango_layout_set_font_description(layout, font);
	pango_font_description_free(font);
	pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1, calt=0"));
	pango_layout_set_attributes(layout, attributes);
	pango_attr_list_unref(attributes);
	pango_layout_set_single_paragraph_mode(layout, TRUE);
	tp_visible_append(shown, text, LONGEST_LABEL);
	pango_layout_set_text(layout, shown->str, (int)shown->len);
	g_string_free(shown, TRUE);
	return layout;
}

static double
layout_width(PangoLayout *layout)
{
	int width;

	pango_layout_get_size(layout, &width, NULL);
	return (double)width / PANGO_SCALE;
}

static void
text(struct tp_canvas *c, const struct tp_canvas_text *t)
{
	static const double shift[] = {
		[TP_ANCHOR_START] = 0, [TP_ANCHOR_MIDDLE] = .5, [TP_ANCHOR_END] = 1};
	cairo_t *cr = self(c)->cr;
	PangoLayout *layout = set(c, t->text, t->size_px, t->weight);
	PangoLayoutLine *first = pango_layout_get_line_readonly(layout, 0);
	double x = place(c, t->x) - shift[t->anchor] * layout_width(layout);

	if (t->halo) {
		cairo_save(cr);
		cairo_move_to(cr, x, t->y);
		pango_cairo_layout_line_path(cr, first);
		tp_cairo_set_ink(cr, TP_INK_PAPER);
		cairo_set_line_width(cr, t->ground ? ground_stroke : halo_stroke);
		cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
		cairo_stroke(cr);
		cairo_restore(cr);
	}
	bool white = t->ink == TP_INK_ON_MARK && tp_hue_is_dark(t->on);

	tp_cairo_set_ink(cr, white ? TP_INK_PAPER : t->ink);
	cairo_move_to(cr, x, t->y);
	pango_cairo_show_layout_line(cr, first);
	g_object_unref(layout);
}

static double
measure(struct tp_canvas *c, struct tp_slice t, double size_px, int weight)
{
	PangoLayout *layout = set(c, t, size_px, weight);
	double width = layout_width(layout);

	g_object_unref(layout);
	return width;
}

static const struct tp_canvas_ops ops = {
	.inset = inset,
	.mark = mark,
	.area = area,
	.heat = heat,
	.fill = fill,
	.frame = frame,
	.line = line,
	.curve = curve,
	.dot = dot,
	.disc = disc,
	.links = links,
	.text = text,
	.measure = measure,
};

void
tp_canvas_cairo_init(struct tp_canvas_cairo *c, cairo_t *cr, PangoContext *pango, double width_px)
{
	*c = (struct tp_canvas_cairo){
		.canvas = {.ops = &ops, .width_px = width_px}, .cr = cr, .pango = pango};
	cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
	cairo_new_path(cr);
}
