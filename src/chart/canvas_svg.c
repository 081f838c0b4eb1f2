/* A canvas that writes SVG: x in per cent with px offsets, text that keeps its size. Colours are those of the style sheet, by
 * class; where a reader's server or mail program refuses style sheets, the attributes beside the class hold. */
#include "chart/canvas_svg.h"

#include <stdio.h>

#include "chart/label.h"
#include "chart/palette.h"
#include "chart/row_names.h"
#include "template/html_writer.h"

static const char *const fill_class[] = {
	[TP_INK_INK] = "f-ink",
	[TP_INK_INK2] = "f-ink2",
	[TP_INK_INK3] = "f-ink3",
	[TP_INK_LINE] = "f-line",
	[TP_INK_LINE2] = "f-line2",
	[TP_INK_TRACK] = "f-track",
	[TP_INK_PAPER] = "f-paper",
	[TP_INK_ON_MARK] = "f-ink",
};
static const char *const stroke_class[] = {
	[TP_INK_INK] = "s-ink",
	[TP_INK_INK2] = "s-ink2",
	[TP_INK_INK3] = "s-ink3",
	[TP_INK_LINE] = "s-line",
	[TP_INK_LINE2] = "s-line2",
	[TP_INK_TRACK] = "s-track",
	[TP_INK_PAPER] = "s-paper",
	[TP_INK_ON_MARK] = "s-ink",
};
/* Text inherits ink2 at 11 px and weight 400 from the page's CSS; only what differs is said. */
static const char *const text_class[] = {
	[TP_INK_INK] = "f-ink",
	[TP_INK_INK2] = "",
	[TP_INK_INK3] = "f-ink3",
	[TP_INK_LINE] = "f-line",
	[TP_INK_LINE2] = "f-line2",
	[TP_INK_TRACK] = "f-track",
	[TP_INK_PAPER] = "f-paper",
	[TP_INK_ON_MARK] =
		"on-", /* and the hue's name: the readable colour differs between light and dark */
};

static const unsigned ink_rgb[] = {
	[TP_INK_INK] = 0x16191D,
	[TP_INK_INK2] = 0x4A525C,
	[TP_INK_INK3] = 0x646C77,
	[TP_INK_LINE] = 0xE3E6EA,
	[TP_INK_LINE2] = 0xC9CED5,
	[TP_INK_TRACK] = 0xECEEF1,
	[TP_INK_PAPER] = 0xFFFFFF,
	[TP_INK_ON_MARK] = 0x16191D,
};

static struct tp_html *
out_of(struct tp_canvas *c)
{
	return ((struct tp_canvas_svg *)c)->out;
}

struct tp_slice
tp_hue_class(enum tp_hue hue, int tint, char buf[static 32])
{
	struct tp_slice name = tp_hue_name(hue);
	int n;

	if (hue == TP_HUE_NONE)
		n = snprintf(buf, 32, "c-none");
	else if (tint == TP_TINT_UNRECORDED)
		n = snprintf(buf, 32, "c-%.*s dots", TP_ARG(name));
	else if (tp_is_hatched(hue, tint))
		n = snprintf(buf, 32, "c-%.*s hatch", TP_ARG(name));
	else if (tint > 0)
		n = snprintf(buf, 32, "c-%.*s t%d", TP_ARG(name), tint);
	else
		n = snprintf(buf, 32, "c-%.*s", TP_ARG(name));
	return (struct tp_slice){buf, (size_t)n < 32 ? (size_t)n : 31};
}

static void
colour_attr(struct tp_html *h, const char *name, unsigned rgb)
{
	tp_html_attrf(h, name, "#%06X", rgb);
}

static void
fill_attrs(struct tp_html *h, enum tp_ink ink)
{
	tp_html_attr(h, "class", tp_slice_of(fill_class[ink]));
	colour_attr(h, "fill", ink_rgb[ink]);
}

/* For programs that take ids away, and with them patterns. */
static unsigned
plain_rgb(enum tp_hue hue, int tint)
{
	return tint == TP_TINT_UNRECORDED ? ink_rgb[TP_INK_LINE2] : tp_hue_rgb(hue);
}

