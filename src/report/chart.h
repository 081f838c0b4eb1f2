/* The charts of the document: data with units; how they are drawn is the matter of chart/. */
#ifndef TP_REPORT_CHART_H
#define TP_REPORT_CHART_H

#include "base/number.h"
#include "base/slice.h"
#include "report/judge.h"

/* Every kind of chart, once. A new one is a line here and, if it has data of its own, a member of struct tp_chart; a check
 * (check_<name> in report/check_chart.c), a layout (tp_<name>_layout in chart/) and its words (tp_<name>_words in render/). Who
 * forgets one is told by the compiler or the linker: all tables are made from this list. */
#define TP_CHART_KINDS(KIND)                                                                       \
	KIND(STACK, stack) /* one horizontal bar of parts that sum to the whole: points = 1 */         \
	KIND(STRIP, strip) /* stacked columns over points (steps), with rules (p50, p95) */            \
	KIND(BARS, bars)   /* a horizontal bar a point, sorted; several series stack */                \
	KIND(TILE, tile) /* what of a tile holds data: series data, padding; points lanes, sublanes */ \
	KIND(SCATTER, scatter)   /* points on two logarithmic axes below ceilings: a roofline */       \
	KIND(GRID, grid)         /* a heat map: cells in rows, darker where there is more */           \
	KIND(CURVES, curves)     /* lanes of intervals and curves, each on a scale of its own */       \
	KIND(FLAME, flame)       /* bars on top of each other, each above what it is a part of */      \
	KIND(DIAGRAM, diagram)   /* boxes, and arrows that lead down as far as cycles allow */         \
	KIND(TIMELINE, timeline) /* what ran when, on the lines of devices and threads */

struct tp_timeline;

enum tp_chart_kind {
#define TP_CHART_KIND(KIND, name) TP_CHART_##KIND,
	TP_CHART_KINDS(TP_CHART_KIND)
#undef TP_CHART_KIND
};

struct tp_series {
	struct tp_slice key;   /* in JSON: "input_wait" */
	struct tp_slice label; /* "Input wait" */
	enum tp_hue hue;
	int tint;             /* 0…3: sub-classes of one hue, darkest first; or a TP_TINT_… */
	const double *values; /* one for each point, in the chart's unit; ≥ 0 */
	/* STACK: how much of its value was paid for and not used, at most; drawn as its hatched end. 0: nothing is known of it */
	double unused;
	/* STRIP, BARS: the same of each point, drawn as the hatched top or end of its part; NULL: nothing is known */
	const double *unused_values;
	size_t unused_count;          /* 0, or as many as there are points */
	struct tp_slice unused_label; /* "of Collectives, waiting at most" */
};

enum tp_point_role {
	TP_POINT_OTHER, /* pale, without a label */
	TP_POINT_NAMED, /* numbered, in its hue, labelled where there is room */
	TP_POINT_WHOLE, /* a cross: the whole of which the others are parts */
	TP_POINT_MEAN,  /* a square: the average of such wholes */
};

struct tp_point {
	enum tp_point_role role;
	struct tp_slice label;
	double x, y;     /* > 0, in the units of their axes */
	double weight;   /* ≥ 0: the area of its mark */
	enum tp_hue hue; /* of NAMED */
	unsigned number; /* of NAMED: 1…, as in the table beside */
};

/* What no point can be above: y flat, or y = slope × x. */
struct tp_ceiling {
	struct tp_slice key;   /* in JSON: "hbm" */
	struct tp_slice label; /* "HBM 1.64 TB/s" */
	double y, slope;       /* > 0 one of them, 0 the other */
	bool minor;            /* drawn thin: not for the bytes of the x axis */
};

struct tp_scatter {
	enum tp_unit x_unit;
	struct tp_slice x_title, y_title;
	const struct tp_point *points; /* the more important of a role first */
	size_t point_count;
	const struct tp_ceiling *ceilings;
	size_t ceiling_count;
};

/* Cells in rows, the values in the chart's unit. */
struct tp_grid {
	struct tp_slice title;       /* above it; may be empty */
	const struct tp_slice *rows; /* names, left of them */
	size_t row_count, columns;
	size_t group;         /* so many cells belong together, as the cores of a chip; ≥ 1 */
	const double *values; /* [row × columns + column]; NaN: there is none */
	const struct tp_slice *labels; /* likewise */
	const struct tp_slice
		*notes; /* likewise, for tooltips: what else is to say of it; NULL: nothing */
	const struct tp_slice
		*places;      /* likewise, short, in the cells where there is room; NULL: their labels */
	double low, high; /* the ends of the scale, low < high */
	const size_t *marked; /* outlined cells, the most important first; the first is named */
	size_t marked_count;
	const size_t (*links)[2]; /* arrows from cell to cell */
	size_t link_count;
};

struct tp_rule {
	struct tp_slice label; /* "p50" */
	double value;
};

/* When something was there, as shares of the x axis. */
struct tp_lifetime {
	struct tp_slice label; /* "fusion.12" */
	struct tp_slice note;  /* "4.00 MiB"; may be empty */
	double from, to;       /* 0 ≤ from ≤ to ≤ 1 */
	enum tp_hue hue;
	int tint;
};

enum { TP_FLAME_MOST_ROWS = 64 };

/* A bar of a flame graph. */
struct tp_frame {
	struct tp_slice label; /* "Conv2d_0" */
	struct tp_slice note;  /* "12.3 ms, 8.1 %"; may be empty */
	unsigned row;          /* 0: the whole; what it is a part of is in the row before */
	double from, to;       /* shares of the width, 0 ≤ from ≤ to ≤ 1 */
	enum tp_hue hue;
	int tint;
};

