/* Labels of a scatter chart: each takes the first of its places that is free on a wide and on a narrow page; one that has none
 * keeps its number, or is dropped: the table below has it. */
#include "chart/scatter.h"

#include <math.h>
#include <stdio.h>

#include "chart/label.h"

enum {
	MOST_BOXES = 512,
	ROOF_BOXES = 48, /* that stand for the roof's line */
	LONGEST_PX = 170,
	ASCENT_PX = 9,
	DESCENT_PX = 3,
	GAP_PX = 5,    /* between mark and label */
	ABOVE_PX = 18, /* that labels may stand above the plot, beside the axis' title */
	LINE_PX = 13,  /* from one label to the next below it */
	PLACES = 10,
	ROOF_PLACES = 8,
	END_PLACES = 2,
	LABEL_BUF = 256,
};

/* A page is at most so much wider than what labels are fitted for. */
#define WIDEST_TIMES 1.55

struct box {
	double x0, x1, y0, y1;
};

struct boxes {
	struct box list[MOST_BOXES];
	size_t count;
};

/* What is taken already on a page of one width. */
struct page {
	double width_px;     /* 0: there is no such page */
	struct boxes labels; /* and marks that have one */
	struct boxes lines;  /* the roof, the ridge, and marks without a label: no name lies on them */
};

/* What is free on a page and on a wider one may not be between them, where marks stand farther apart but labels do not. */
enum { NARROW, FITTED, WIDER, WIDEST, PAGES };

struct labelling {
	const struct tp_scatter_plot *p;
	struct page pages[PAGES];
};

static bool
overlaps(const struct boxes *taken, struct box b)
{
	for (size_t i = 0; i < taken->count; i++) {
		const struct box *t = &taken->list[i];

		if (b.x0 < t->x1 && t->x0 < b.x1 && b.y0 < t->y1 && t->y0 < b.y1)
			return true;
	}
	return false;
}

static bool
is_free(const struct page *page, struct box b, bool cross)
{
	return page->width_px <= 0 ||
		(b.x0 >= 0 && b.x1 <= page->width_px && !overlaps(&page->labels, b) &&
			(cross || !overlaps(&page->lines, b)));
}

/* On all pages, or on all but the narrow one. */
static bool
is_free_on(const struct labelling *l, const struct box b[static PAGES], bool cross, bool wide_only)
{
	for (int i = wide_only ? FITTED : NARROW; i < PAGES; i++) {
		if (!is_free(&l->pages[i], b[i], cross))
			return false;
	}
	return true;
}

static void
take(struct boxes *taken, struct box b)
{
	if (taken->count < MOST_BOXES)
		taken->list[taken->count++] = b;
}

static void
take_label(struct labelling *l, const struct box b[static PAGES], bool wide_only)
{
	for (int i = wide_only ? FITTED : NARROW; i < PAGES; i++)
		take(&l->pages[i].labels, b[i]);
}

static struct box
around(double x_px, double y, double half_px)
{
	return (struct box){x_px - half_px, x_px + half_px, y - half_px, y + half_px};
}

/* Where a text may stand: beside (dx, dy) of a share of the width. */
struct place {
	struct tp_x x;
	double y; /* base line */
	enum tp_anchor anchor;
};

static struct box
box_of(struct place at, double length_px, double width_px)
{
	double x = at.x.share * width_px + at.x.px;
	double left = at.anchor == TP_ANCHOR_END ? x - length_px
		: at.anchor == TP_ANCHOR_MIDDLE      ? x - length_px / 2
											 : x;

	return (struct box){left, left + length_px, at.y - ASCENT_PX, at.y + DESCENT_PX};
}

/* The boxes on all pages of a text of this length, and on the narrow one of that. */
static void
boxes_of(const struct labelling *l, struct place at, double length_px, double narrow_px,
	struct box out[static PAGES])
{
	for (int i = 0; i < PAGES; i++)
		out[i] = box_of(at, i == NARROW ? narrow_px : length_px, l->pages[i].width_px);
}

static bool
is_inside(const struct tp_scatter_plot *p, struct box b)
{
	return b.y0 >= p->top - ABOVE_PX && b.y1 <= p->base;
}

static void
write_text(const struct labelling *l, struct place at, struct tp_slice text, struct tp_slice whole,
	enum tp_ink ink, int weight, bool wide)
{
	TP_WRITE(l->p->canvas, .x = at.x, .y = at.y, .anchor = at.anchor, .ink = ink, .weight = weight,
		.wide = wide && l->p->canvas->narrow_px > 0, .halo = true, .text = text,
		.title = whole.len != text.len ? whole : TP_S(""));
}