static void
hue_look_attrs(struct tp_html *h, enum tp_hue hue, int tint)
{
	if (tint == TP_TINT_UNRECORDED)
		tp_html_attrf(h, "fill", "url(#tp-dots) #%06X", plain_rgb(hue, tint));
	else if (tp_is_hatched(hue, tint))
		tp_html_attrf(
			h, "fill", "url(#tp-hatch-%.*s) #%06X", TP_ARG(tp_hue_name(hue)), plain_rgb(hue, tint));
	else
		colour_attr(h, "fill", tp_hue_rgb(hue));
	if (tint > 0 && tint < TP_TINTS)
		tp_html_attrf(h, "opacity", "%.3g", tp_tint_share(tint));
}

void
tp_svg_hue(struct tp_html *h, enum tp_hue hue, int tint)
{
	char buf[32];

	tp_html_attr(h, "class", tp_hue_class(hue, tint, buf));
	hue_look_attrs(h, hue, tint);
}

void
tp_svg_below_pattern(struct tp_html *h, enum tp_hue hue, int tint)
{
	if (tint == TP_TINT_UNRECORDED || tp_is_hatched(hue, tint))
		colour_attr(h, "fill", plain_rgb(hue, tint));
}

/* Of lines; around: of shapes that are not filled. */
static void
stroke_attrs(struct tp_html *h, const char *around, enum tp_ink ink, bool dashed)
{
	tp_html_attrf(h, "class", "%s%s%s%s", around, *around != '\0' ? " " : "", stroke_class[ink],
		dashed ? " dash" : "");
	colour_attr(h, "stroke", ink_rgb[ink]);
	if (*around != '\0')
		tp_html_attr(h, "fill", TP_S("none"));
	if (dashed)
		tp_html_attr(h, "stroke-dasharray", TP_S("3 2"));
}

/* A number with at most three decimals and no trailing zeros, followed by suffix. */
static void
number_attr(struct tp_html *h, const char *name, double number, const char *suffix)
{
	char buf[48];
	int n = snprintf(buf, sizeof buf, "%.3f", number);

	while (n > 0 && buf[n - 1] == '0')
		n--;
	if (n > 0 && buf[n - 1] == '.')
		n--;
	if (n == 2 && buf[0] == '-' && buf[1] == '0') {
		buf[0] = '0';
		n = 1;
	}
	tp_html_attrf(h, name, "%.*s%s", n, buf, suffix);
}

static void
share_attr(struct tp_html *h, const char *name, double share)
{
	number_attr(h, name, share * 100, share == 0 ? "" : "%");
}

/* Attributes x, y, width, height of a rectangle. */
static void
box_attrs(struct tp_html *h, struct tp_x left, struct tp_x right, double top, double height)
{
	if (left.share != 0)
		share_attr(h, "x", left.share);
	if (right.share != left.share)
		share_attr(h, "width", right.share - left.share);
	else
		number_attr(h, "width", right.px - left.px, "");
	if (top != 0)
		number_attr(h, "y", top, "");
	number_attr(h, "height", height, "");
	if (left.px != 0)
		tp_html_attrf(h, "transform", "translate(%g)", left.px);
}

static void
inset(struct tp_canvas *c, double left_px, double right_px)
{
	c->width_px -= left_px + right_px;
	if (c->narrow_px > 0)
		c->narrow_px -= tp_row_names_phone_px(left_px) + right_px;
}

static void
mark(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_hue hue, int tint, struct tp_slice title)
{
	struct tp_html *h = out_of(c);

	tp_html_open(h, "rect");
	tp_svg_hue(h, hue, tint);
	box_attrs(h, left, right, top, height);
	if (title.len > 0)
		tp_html_element(h, "title", NULL, title);
	tp_html_close(h);
}

/* Where pieces meet, rounding must not leave a line of paper; the group is drawn as one, so that pale hues do not darken there. */
static const double overlap_share = .0005;

