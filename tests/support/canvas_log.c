/* A canvas that remembers what was drawn on it. */
#include "canvas_log.h"

#include "chart/label.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct drawn *
add(struct tp_canvas *c, enum drawn_kind kind, struct tp_x left, struct tp_x right, double top,
	double height)
{
	struct canvas_log *log = (struct canvas_log *)c;

	if (log->count == MOST_DRAWN)
		abort();
	struct drawn *d = &log->drawn[log->count++];

	*d = (struct drawn){.kind = kind, .left = left, .right = right, .top = top, .height = height};
	return d;
}

static void
inset(struct tp_canvas *c, double left_px, double right_px)
{
	struct canvas_log *log = (struct canvas_log *)c;

	log->left_px = left_px;
	log->right_px = right_px;
	c->width_px -= left_px + right_px;
	if (c->narrow_px > 0)
		c->narrow_px -= left_px;
}

static void
mark(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_hue hue, int tint, struct tp_slice title)
{
	struct drawn *d = add(c, DRAWN_MARK, left, right, top, height);

	d->hue = hue;
	d->tint = tint;
	snprintf(d->title, sizeof d->title, "%.*s", TP_ARG(title));
}

static void
area(struct tp_canvas *c, const struct tp_canvas_piece *pieces, size_t count, enum tp_hue hue,
	int tint)
{
	for (size_t i = 0; i < count; i++) {
		struct drawn *d = add(c, DRAWN_AREA, (struct tp_x){pieces[i].from, 0},
			(struct tp_x){pieces[i].to, 0}, pieces[i].top, pieces[i].height);

		d->hue = hue;
		d->tint = tint;
		snprintf(d->title, sizeof d->title, "%.*s", TP_ARG(pieces[i].title));
	}
}

static void
heat(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height, int step,
	struct tp_slice title)
{
	struct drawn *d = add(c, DRAWN_HEAT, left, right, top, height);

	d->step = step;
	snprintf(d->title, sizeof d->title, "%.*s", TP_ARG(title));
}

static void
fill(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_ink ink)
{
	(void)ink;
	add(c, DRAWN_FILL, left, right, top, height);
}

static void
frame(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top, double height,
	enum tp_ink ink, double stroke_px)
{
	(void)ink, (void)stroke_px;
	add(c, DRAWN_FRAME, left, right, top, height);
}

static void
line(struct tp_canvas *c, struct tp_x x0, double y0, struct tp_x x1, double y1, enum tp_ink ink,
	double stroke_px, bool dashed)
{
	(void)ink, (void)stroke_px, (void)dashed;
	add(c, DRAWN_LINE, x0, x1, y0, y1 - y0);
}

static void
curve(struct tp_canvas *c, struct tp_x left, struct tp_x right, const double *xs, const double *ys,
	size_t count, bool area, double bottom, enum tp_ink ink, double stroke_px)
{
	double least = INFINITY, most = -INFINITY;

	(void)area, (void)bottom, (void)ink, (void)stroke_px;
	for (size_t i = 0; i < count; i++) {
		least = fmin(least, ys[i]);
		most = fmax(most, ys[i]);
	}
	struct drawn *d = add(c, DRAWN_CURVE, left, right, least, most - least);

	d->points = count;
	for (size_t i = 0; i < count && i < sizeof d->xs / sizeof *d->xs; i++) {
		d->xs[i] = xs[i];
		d->ys[i] = ys[i];
	}
}

static void
dot(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_ink ink)
{
	(void)radius_px, (void)ink;
	add(c, DRAWN_DOT, x, x, y, 0);
}

static void
disc(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_hue hue, bool pale,
	struct tp_slice title)
{
	struct drawn *d = add(c, DRAWN_DISC, x, x, y, radius_px);

	d->hue = pale ? TP_HUE_NONE : hue;
	snprintf(d->title, sizeof d->title, "%.*s", TP_ARG(title));
}

static void
links(struct tp_canvas *c, const struct tp_canvas_link *l, size_t count, double bottom)
{
	(void)bottom;
	for (size_t i = 0; i < count; i++) {
		struct drawn *d = add(c, DRAWN_LINK, (struct tp_x){l[i].x0, 0}, (struct tp_x){l[i].x1, 0},
			l[i].y0, l[i].y1 - l[i].y0);

		d->link = l[i];
		snprintf(d->title, sizeof d->title, "%.*s", TP_ARG(l[i].title));
		d->link.title = tp_slice_of(d->title);
	}
}

static void
text(struct tp_canvas *c, const struct tp_canvas_text *t)
{
	struct drawn *d = add(c, DRAWN_TEXT, t->x, t->x, t->y, 0);

	d->text = *t;
	snprintf(d->words, sizeof d->words, "%.*s", TP_ARG(t->text));
	snprintf(d->title, sizeof d->title, "%.*s", TP_ARG(t->title));
	d->text.text = tp_slice_of(d->words);
	d->text.title = tp_slice_of(d->title);
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

struct canvas_log *
canvas_log(double width_px, double narrow_px)
{
	static struct canvas_log log;

	log =
		(struct canvas_log){.canvas = {.ops = &ops, .width_px = width_px, .narrow_px = narrow_px}};
	return &log;
}

const struct drawn *
drawn_nth(const struct canvas_log *log, enum drawn_kind kind, size_t n)
{
	for (size_t i = 0; i < log->count; i++)
		if (log->drawn[i].kind == kind && n-- == 0)
			return &log->drawn[i];
	return NULL;
}

size_t
drawn_count(const struct canvas_log *log, enum drawn_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < log->count; i++)
		count += log->drawn[i].kind == kind;
	return count;
}

const struct drawn *
drawn_text(const struct canvas_log *log, const char *words)
{
	for (size_t i = 0; i < log->count; i++)
		if (log->drawn[i].kind == DRAWN_TEXT && strcmp(log->drawn[i].words, words) == 0)
			return &log->drawn[i];
	return NULL;
}
