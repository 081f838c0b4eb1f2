/* Labels: how wide a text is, which of several fit, how to move those apart that must all stay; names in bars. */
#ifndef TP_CHART_LABEL_H
#define TP_CHART_LABEL_H

#include "chart/canvas.h"

/* Width in px of a text set in the report's face; an estimate from that face's advance widths. */
double tp_label_width(struct tp_slice text, double size_px, int weight);

/* The longest beginning of text that fits max_px, followed by "…" when anything was left out. Points into text or buf. */
struct tp_slice tp_label_cut(
	struct tp_slice text, double size_px, int weight, double max_px, char *buf, size_t buf_size);

/* A label that takes low…high px along a line. */
struct tp_label_span {
	double low, high;
	bool kept;
};

/* Keeps each label, in order of importance, that stays `gap` px away from all kept before it. */
void tp_labels_drop(struct tp_label_span *labels, size_t count, double gap);

/* Moves positions (ascending) apart until neighbours are at least `gap` px from each other, each as little as possible;
 * the first is not moved below `low`, nor the last above `high` when there is room for all. */
void tp_labels_spread(double *positions, size_t count, double gap, double low, double high);

/* A bar that is labelled, in shares of the width. */
struct tp_bar {
	double from, to;
	double next;     /* up to where nothing is right of it; `to` where that is not known */
	enum tp_hue hue; /* NONE where it is pale */
};

/* In a bar, on the line y, its label where it fits; else right of it, where all of it fits there; else as much as fits in the bar, and
 * nothing where that could not be read. On a phone it is placed by the phone's width. title: its tooltip. */
void tp_bar_label_draw(struct tp_canvas *canvas, struct tp_slice label, struct tp_bar bar, double y,
	struct tp_slice title);

#endif