static void
area(struct tp_canvas *c, const struct tp_canvas_piece *pieces, size_t count, enum tp_hue hue,
	int tint)
{
	struct tp_html *h = out_of(c);

	if (count == 0)
		return;
	tp_html_open(h, "g");
	tp_svg_hue(h, hue, tint);
	tp_html_attr(h, "shape-rendering", TP_S("crispEdges"));
	for (size_t i = 0; i < count; i++) {
		const struct tp_canvas_piece *piece = &pieces[i];
		bool goes_on = i + 1 < count && piece[1].from == piece->to;

		tp_html_open(h, "rect");
		box_attrs(h, (struct tp_x){piece->from, 0},
			(struct tp_x){piece->to + (goes_on ? overlap_share : 0), 0}, piece->top, piece->height);
		if (piece->title.len > 0)
			tp_html_element(h, "title", NULL, piece->title);
		tp_html_close(h);
	}
	tp_html_close(h);
}

static void
heat(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height, int step,
	struct tp_slice title)
{
	struct tp_html *h = out_of(c);

	tp_html_open(h, "rect");
	tp_html_attrf(h, "class", "h%d", step);
	colour_attr(h, "fill", tp_heat_rgb(step));
	box_attrs(h, left, right, top, height);
	if (title.len > 0)
		tp_html_element(h, "title", NULL, title);
	tp_html_close(h);
}

static void
fill(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_ink ink)
{
	struct tp_html *h = out_of(c);

	tp_html_open(h, "rect");
	fill_attrs(h, ink);
	box_attrs(h, left, right, top, height);
	tp_html_close(h);
}

static void
frame(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_ink ink, double stroke_px)
{
	struct tp_html *h = out_of(c);

	tp_html_open(h, "rect");
	stroke_attrs(h, "frame", ink, false);
	number_attr(h, "stroke-width", stroke_px, "");
	box_attrs(h, left, right, top, height);
	tp_html_close(h);
}

static void
line(struct tp_canvas *c, struct tp_x x0, double y0, struct tp_x x1, double y1, enum tp_ink ink,
	double stroke_px, bool dashed)
{
	struct tp_html *h = out_of(c);

	tp_html_open(h, "line");
	stroke_attrs(h, "", ink, dashed);
	if (x0.share != 0)
		share_attr(h, "x1", x0.share);
	share_attr(h, "x2", x1.share);
	number_attr(h, "y1", y0, "");
	number_attr(h, "y2", y1, "");
	if (stroke_px != 1)
		number_attr(h, "stroke-width", stroke_px, "");
	if (x0.px != 0)
		tp_html_attrf(h, "transform", "translate(%g)", x0.px);
	tp_html_close(h);
}

/* "x,y x,y …" in a box 1000 wide. */
static void
points_attr(
	struct tp_html *h, const double *xs, const double *ys, size_t count, bool area, double bottom)
{
	enum { ROOM = 32 }; /* for one point */
	char buf[512 * ROOM];
	size_t used = 0;

	if (area && count > 0)
		used += (size_t)snprintf(buf, ROOM, "%.5g,%.4g ", xs[0] * 1000, bottom);
	for (size_t i = 0; i < count && used < sizeof buf - 2 * ROOM; i++)
		used += (size_t)snprintf(
			buf + used, ROOM, "%s%.5g,%.4g", i > 0 ? " " : "", xs[i] * 1000, ys[i]);
	if (area && count > 0)
		used += (size_t)snprintf(buf + used, ROOM, " %.5g,%.4g", xs[count - 1] * 1000, bottom);
	tp_html_attr(h, "points", (struct tp_slice){buf, used});
}