enum tp_non_finite_kind {
	TP_NON_FINITE_NAN,
	TP_NON_FINITE_ABOVE,
	TP_NON_FINITE_BELOW,
	TP_NON_FINITE_KINDS
}; /* +∞, −∞ */

/* Where a curve has a value that is no number. */
struct tp_non_finite {
	double x;
	enum tp_non_finite_kind kind;
};

/* A curve; its scale goes from its least to its greatest value. */
struct tp_curve {
	struct tp_slice label;
	const double *xs, *ys; /* finite; xs within low…high of all */
	size_t count;
	bool held; /* a value is of the time since the point before, as a rate is: drawn in steps */
	uint64_t points; /* that these stand for: of each interval the least and the greatest */
	const struct tp_non_finite *non_finites; /* by x; an interval has one of a kind at most */
	size_t non_finite_count;
	uint64_t not_finite; /* points that these stand for */
};

/* From…to on the axis; as a moment, from = to, it is drawn as narrow as can be seen. */
struct tp_period {
	struct tp_slice label; /* "training 2" */
	struct tp_slice note;  /* "12.5 s"; may be empty */
	double from, to;       /* low ≤ from ≤ to ≤ high */
	enum tp_hue hue;
	int tint;
	bool open; /* its end is not known: `to` is the last that is known of it */
};

/* A row of intervals, which do not overlap. */
struct tp_lane {
	struct tp_slice label; /* "training" */
	const struct tp_period *periods;
	size_t count;
};

/* A moment that is marked through all lanes and curves. */
struct tp_moment {
	struct tp_slice label; /* "restart" */
	double at;
};

/* Lanes, below them curves, all over one axis; there is at least one of either. */
struct tp_curves {
	const struct tp_lane *lanes;
	size_t lane_count;
	const struct tp_curve *curves;
	size_t curve_count;
	const struct tp_moment *moments; /* by time */
	size_t moment_count;
	struct tp_slice x_title;       /* "step" */
	bool utc;                      /* the axis is in seconds since 1970 */
	double low, high;              /* of the axis, low < high */
	double window_from, window_to; /* a marked part of it; NaN: none */
	struct tp_slice window_label;
};

/* Enough for what can be looked at: who has more folds the rest into a box of its own. */
enum { TP_DIAGRAM_MOST_BOXES = 48, TP_DIAGRAM_MOST_ARROWS = 256 };

struct tp_box {
	struct tp_slice label; /* "conv1" */
	struct tp_slice note;  /* below it: "40 operations"; may be empty */
	struct tp_slice more;  /* for its tooltip and JSON alone; may be empty */
	enum tp_hue hue;       /* of the bar at its left */
	int tint;
	bool strong; /* what the drawing is about */
};

struct tp_arrow {
	size_t from, to; /* boxes, not the same; one arrow at most between two in each direction */
	double weight;   /* > 0: how thick it is */
	struct tp_slice label; /* "3 tensors"; for its tooltip and JSON; may be empty */
	bool control;          /* dashed: it says only what runs first */
};

struct tp_diagram {
	/* where there is a choice, the first are drawn further up and left */
	const struct tp_box *boxes;
	size_t box_count;
	const struct tp_arrow *arrows;
	size_t arrow_count;
};

struct tp_chart {
	enum tp_chart_kind kind;
	struct tp_slice alt; /* what the chart shows, in a sentence, with its main figures */
	enum tp_unit unit;
	bool legend;
	size_t series_count, point_count; /* of STACK, STRIP, BARS and TILE; else 0 */
	union {
		struct {
			/* in stacking order, which is that of the legend */
			const struct tp_series *series;
			const struct tp_slice *labels; /* of points: "4,231"; op names */
			const struct tp_rule *rules;
			size_t rule_count;
			size_t marked; /* index of the outlined point, or SIZE_MAX */
			/* by point, whether its figure is only a part, for the rest was not recorded: drawn without an upper edge; NULL:
			 * all are whole */
			const bool *open;
			/* STRIP: by point, whether nothing was recorded of it: a gap of zeros between columns, which then say their sums;
			 * NULL: all were recorded */
			const bool *absent;
			/* STRIP: points follow each other without a gap, as moments do: drawn as an area, with its peak marked */
			bool area;
			/* of an area over time: from when, ≥ 0, to when, for round ticks; both 0: points are named by their labels */
			double x_from, x_to;
			enum tp_unit x_unit;
			struct tp_slice
				marked_label; /* of the marked point, where its own label names its interval; may be empty */
			double
				marked_value; /* what is marked and named of that point, in unit, where it is less than the sum over its
									series; 0: that sum */
			/* STRIP: below it, over the same x axis; the axis has so many points, of which the strip's may be a choice. */
			struct tp_slice lifetimes_title;
			const struct tp_lifetime *lifetimes;
			size_t lifetime_count, axis_points;
		};
		const struct tp_scatter *scatter;
		const struct tp_grid *grid;
		const struct tp_curves *curves;
		struct {
			const struct tp_frame *frames; /* parts after what they are parts of */
			size_t frame_count;
		};
		const struct tp_diagram *diagram;
		const struct tp_timeline *timeline; /* report/timeline.h */
	};
};

/* The sum over all series at one point. */
static inline double
tp_chart_total(const struct tp_chart *chart, size_t point)
{
	double total = 0;

	for (size_t i = 0; i < chart->series_count; i++)
		total += chart->series[i].values[point];
	return total;
}

/* The largest of these sums. */
static inline double
tp_chart_largest(const struct tp_chart *chart)
{
	double most = 0;

	for (size_t i = 0; i < chart->point_count; i++)
		most = tp_chart_total(chart, i) > most ? tp_chart_total(chart, i) : most;
	return most;
}

#endif
