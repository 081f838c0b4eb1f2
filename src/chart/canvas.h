/* What charts draw on. A chart is laid out once; two canvases make SVG or PDF of it. x is a share of the width plus an
 * offset in px, so that an SVG can write per cent and keep its text size on every screen; y is in px from the top. */
#ifndef TP_CHART_CANVAS_H
#define TP_CHART_CANVAS_H

#include "base/slice.h"
#include "report/doc.h"

struct tp_x {
	double share; /* 0…1 of the canvas's width */
	double px;
};

enum tp_ink {
	TP_INK_INK,
	TP_INK_INK2,
	TP_INK_INK3,
	TP_INK_LINE,
	TP_INK_LINE2,
	TP_INK_TRACK,
	TP_INK_PAPER,
	TP_INK_ON_MARK, /* text on a mark of the hue given: the readable one of ink and paper */
};

enum tp_anchor { TP_ANCHOR_START, TP_ANCHOR_MIDDLE, TP_ANCHOR_END };

struct tp_canvas_text {
	struct tp_x x;
	double y; /* baseline */
	enum tp_anchor anchor;
	enum tp_ink ink;
	enum tp_hue on; /* with TP_INK_ON_MARK */
	double size_px; /* 0: 11 */
	int weight;     /* 400, 500 or 600; 0: 400 */
	bool wide;      /* hidden on narrow screens */
	bool narrow;    /* shown on narrow screens only; never sent to a canvas whose narrow_px is 0 */
	bool tight;     /* hidden on very wide screens */
	bool roomy;     /* shown on very wide screens only; sent where `narrow` is */
	bool halo;      /* paper-coloured outline behind the text */
	bool ground;    /* with halo: so wide that nothing shows between the letters, as on hatching */
	bool cell;      /* in a heat map's cell, which a script may make another */
	struct tp_slice text;
	struct tp_slice title; /* tooltip: the whole text when `text` was cut; may be empty */
};

/* A piece of an area: a rectangle as wide as the time that it stands for. */
struct tp_canvas_piece {
	double from, to;       /* shares of the width */
	double top, height;    /* px */
	struct tp_slice title; /* tooltip, may be empty */
};

enum { TP_HEAT_STEPS = 7 };

enum tp_head { TP_HEAD_NONE, TP_HEAD_AT_START, TP_HEAD_AT_END };

/* A line from above to below that leaves and arrives vertically. Its head, a triangle of 5 px that points up at the start or
 * down at the end, is beyond the line. */
struct tp_canvas_link {
	double x0, x1; /* shares of the width */
	double y0, y1; /* px from the top, y0 ≤ y1 */
	enum tp_ink ink;
	double stroke_px;
	bool dashed;
	enum tp_head head;
	struct tp_slice title; /* tooltip, may be empty */
};

struct tp_canvas;

/* The two ends of a rectangle (mark, fill, frame) differ in share or in px, never in both: SVG has no "per cent plus px". */
struct tp_canvas_ops {
	/* Leaves room for labels: from here on shares are of the width between these margins, and labels are drawn in them.
	 * Called once at most, before anything that uses it. SVG: only width_px shrinks, the page's CSS makes the room. */
	void (*inset)(struct tp_canvas *c, double left_px, double right_px);
	/* A filled mark in a hue and tint as in tp_series; title: tooltip, may be empty. */
	void (*mark)(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top,
		double height, enum tp_hue hue, int tint, struct tp_slice title);
	/* An area in one hue, of pieces beside each other without a seam between them. */
	void (*area)(struct tp_canvas *c, const struct tp_canvas_piece *pieces, size_t count,
		enum tp_hue hue, int tint);
	/* A cell of a heat map: step 0 (least) … TP_HEAT_STEPS - 1; title: tooltip, may be empty. */
	void (*heat)(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top,
		double height, int step, struct tp_slice title);
	/* A plain filled rectangle. */
	void (*fill)(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top,
		double height, enum tp_ink ink);
	/* An outline; the stroke is centred on the edge of the box. */
	void (*frame)(struct tp_canvas *c, struct tp_x left, struct tp_x right, double top,
		double height, enum tp_ink ink, double stroke_px);
	/* A straight line, horizontal or vertical. */
	void (*line)(struct tp_canvas *c, struct tp_x x0, double y0, struct tp_x x1, double y1,
		enum tp_ink ink, double stroke_px, bool dashed);
	/* A curve through count points; xs are shares of the span left…right, ys px from the top. area: filled down to
	 * `bottom` in TRACK under the curve. */
	void (*curve)(struct tp_canvas *c, struct tp_x left, struct tp_x right, const double *xs,
		const double *ys, size_t count, bool area, double bottom, enum tp_ink ink,
		double stroke_px);
	void (*dot)(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_ink ink);
	/* A round mark with an edge of paper; pale: grey and without one, for the many. title: tooltip, may be empty. */
	void (*disc)(struct tp_canvas *c, struct tp_x x, double y, double radius_px, enum tp_hue hue,
		bool pale, struct tp_slice title);
	/* All links of a drawing; none is below `bottom`. */
	void (*links)(
		struct tp_canvas *c, const struct tp_canvas_link *links, size_t count, double bottom);
	void (*text)(struct tp_canvas *c, const struct tp_canvas_text *text);
	/* Width in px of a text, near enough to place labels. */
	double (*measure)(struct tp_canvas *c, struct tp_slice text, double size_px, int weight);
};

/* Embedded as the first member by each kind of canvas. */
struct tp_canvas {
	const struct tp_canvas_ops *ops;
	double width_px; /* SVG: the width that labels are fitted for; PDF: the true one */
	/* SVG: the width on a phone, for labels that must do there; 0: there is no other width */
	double narrow_px;
};

/* Writes a text; said is what is not 0, by its name: TP_WRITE(canvas, .x = {1, 0}, .y = y, .text = name). */
#define TP_WRITE(canvas, ...) tp_canvas_write((canvas), (struct tp_canvas_text){__VA_ARGS__})
static inline void
tp_canvas_write(struct tp_canvas *c, struct tp_canvas_text text)
{
	text.size_px = text.size_px == 0 ? 11 : text.size_px;
	text.weight = text.weight == 0 ? 400 : text.weight;
	c->ops->text(c, &text);
}

/* A text that is another one, or none, on narrow screens; the same where there are none. */
static inline void
tp_canvas_write_both(struct tp_canvas *c, struct tp_canvas_text text, struct tp_slice narrow)
{
	text.wide = !tp_slice_eq(narrow, text.text);
	if (text.text.len != 0)
		tp_canvas_write(c, text);
	if (!text.wide || narrow.len == 0)
		return;
	text.wide = false;
	text.narrow = true;
	text.text = narrow;
	tp_canvas_write(c, text);
}

/* The least width that a drawing may have: that of a phone where there is one. */
static inline double
tp_canvas_least_px(const struct tp_canvas *c)
{
	return c->narrow_px > 0 && c->narrow_px < c->width_px ? c->narrow_px : c->width_px;
}

#endif
