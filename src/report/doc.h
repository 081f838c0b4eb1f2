/* The document: what every renderer consumes. A tree of blocks that hold numbers with units, never formatted figures, plus
 * the list of headline metrics. Passes write it through the functions below; renderers only read it. Everything in it
 * lives as long as the arena that was given to tp_doc_new. All text may come from a hostile profile. */
#ifndef TP_REPORT_DOC_H
#define TP_REPORT_DOC_H

#include "base/map.h"
#include "base/number.h"
#include "base/slice.h"
#include "report/scope.h"

struct tp_arena;

/* A judgement is always shown as glyph and word (or sentence), never as colour alone. */
enum tp_judge {
	TP_JUDGE_NONE,
	TP_JUDGE_BAD,       /* ▲ */
	TP_JUDGE_WARN,      /* ■ */
	TP_JUDGE_GOOD,      /* ✓ */
	TP_JUDGE_UNDECIDED, /* ? */
	TP_JUDGE_ABSENT,    /* – not applicable or missing */
};

/* The eight classes of time that have a colour of their own in every chart. */
enum tp_hue {
	TP_HUE_NONE, /* not a class of time; what a zeroed cell has */
	TP_HUE_COMPUTE,
	TP_HUE_MEMORY,
	TP_HUE_COLLECTIVE,
	TP_HUE_INPUT,
	TP_HUE_OUTPUT,
	TP_HUE_HOST,
	TP_HUE_COMPILE,
	TP_HUE_IDLE, /* drawn hatched */
};

enum tp_style { TP_STYLE_PLAIN, TP_STYLE_STRONG, TP_STYLE_MUTED, TP_STYLE_CODE };

/* A piece of a sentence. Shown text: the value's when has_value, else text. */
struct tp_span {
	enum tp_style style;
	enum tp_judge
		judge; /* TP_JUDGE_NONE, else the span is just this glyph in its colour; text is empty */
	bool has_value;
	struct tp_value value;
	struct tp_slice text;
	struct tp_slice href;   /* "#anchor" within the document, or empty */
	struct tp_slice metric; /* id of the metric that the value is, or empty */
};

struct tp_text {
	const struct tp_span *spans;
	size_t count;
};

enum tp_block_kind {
	TP_BLOCK_SECTION,
	TP_BLOCK_PARAGRAPH,
	TP_BLOCK_VERDICT,
	TP_BLOCK_TILES,
	TP_BLOCK_TABLE,
	TP_BLOCK_CHART,
	TP_BLOCK_FINDING,
	TP_BLOCK_NOTICE,
};

enum tp_section_role {
	TP_SECTION_SUMMARY, /* the first screen and page 1; the document's first section, without a heading */
	TP_SECTION_MAIN,  /* h2, on the rail with its key figure */
	TP_SECTION_MINOR, /* the same, below the rule of the rail: environment, method */
	TP_SECTION_SUB,   /* h3 inside another */
	TP_SECTION_VIEW,  /* inside another; shown instead of all else when it is chosen */
	TP_SECTION_FOLD,  /* a <details> that is closed at first ("How computed"); printed small */
};

struct tp_section {
	enum tp_section_role role;
	struct tp_slice title;
	struct tp_value
		key_figure; /* MAIN, MINOR: on the rail and in the contents; may be a TEXT; MISSING with empty text: none */
	enum tp_judge judge; /* colours the key figure; BAD or WARN only where a finding points here */
	struct tp_text answer;  /* MAIN, MINOR: one bold sentence … */
	struct tp_text so_what; /* … and its grey second half; both may be empty */
	bool
		off_paper; /* SUB, VIEW, FOLD: detail to search in; a PDF has one line that says where it is */
	bool spare;    /* SUB: off paper, too, where a PDF would grow too long */
	struct tp_text
		aside; /* right of the heading, grey; may be empty ("mean of 60 steps × 32 cores = 128 ms") */
	struct tp_block *first; /* children in order */
	struct tp_block **tail; /* where the next goes (used by doc.c alone) */
};