/* How a label may stand, the best first. */
static const struct tolerance {
	bool cross, wide_only;
} tolerances[] = {{false, false}, {false, true}, {true, false}, {true, true}};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };

/* Writes a text at the first place that is free; not on a phone when it is free on wide pages only. */
static void
write_at(struct labelling *l, const struct place *places, size_t count, struct tp_slice text,
	enum tp_ink ink, int weight, bool may_cross)
{
	double length = tp_label_width(text, TP_SCATTER_TEXT_PX, weight);

	for (size_t n = 0; n < TOLERANCES * count; n++) {
		const struct tolerance *t = &tolerances[n / count];
		const struct place *at = &places[n % count];
		struct box boxes[PAGES];

		boxes_of(l, *at, length, length, boxes);
		if ((t->cross && !may_cross) || !is_inside(l->p, boxes[FITTED]) ||
			!is_free_on(l, boxes, t->cross, t->wide_only))
			continue;
		write_text(l, *at, text, text, ink, weight, t->wide_only);
		take_label(l, boxes, t->wide_only);
		return;
	}
}

/* Right, left, above and below of a mark, and at its corners. */
static void
places_of(const struct tp_scatter_plot *p, const struct tp_point *point, double radius,
	struct place out[static PLACES])
{
	double share = tp_scatter_x(p, point->x), y = tp_scatter_y(p, point->y);
	double beside = radius + GAP_PX;

	out[0] = (struct place){{share, beside}, y + 4, TP_ANCHOR_START};
	out[1] = (struct place){{share, -beside}, y + 4, TP_ANCHOR_END};
	out[2] = (struct place){{share, GAP_PX}, y - beside, TP_ANCHOR_START};
	out[3] = (struct place){{share, GAP_PX}, y + beside + ASCENT_PX, TP_ANCHOR_START};
	out[4] = (struct place){{share, -GAP_PX}, y - beside, TP_ANCHOR_END};
	out[5] = (struct place){{share, -GAP_PX}, y + beside + ASCENT_PX, TP_ANCHOR_END};
	for (size_t i = 0; i < 4; i++) {
		out[6 + i] = out[i % 2];
		out[6 + i].y += i < 2 ? LINE_PX : -LINE_PX;
	}
}

static double
radius_of(const struct tp_scatter_plot *p, const struct tp_point *point)
{
	return point->role == TP_POINT_NAMED ? tp_scatter_radius(p, point) : 6;
}

/* Number and name stand side by side; the number alone where only that is free; neither where they would lie on a line. */
static void
label_named(struct labelling *l, const struct tp_point *point)
{
	char number_buf[16], name_buf[LABEL_BUF];
	struct tp_slice number = {
		number_buf, (size_t)snprintf(number_buf, sizeof number_buf, "%u", point->number)};
	struct tp_slice name =
		tp_label_cut(point->label, TP_SCATTER_TEXT_PX, 400, LONGEST_PX, name_buf, sizeof name_buf);
	double number_px = tp_label_width(number, TP_SCATTER_TEXT_PX, 600);
	double name_px = tp_label_width(name, TP_SCATTER_TEXT_PX, 400), space_px = 4;
	struct place places[PLACES];

	places_of(l->p, point, radius_of(l->p, point), places);
	for (size_t n = 0; n < PLACES; n++) {
		struct place at = places[n], beside = at;
		struct box boxes[PAGES];

		boxes_of(l, at, number_px + space_px + name_px, number_px, boxes);
		if (!is_inside(l->p, boxes[FITTED]) || !is_free_on(l, boxes, false, false))
			continue;
		beside.x.px += at.anchor == TP_ANCHOR_END ? -number_px - space_px : number_px + space_px;
		write_text(l, at, number, number, TP_INK_INK, 600, false);
		write_text(l, beside, name, point->label, TP_INK_INK2, 400, true);
		take_label(l, boxes, false);
		return;
	}
	write_at(l, places, PLACES, number, TP_INK_INK, 600, false);
}

static void
label_whole(struct labelling *l, const struct tp_point *point)
{
	struct place places[PLACES];

	places_of(l->p, point, radius_of(l->p, point), places);
	write_at(l, places, PLACES, point->label, TP_INK_INK, 500, true);
}

/* Above the flat ceiling at its right end; along a slope on its upper side, the middle first, else on its lower side; a line that
 * others are too near to, above its upper end. */