static void
curve(struct tp_canvas *c, struct tp_x left, struct tp_x right, const double *xs, const double *ys,
	size_t count, bool area, double bottom, enum tp_ink ink, double stroke_px)
{
	struct tp_html *h = out_of(c);

	tp_html_open(h, "svg");
	tp_html_attrf(h, "viewBox", "0 0 1000 %g", bottom);
	tp_html_attr(h, "preserveAspectRatio", TP_S("none"));
	box_attrs(h, left, right, 0, bottom);
	if (area) {
		tp_html_open(h, "polygon");
		fill_attrs(h, TP_INK_TRACK);
		points_attr(h, xs, ys, count, true, bottom);
		tp_html_close(h);
	}
	tp_html_open(h, "polyline");
	stroke_attrs(h, "curve", ink, false);
	number_attr(h, "stroke-width", stroke_px, "");
	tp_html_attr(h, "vector-effect", TP_S("non-scaling-stroke"));
	points_attr(h, xs, ys, count, false, bottom);
	tp_html_close(h);
	tp_html_close(h);
}

static void
dot(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_ink ink)
{
	struct tp_html *h = out_of(c);

	tp_html_open(h, "circle");
	fill_attrs(h, ink);
	share_attr(h, "cx", x.share);
	number_attr(h, "cy", y, "");
	number_attr(h, "r", radius_px, "");
	if (x.px != 0)
		tp_html_attrf(h, "transform", "translate(%g)", x.px);
	tp_html_close(h);
}

static void
disc(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_hue hue, bool pale,
	struct tp_slice title)
{
	struct tp_html *h = out_of(c);
	char buf[32];

	tp_html_open(h, "circle");
	if (pale) {
		tp_html_attr(h, "class", TP_S("pale"));
		colour_attr(h, "fill", ink_rgb[TP_INK_INK3]);
		tp_html_attrf(h, "opacity", "%g", TP_PALE_SHARE);
	} else {
		tp_html_attrf(h, "class", "%.*s edge", TP_ARG(tp_hue_class(hue, 0, buf)));
		hue_look_attrs(h, hue, 0);
		colour_attr(h, "stroke", ink_rgb[TP_INK_PAPER]);
	}
	share_attr(h, "cx", x.share);
	number_attr(h, "cy", y, "");
	number_attr(h, "r", radius_px, "");
	if (x.px != 0)
		tp_html_attrf(h, "transform", "translate(%g)", x.px);
	if (title.len > 0)
		tp_html_element(h, "title", NULL, title);
	tp_html_close(h);
}

static void
link_path(struct tp_html *h, const struct tp_canvas_link *l)
{
	double middle = (l->y0 + l->y1) / 2, x0 = l->x0 * 1000, x1 = l->x1 * 1000;

	tp_html_open(h, "path");
	stroke_attrs(h, "curve", l->ink, l->dashed);
	number_attr(h, "stroke-width", l->stroke_px, "");
	tp_html_attr(h, "vector-effect", TP_S("non-scaling-stroke"));
	if (l->x0 == l->x1)
		tp_html_attrf(h, "d", "M%.5g %.5gV%.5g", x0, l->y0, l->y1);
	else
		tp_html_attrf(h, "d", "M%.5g %.5gC%.5g %.5g %.5g %.5g %.5g %.5g", x0, l->y0, x0, middle, x1,
			middle, x1, l->y1);
	if (l->title.len > 0)
		tp_html_element(h, "title", NULL, l->title);
	tp_html_close(h);
}

/* In an SVG of its own, because the lines' one has no square pixels. */
static void
link_head(struct tp_html *h, const struct tp_canvas_link *l)
{
	bool up = l->head == TP_HEAD_AT_START;

	tp_html_open(h, "svg");
	share_attr(h, "x", up ? l->x0 : l->x1);
	number_attr(h, "y", up ? l->y0 : l->y1, "");
	tp_html_open(h, "path");
	fill_attrs(h, l->ink);
	tp_html_attr(h, "d", up ? TP_S("M-4 0h8L0-5z") : TP_S("M-4 0h8L0 5z"));
	tp_html_close(h);
	tp_html_close(h);
}