enum tp_paragraph_role {
	TP_PARAGRAPH_BODY,
	TP_PARAGRAPH_RUN_LINE, /* name · run · hosts … */
	TP_PARAGRAPH_BECAUSE,  /* below the verdict */
	TP_PARAGRAPH_QUALITY,  /* the data quality line */
	TP_PARAGRAPH_COUNTS,   /* n checks passed ▸ … */
	TP_PARAGRAPH_SMALL,    /* a remark in grey */
	TP_PARAGRAPH_SOURCE,   /* "From file …" */
};

struct tp_paragraph {
	enum tp_paragraph_role role;
	const struct tp_text
		*items; /* RUN_LINE, QUALITY, COUNTS: several, shown with " · " between; else exactly one */
	size_t count;
};

/* "▲ Input-bound (high): 62.0 % of each step waits for input; / hiding it would make steps at most 2.6× faster." */
struct tp_verdict {
	enum tp_judge judge;
	struct tp_text name;        /* "Input-bound (high):" in the colour of the judgement */
	struct tp_text saw;         /* the rest of line 1 */
	struct tp_text consequence; /* line 2 */
};

struct tp_tile {
	struct tp_slice id;     /* stable within the document */
	struct tp_slice label;  /* "Step time" */
	struct tp_slice metric; /* id of the metric shown */
	struct tp_value value;
	struct tp_slice qualifier; /* after the unit: "median"; may be empty */
	enum tp_judge judge;       /* glyph before note 1; its word is in the note */
	struct tp_text note[2];    /* each at most some 25 characters */
	const double *spark;       /* NULL: none; else spark_count numbers */
	size_t spark_count;
};

struct tp_tiles {
	const struct tp_tile *tiles;
	size_t count;
};

struct tp_column {
	struct tp_slice key;   /* name in JSON: lower case, unit at the end ("self_ms") */
	struct tp_slice title; /* "Self time" */
	enum tp_unit
		unit;     /* NONE: texts, left; else numbers, right, shown in this unit (head names it) */
	int decimals; /* of numbers; TP_DECIMALS_BY_SIZE: each says its own unit */
	enum tp_unit
		shown_in; /* larger numbers read better in another unit, with two decimals; NONE: in unit */
	bool bar;     /* a share with a bar before it; the bar's full length is a share of 1 */
	bool code;    /* set in the fixed-width face: op names, shapes */
	bool sorted;  /* the rows are in descending order of this column */
};

struct tp_cell {
	struct tp_value value;
	struct tp_slice href; /* "#anchor" or empty */
	enum tp_hue
		swatch : 16; /* a coloured square before the text, and the colour of the bar; TP_HUE_NONE: none */
	unsigned
		tint : 16; /* of the swatch: 0…3, as of a series; together as large as an enum, for cells are many */
	enum tp_judge judge;    /* glyph before the text */
	struct tp_slice metric; /* id of the metric that the value is, or empty */
	struct tp_slice
		full; /* what the value is short for: a tooltip, and in JSON; empty: it is whole */
};

enum tp_row_role { TP_ROW_NORMAL, TP_ROW_GROUP, TP_ROW_TOTAL };

struct tp_row {
	struct tp_slice
		id; /* stable anchor within the document, e.g. "operations/convolution/fusion.12" */
	enum tp_row_role role;
	int depth; /* tree tables: 0 for the outermost; the next row with a greater depth is a child */
	const struct tp_cell *cells; /* one for each column */
};

/* A table whose rows are things with a lifetime, which the page's script shows on a strip. */
struct tp_table_life {
	struct tp_slice chart; /* the strip's id; it has axis_points */
	size_t start, end;     /* columns: it is there at points start + 1 … end */
	size_t kind;           /* column: of all kinds but "temporary" it is there at every point */
};

struct tp_table {
	struct tp_slice
		caption; /* what a row is and over what the figures are; also for screen readers */
	const struct tp_column *columns;
	size_t column_count;
	const struct tp_row *rows;
	size_t row_count;
	size_t
		shown; /* rows that stand open; the others are folded (HTML) or left out with a line saying so (PDF) */
	bool tree; /* depths matter */
	int open_depth; /* tree: rows deeper than this stand shut at first, and are not printed; 0: none does */
	bool numbered;                    /* ranks 1… before the first column */
	const struct tp_table_life *life; /* NULL: none */
};