static void
label_ceiling(struct labelling *l, const struct tp_ceiling *k)
{
	static const double along[ROOF_PLACES] = {.5, .4, .6, .3, .7, .2, .8, .1};
	const struct tp_scatter_plot *p = l->p;
	struct place places[2 * ROOF_PLACES + END_PLACES];
	enum tp_ink ink = k->minor ? TP_INK_INK3 : TP_INK_INK;
	double flat = tp_scatter_flat(p->scatter);

	if (k->y > 0) {
		places[0] = (struct place){{1, 0}, tp_scatter_y(p, k->y) - 6, TP_ANCHOR_END};
		write_at(l, places, 1, k->label, ink, 500, true);
		return;
	}
	double begin = log10(tp_scatter_begin(p, k));
	double end = log10((flat > 0 ? flat : pow(10, p->y.high)) / k->slope);

	for (size_t i = 0; i < ROOF_PLACES; i++) {
		double x = pow(10, begin + along[i] * (end - begin));

		places[i] = (struct place){
			{tp_scatter_x(p, x), -8}, tp_scatter_y(p, x * k->slope) - 2, TP_ANCHOR_END};
		places[ROOF_PLACES + i] = (struct place){{tp_scatter_x(p, x), 8},
			tp_scatter_y(p, x * k->slope) + ASCENT_PX + 2, TP_ANCHOR_START};
	}
	double top_end = tp_scatter_x(p, pow(10, end)),
		   above = tp_scatter_y(p, pow(10, end) * k->slope) - 6;

	places[2 * ROOF_PLACES] = (struct place){{top_end, 0}, above, TP_ANCHOR_START};
	places[2 * ROOF_PLACES + 1] = (struct place){{top_end, 0}, above, TP_ANCHOR_END};
	write_at(l, places, 2 * ROOF_PLACES + (k->minor ? END_PLACES : 0), k->label, ink, 500, true);
}

/* "ridge 137" at the foot of the line under the corner of the roof. */
static void
label_ridge(struct labelling *l)
{
	const struct tp_scatter_plot *p = l->p;
	double flat = tp_scatter_flat(p->scatter);

	for (size_t i = 0; flat > 0 && i < p->scatter->ceiling_count; i++) {
		const struct tp_ceiling *k = &p->scatter->ceilings[i];
		char figure_buf[TP_VALUE_BUF], buf[LABEL_BUF];

		if (!(k->slope > 0) || k->minor)
			continue;
		double x = flat / k->slope, share = tp_scatter_x(p, x);
		struct tp_slice figure =
			tp_value_figure(tp_number(x, p->scatter->x_unit), figure_buf).number;
		int n = snprintf(buf, sizeof buf, "ridge %.*s", TP_ARG(figure));
		struct place places[] = {
			{{share, -4}, p->base - 5, TP_ANCHOR_END},
			{{share, 4}, p->base - 5, TP_ANCHOR_START},
			{{share, -4}, p->base - 21, TP_ANCHOR_END},
		};

		write_at(l, places, 3, (struct tp_slice){buf, (size_t)n}, TP_INK_INK3, 400, true);
	}
}

static struct box
piece(double share, double length, double y, double width_px)
{
	return (struct box){
		(share - length / 2) * width_px, (share + length / 2) * width_px, y - 1, y + 1};
}

static struct box
upright(double x_px, double top, double height)
{
	return (struct box){x_px - 1, x_px + 1, top, top + height};
}

/* What a slope covers, up to the flat ceiling. */
static void
take_slope(struct labelling *l, const struct tp_ceiling *k, double flat)
{
	const struct tp_scatter_plot *p = l->p;
	double begin = tp_scatter_x(p, tp_scatter_begin(p, k)), step = (1 - begin) / ROOF_BOXES;

	for (int n = 0; n < ROOF_BOXES; n++) {
		double share = begin + (n + .5) * step;
		double y = k->slope * pow(10, p->x.low + share * (p->x.high - p->x.low));
		double y_px = tp_scatter_y(p, flat > 0 && y > flat ? flat : y);

		for (int i = 0; i < PAGES; i++)
			take(&l->pages[i].lines, piece(share, step, y_px, l->pages[i].width_px));
	}
}

