/* Layers of a node-link drawing: boxes in rows so that arrows lead down, few of them cross, and each is near what it is joined
 * to. Arrows that pass rows do so in lanes between the boxes; arrows that would lead up (there are cycles) are turned round. */
#ifndef TP_CHART_LAYERS_H
#define TP_CHART_LAYERS_H

#include "report/doc.h"

struct tp_arena;

/* A box, or a lane in which arrows of one box pass a row. */
struct tp_layer_item {
	/* the box; of a lane that from which its arrows come or, of turned ones, to which they lead */
	size_t box;
	bool lane;
	unsigned row;   /* 0: the uppermost */
	unsigned place; /* in its row, from the left */
	double x;       /* centre, a share of the width */
};

/* A piece of one or more arrows from an item to one in the row below. */
struct tp_layer_link {
	size_t upper, lower; /* items */
	double weight;       /* sum of its arrows' */
	size_t arrow;        /* the only one of it; SIZE_MAX: there are several */
	bool up;             /* its arrows lead up */
	bool control;        /* all of them are control */
	double from, to;     /* where it begins and ends, shares of the width */
};

struct tp_layers {
	struct tp_layer_item *items; /* the boxes first, by their number */
	size_t item_count;
	struct tp_layer_link *links;
	size_t link_count;
	unsigned row_count;
	double box_share, lane_share; /* their widths */
};

/* Memory is of the arena. Rows hold `widest` boxes at most. */
void tp_layers_make(
	const struct tp_diagram *d, unsigned widest, struct tp_arena *arena, struct tp_layers *out);

/* The row of each box, so that arrows lead down as far as cycles allow; turned: by arrow, whether it leads up. Returns how many
 * rows (layer_rows.c). */
unsigned tp_layer_rows(const struct tp_diagram *d, unsigned widest,
	unsigned rows[static TP_DIAGRAM_MOST_BOXES], bool turned[static TP_DIAGRAM_MOST_ARROWS]);

#endif