enum tp_chart_kind {
	TP_CHART_STACK, /* one horizontal bar of parts that sum to the whole, with a legend: points = 1 */
	TP_CHART_STRIP, /* stacked columns over points (steps), with rules (p50, p95) and one outlined point */
	TP_CHART_SCATTER, /* points on two logarithmic axes below ceilings: a roofline; only `scatter` holds data */
	TP_CHART_GRID, /* a heat map: cells in rows, darker where there is more; only `grid` holds data */
	TP_CHART_BARS, /* a horizontal bar a point, sorted, labelled at left, figure at right; several series stack */
	TP_CHART_TILE, /* how much of a tile holds data: two points, along lanes and along sublanes; two series, data and padding */
	TP_CHART_CURVES, /* lanes of intervals and curves, each on a scale of its own, below each other over one axis; only `curves`
						holds data */
	TP_CHART_FLAME, /* bars on top of each other, each above what it is a part of, as wide as its part of the whole; only
					   `frames` hold data */
	TP_CHART_GRAPH, /* boxes, and arrows from one to another that lead down as far as cycles allow; only `diagram` holds data */
};

struct tp_series {
	struct tp_slice key;   /* in JSON: "input_wait" */
	struct tp_slice label; /* "Input wait" */
	enum tp_hue hue;
	int tint;             /* 0…3: sub-classes of one hue, darkest first */
	const double *values; /* one for each point, in the chart's unit; ≥ 0 */
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
		*notes;           /* likewise, for tooltips: what else is to say of it; NULL: nothing */
	double low, high;     /* the ends of the scale, low < high */
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

enum tp_odd_kind { TP_ODD_NAN, TP_ODD_ABOVE, TP_ODD_BELOW, TP_ODD_KINDS }; /* +∞, −∞ */

/* Where a curve has a value that is no number. */
struct tp_odd {
	double x;
	enum tp_odd_kind kind;
};

/* A curve; its scale goes from its least to its greatest value. */
struct tp_curve {
	struct tp_slice label;
	const double *xs, *ys; /* finite; xs within low…high of all */
	size_t count;
	bool held; /* a value is of the time since the point before, as a rate is: drawn in steps */
	uint64_t points; /* that these stand for: of each stretch the least and the greatest */
	const struct tp_odd *odds; /* by x; a stretch has one of a kind at most */
	size_t odd_count;
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
	const struct tp_box
		*boxes; /* where there is a choice, the first are drawn further up and left */
	size_t box_count;
	const struct tp_arrow *arrows;
	size_t arrow_count;
};

struct tp_chart {
	enum tp_chart_kind kind;
	struct tp_slice alt; /* what the chart shows, in a sentence, with its main figures */
	enum tp_unit unit;
	const struct tp_series *series; /* in stacking order; the one that the verdict names is last */
	size_t series_count;
	const struct tp_slice *labels; /* of points: "4,231"; op names */
	size_t point_count;
	const struct tp_rule *rules;
	size_t rule_count;
	size_t marked; /* index of the outlined point, or SIZE_MAX */
	const bool *
		open; /* by point, whether its figure is only a part, for the rest was not recorded: drawn without
						 an upper edge; NULL: all are whole */
	bool legend;
	const struct tp_scatter *scatter; /* SCATTER, else NULL */
	const struct tp_grid *grid;       /* GRID, else NULL */
	const struct tp_curves *curves;   /* CURVES, else NULL */
	const struct tp_frame *frames;    /* FLAME, else NULL; parts after what they are parts of */
	size_t frame_count;
	const struct tp_diagram *diagram; /* GRAPH, else NULL */
	/* STRIP: below it, over the same x axis; the axis has so many points, of which the strip's may be a choice. */
	struct tp_slice lifetimes_title;
	const struct tp_lifetime *lifetimes;
	size_t lifetime_count, axis_points;
};

enum tp_finding_status {
	TP_FINDING_OPEN,
	TP_FINDING_PASSED,
	TP_FINDING_NOT_APPLICABLE,
	TP_FINDING_UNDECIDED
};

/* What we saw → why it matters → do this → check. Passed checks are findings too. */
struct tp_finding {
	struct tp_slice id; /* "TPR-INPUT-001" */
	enum tp_finding_status status;
	enum tp_judge severity; /* OPEN: BAD high, WARN medium, NONE low */
	struct tp_slice name;   /* the check in a few words: "Waiting for input" */
	struct tp_text
		title; /* OPEN: one sentence with its number; else why it passed, does not apply or is undecided */
	struct tp_text brief; /* OPEN: one line of what to do */
	struct tp_text saw, matters;
	const struct tp_text *actions; /* 1–3 concrete steps */
	size_t action_count;
	struct tp_text check;    /* which metric should move, and where to */
	struct tp_text evidence; /* links */
	struct tp_value measured, limit;
	struct tp_value
		saving; /* at most, a step (ms) ; MISSING with the reason when it cannot be bounded */
	struct tp_slice saving_note; /* "a step", "a step, after 1" */
	enum tp_hue hue;             /* of the class of time that it would save */
};

struct tp_finding_block {
	const struct tp_finding *finding;
	unsigned number;       /* 1… for open findings in order; 0: none */
	bool brief;            /* the short form of the first screen */
	struct tp_value scale; /* the mean step, for the bar of the saving; may be missing */
};

struct tp_notice {
	enum tp_judge judge;
	struct tp_text text;
};

struct tp_block {
	enum tp_block_kind kind;
	struct tp_slice
		id; /* stable: anchor, JSON key and diff key ("operations", "steps/by-class"); see tp_doc_id */
	struct tp_block *next;
	union {
		struct tp_section section;
		struct tp_paragraph paragraph;
		struct tp_verdict verdict;
		struct tp_tiles tiles;
		struct tp_table table;
		struct tp_chart chart;
		struct tp_finding_block finding;
		struct tp_notice notice;
	};
};

struct tp_metric {
	struct tp_slice id; /* "step.time.mean_ms", with scope: "step.time.mean_ms@host=host0" */
	struct tp_slice label;
	struct tp_value value;
	struct tp_slice how;      /* the formula and its inputs, in words; empty with a scope */
	struct tp_slice coverage; /* "18 of 20 steps"; may be empty */
	struct tp_slice
		scopes; /* by what the figure is given besides: "@host", "@host,device"; may be empty */
	struct tp_metric *next;
};

struct tp_doc {
	struct tp_arena *arena;
	struct tp_slice title;       /* "jax_cnn · 2026_11_21_02_41_41" */
	struct tp_slice name;        /* "jax_cnn" */
	struct tp_slice run;         /* "2026_11_21_02_41_41" */
	struct tp_slice description; /* one sentence for metadata: the verdict */
	struct tp_slice version;     /* of tpreport */
	int64_t
		made_unix_s; /* SOURCE_DATE_EPOCH, else the end of the capture, else 0: never the clock */
	struct tp_block *first, **tail;
	struct tp_metric *metrics, **metrics_tail;
	/* To find one by its id (used by doc.c alone): number by hash, and the metrics by number. */
	struct tp_map metric_numbers;
	struct tp_metric **numbered;
	uint32_t metric_count, metric_room;
};

/* An empty document in arena. */
struct tp_doc *tp_doc_new(struct tp_arena *arena);

/* A sentence. In markup: *strong*, _muted_, `code`, [label](#anchor), {} takes the next value and {step.time.mean_ms} the
 * value of a metric that is registered already. {} also stands within code, labels and anchors. Values are copied and
 * never parsed, so hostile names are safe. A backslash takes the next character as it is; a marker between two letters or
 * between two spaces is itself. Too few values or an unknown metric: missing. */
struct tp_text tp_doc_say(
	struct tp_doc *doc, const char *markup, const struct tp_value *values, size_t count);
#define TP_SAY(doc, markup, ...)                                                                   \
	tp_doc_say((doc), (markup), (const struct tp_value[]){__VA_ARGS__},                            \
		sizeof((const struct tp_value[]){__VA_ARGS__}) / sizeof(struct tp_value))
#define TP_SAY0(doc, markup) tp_doc_say((doc), (markup), NULL, 0)

/* The same text led by a judgement's glyph. */
struct tp_text tp_doc_judged(struct tp_doc *doc, enum tp_judge judge, struct tp_text text);

/* a followed by b. */
struct tp_text tp_doc_join(struct tp_doc *doc, struct tp_text a, struct tp_text b);

/* Adds a block at the end of parent's children (NULL: top level, sections only) and returns it, zeroed but for kind and
 * id; the caller fills the rest. A section is ready to take children. */
struct tp_block *tp_doc_add(
	struct tp_doc *doc, struct tp_block *parent, enum tp_block_kind kind, struct tp_slice id);

struct tp_block *tp_doc_section(struct tp_doc *doc, struct tp_block *parent,
	enum tp_section_role role, const char *id, const char *title);
/* The section with this id that was added already, for passes that write into one that another opened; NULL: none. */
struct tp_block *tp_doc_find_section(struct tp_doc *doc, const char *id);
struct tp_block *tp_doc_paragraph(struct tp_doc *doc, struct tp_block *parent,
	enum tp_paragraph_role role, const char *id, struct tp_text text);

/* The id "prefix/name" for what is named in the profile: bytes of the name that ids may not hold (blanks, controls,
 * quotes, < > & % \, all beyond ASCII) become %XX, so different names have different ids. */
struct tp_slice tp_doc_id(struct tp_doc *doc, const char *prefix, struct tp_slice name);
bool tp_doc_id_allows(char c); /* whether an id may hold this byte */

/* Registers a headline figure. A missing one gets its unit from the end of the id ("_ms", "_share"). The same id twice is a fault of ours and found by tp_doc_check. */
struct tp_metric *tp_doc_metric(struct tp_doc *doc, struct tp_slice id, const char *label,
	struct tp_value value, struct tp_slice how, struct tp_slice coverage);
const struct tp_metric *tp_doc_find_metric(const struct tp_doc *doc, struct tp_slice id);

/* Says by what a registered metric is given besides: "@host", "@host,device"; for --list, where nothing can be given. */
void tp_doc_metric_scopes(struct tp_doc *doc, const char *id, const char *scopes);
/* Registers the figure of a registered metric for one host, device …, with its label; the formula is not said again. */
void tp_doc_metric_for(struct tp_doc *doc, const char *id, struct tp_scope scope,
	struct tp_value value, struct tp_slice coverage);

/* The walk: enters and leaves every block in order, parents first. */
enum tp_walk_event { TP_WALK_ENTER, TP_WALK_LEAVE };
enum { TP_WALK_DEEPEST = 16 };
struct tp_walk {
	const struct tp_block *stack[TP_WALK_DEEPEST];
	unsigned depth;
	const struct tp_block *block;
	enum tp_walk_event event;
	bool started;
};
void tp_walk_start(struct tp_walk *w, const struct tp_doc *doc);
bool tp_walk_next(struct tp_walk
		*w); /* false when done; else w->block and w->event are set; only sections are left */

/* The names of things, for every renderer alike. */
struct tp_slice tp_judge_glyph(enum tp_judge judge); /* "▲" …; empty for NONE */
struct tp_slice tp_judge_word(
	enum tp_judge judge); /* "high", "watch", "fine", "undecided", "not applicable" */
struct tp_slice tp_hue_name(
	enum tp_hue hue); /* "compute", "memory" …; used as CSS class and JSON name */
struct tp_slice tp_severity_word(enum tp_judge severity); /* "High", "Medium", "Low" */

/* The unit that a column's head names: "MiB"; empty for texts, counts and where each cell says its own. */
struct tp_slice tp_column_symbol(const struct tp_column *column);

/* A cell's value as people read it, in that unit. */
struct tp_slice tp_column_text(
	const struct tp_column *column, struct tp_value value, char buf[static TP_VALUE_BUF]);

/* What a span shows: its text, or its value's. */
struct tp_slice tp_span_shown(const struct tp_span *span, char buf[static TP_VALUE_BUF]);

/* What a sentence shows, as one text in a. */
struct tp_slice tp_text_shown(struct tp_text text, struct tp_arena *a);

#endif