static void
take_roof(struct labelling *l)
{
	const struct tp_scatter_plot *p = l->p;
	double flat = tp_scatter_flat(p->scatter), height = p->base - p->top;

	for (size_t i = 0; i < p->scatter->ceiling_count; i++) {
		const struct tp_ceiling *k = &p->scatter->ceilings[i];

		if (!(k->slope > 0) || k->minor)
			continue;
		take_slope(l, k, flat);
		if (flat <= 0)
			continue;
		double ridge = tp_scatter_x(p, flat / k->slope);

		for (int n = 0; n < PAGES; n++)
			take(&l->pages[n].lines, upright(ridge * l->pages[n].width_px, p->top, height));
	}
}

/* Clear of the lines beside it, which then are taken one by one: label_minor. */
static void
label_roof(struct labelling *l)
{
	const struct tp_scatter *s = l->p->scatter;

	for (size_t i = 0; i < s->ceiling_count; i++) {
		if (s->ceilings[i].minor && s->ceilings[i].slope > 0)
			take_slope(l, &s->ceilings[i], tp_scatter_flat(s));
	}
	for (size_t i = 0; i < s->ceiling_count; i++) {
		if (!s->ceilings[i].minor)
			label_ceiling(l, &s->ceilings[i]);
	}
	for (int i = 0; i < PAGES; i++)
		l->pages[i].lines.count = 0;
}

/* Marks without a label may be very many: the last of them may be covered. */
static void
take_others(struct labelling *l)
{
	const struct tp_scatter_plot *p = l->p;

	for (size_t i = 0; i < p->scatter->point_count; i++) {
		const struct tp_point *point = &p->scatter->points[i];
		double share = tp_scatter_x(p, point->x), y = tp_scatter_y(p, point->y);
		double radius = tp_scatter_radius(p, point);

		if (point->role != TP_POINT_OTHER)
			continue;
		for (int n = 0; n < PAGES; n++)
			take(&l->pages[n].lines, around(share * l->pages[n].width_px, y, radius));
	}
}

/* Lines beside the roof, the steepest first: each label has its line at right, so that of the next keeps clear of the ones before. */
static void
label_minor(struct labelling *l)
{
	const struct tp_scatter *s = l->p->scatter;
	double flat = tp_scatter_flat(s), last = INFINITY;

	for (;;) {
		const struct tp_ceiling *next = NULL;

		for (size_t i = 0; i < s->ceiling_count; i++) {
			const struct tp_ceiling *k = &s->ceilings[i];

			if (k->minor && k->slope < last && (next == NULL || k->slope > next->slope))
				next = k;
		}
		if (next == NULL)
			return;
		label_ceiling(l, next);
		if (next->slope > 0)
			take_slope(l, next, flat);
		last = next->slope;
	}
}

static void
label_role(struct labelling *l, enum tp_point_role role)
{
	for (size_t i = 0; i < l->p->scatter->point_count; i++) {
		const struct tp_point *point = &l->p->scatter->points[i];

		if (point->role != role)
			continue;
		if (role == TP_POINT_NAMED)
			label_named(l, point);
		else
			label_whole(l, point);
	}
}

void
tp_scatter_label(const struct tp_scatter_plot *p)
{
	double title_px = tp_label_width(p->scatter->y_title, TP_SCATTER_TEXT_PX, 400);
	struct box title = {0, title_px, p->top - ABOVE_PX, p->top - GAP_PX};
	double fitted = p->canvas->width_px, narrow = p->canvas->narrow_px;
	struct labelling l = {.p = p,
		.pages = {
			[NARROW].width_px = narrow,
			[FITTED].width_px = fitted,
			/* Only SVG, which has a narrow page, is stretched. */
			[WIDER].width_px = narrow > 0 ? fitted * (1 + WIDEST_TIMES) / 2 : 0,
			[WIDEST].width_px = narrow > 0 ? fitted * WIDEST_TIMES : 0,
		}};

	for (int i = 0; i < PAGES; i++)
		take(&l.pages[i].labels, title);
	/* No label may cover a mark that has one. */
	for (size_t i = 0; i < p->scatter->point_count; i++) {
		const struct tp_point *point = &p->scatter->points[i];
		double share = tp_scatter_x(p, point->x), y = tp_scatter_y(p, point->y);
		double radius = radius_of(p, point);

		if (point->role == TP_POINT_OTHER)
			continue;
		for (int n = 0; n < PAGES; n++)
			take(&l.pages[n].labels, around(share * l.pages[n].width_px, y, radius));
	}
	label_roof(&l);
	take_roof(&l);
	take_others(&l);
	label_role(&l, TP_POINT_WHOLE);
	label_role(&l, TP_POINT_NAMED);
	label_role(&l, TP_POINT_MEAN);
	label_ridge(&l);
	label_minor(&l);
}