static void
links(struct tp_canvas *c, const struct tp_canvas_link *l, size_t count, double bottom)
{
	struct tp_html *h = out_of(c);

	if (count == 0)
		return;
	tp_html_open(h, "svg");
	tp_html_attrf(h, "viewBox", "0 0 1000 %g", bottom);
	tp_html_attr(h, "preserveAspectRatio", TP_S("none"));
	box_attrs(h, (struct tp_x){0, 0}, (struct tp_x){1, 0}, 0, bottom);
	for (size_t i = 0; i < count; i++)
		link_path(h, &l[i]);
	tp_html_close(h);
	for (size_t i = 0; i < count; i++) {
		if (l[i].head != TP_HEAD_NONE)
			link_head(h, &l[i]);
	}
}

static void
text_class_attr(struct tp_html *h, const struct tp_canvas_text *t, bool halo)
{
	struct tp_slice hue = t->ink == TP_INK_ON_MARK ? tp_hue_name(t->on) : TP_S("");
	char buf[96];
	int n = snprintf(buf, sizeof buf, "%s%.*s%s%s%s%s%s%s%s%s%s%s", text_class[t->ink], TP_ARG(hue),
		t->anchor == TP_ANCHOR_MIDDLE ? " mid" : "", t->anchor == TP_ANCHOR_END ? " end" : "",
		t->size_px == 12 ? " px12" : "",
		t->weight >= 600       ? " w6"
			: t->weight >= 500 ? " w5"
							   : "",
		t->wide ? " wide" : "", t->narrow ? " narrow" : "", t->tight ? " tight" : "",
		t->roomy ? " roomy" : "",
		!halo           ? ""
			: t->ground ? " halo ground"
						: " halo",
		t->cell ? " cell" : "");
	size_t lead = n > 0 && buf[0] == ' ';

	if (n > (int)lead)
		tp_html_attr(h, "class", (struct tp_slice){buf + lead, (size_t)n - lead});
}

/* What the classes say, where it is not what every text of the drawing has (templates/chart.html). */
static void
text_look_attrs(struct tp_html *h, const struct tp_canvas_text *t, bool halo)
{
	if (t->ink == TP_INK_ON_MARK && tp_hue_is_dark(t->on))
		colour_attr(h, "fill", ink_rgb[TP_INK_PAPER]);
	else if (t->ink != TP_INK_INK2)
		colour_attr(h, "fill", ink_rgb[t->ink]);
	if (t->anchor != TP_ANCHOR_START)
		tp_html_attr(h, "text-anchor", t->anchor == TP_ANCHOR_END ? TP_S("end") : TP_S("middle"));
	if (t->weight >= 500)
		tp_html_attrf(h, "font-weight", "%d", t->weight);
	if (t->narrow || t->roomy)
		tp_html_attr(h, "display", TP_S("none"));
	if (halo) {
		colour_attr(h, "stroke", ink_rgb[TP_INK_PAPER]);
		tp_html_attr(h, "stroke-width", t->ground ? TP_S("10") : TP_S("4"));
	}
}

static void
write_text(struct tp_html *h, const struct tp_canvas_text *t, bool halo)
{
	tp_html_open(h, "text");
	text_class_attr(h, t, halo);
	text_look_attrs(h, t, halo);
	if (t->x.share != 0)
		share_attr(h, "x", t->x.share);
	if (t->x.px != 0)
		number_attr(h, "dx", t->x.px, "");
	number_attr(h, "y", t->y, "");
	if (t->title.len > 0)
		tp_html_element(h, "title", NULL, t->title);
	tp_html_text(h, t->text);
	tp_html_close(h);
}

/* A halo is the same text once more with a thick outline, below the text itself. */
static void
text(struct tp_canvas *c, const struct tp_canvas_text *t)
{
	if (t->text.len == 0)
		return;
	if (t->halo)
		write_text(out_of(c), t, true);
	write_text(out_of(c), t, false);
}

static double
measure(struct tp_canvas *c, struct tp_slice s, double size_px, int weight)
{
	(void)c;
	return tp_label_width(s, size_px, weight);
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
tp_canvas_svg_init(struct tp_canvas_svg *c, struct tp_html *out, double width_px, double narrow_px)
{
	*c = (struct tp_canvas_svg){
		.canvas = {.ops = &ops, .width_px = width_px, .narrow_px = narrow_px}, .out = out};
}
