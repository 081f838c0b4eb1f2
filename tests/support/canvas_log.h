/* A canvas that remembers what was drawn on it, so that tests can look at a chart's layout in numbers. */
#ifndef TP_TESTS_CANVAS_LOG_H
#define TP_TESTS_CANVAS_LOG_H

#include "chart/canvas.h"

enum drawn_kind {
	DRAWN_MARK,
	DRAWN_AREA, /* a piece of one */
	DRAWN_HEAT,
	DRAWN_FILL,
	DRAWN_FRAME,
	DRAWN_LINE,
	DRAWN_CURVE,
	DRAWN_DOT,
	DRAWN_DISC, /* top: y, height: radius */
	DRAWN_LINK, /* left, right: where it begins and ends */
	DRAWN_TEXT
};

struct drawn {
	enum drawn_kind kind;
	struct tp_x left, right;
	double top,
		height; /* y and 0 for texts, dots and lines; of a curve: least y and the span of y */
	enum tp_hue hue;
	int tint;      /* of MARK and AREA */
	int step;      /* of HEAT */
	size_t points; /* of CURVE; the first of them follow */
	double xs[8], ys[8];
	struct tp_canvas_link link; /* of LINK; its title points into the buffer */
	struct tp_canvas_text text; /* its slices point into the two buffers */
	char words[128], title[256];
};

enum { MOST_DRAWN = 4096 };

struct canvas_log {
	struct tp_canvas canvas;
	double left_px, right_px; /* of inset */
	struct drawn drawn[MOST_DRAWN];
	size_t count;
};

/* A fresh canvas; one at a time. narrow_px 0: it has one width only. */
struct canvas_log *canvas_log(double width_px, double narrow_px);

/* The n-th thing of a kind; NULL when there are fewer. */
const struct drawn *drawn_nth(const struct canvas_log *log, enum drawn_kind kind, size_t n);
size_t drawn_count(const struct canvas_log *log, enum drawn_kind kind);

/* The text that says `words`; NULL when there is none. */
const struct drawn *drawn_text(const struct canvas_log *log, const char *words);

#endif
