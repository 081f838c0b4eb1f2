/* The document: what every renderer consumes. A tree of blocks that hold numbers with units, never formatted figures, plus
 * the list of headline metrics. Passes write it through the functions below; renderers only read it. Everything in it
 * lives as long as the arena that was given to tp_doc_new. All text may come from a hostile profile. */
#ifndef TP_REPORT_DOC_H
#define TP_REPORT_DOC_H

#include "base/err.h"
#include "base/map.h"
#include "base/number.h"
#include "base/slice.h"
#include "report/chart.h"
#include "report/direction.h"
#include "report/finding.h"
#include "report/judge.h"
#include "report/scope.h"
#include "report/table.h"
#include "report/text.h"

struct tp_arena;
struct tp_run_events;
struct tp_run_ranks;

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
	TP_SECTION_FOLD, /* a <details> that is closed at first ("About these figures"); printed small */
};

struct tp_section {
	enum tp_section_role role;
	struct tp_slice title;
	/* MAIN, MINOR: on the rail and in the contents; may be a TEXT; MISSING with empty text: none */
	struct tp_value key_figure;
	enum tp_judge judge; /* colours the key figure; BAD or WARN only where a finding points here */
	struct tp_text answer; /* MAIN, MINOR: one bold sentence … */
	struct tp_text
		so_what; /* … and its grey second half, which a SUB may have alone; both may be empty */
	/* MAIN, SUB: figures to look up, which stand elsewhere too; folded where a page is long */
	bool reference;
	/* SUB, VIEW, FOLD: detail to search in; a PDF has one line that says where it is */
	bool off_paper;
	bool spare;  /* SUB: off paper, too, where a PDF would grow too long */
	bool choice; /* SUB: it and its neighbours tell the same; a page shows one at a time */
	bool
		same_elsewhere; /* FOLD: method text, which other reports have word for word; an outline names it only */
	bool about; /* FOLD: how the figures of the section around it are made */
	/* right of the heading, grey; may be empty ("mean of 60 steps × 32 cores = 128 ms") */
	struct tp_text aside;
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
	/* RUN_LINE, QUALITY, COUNTS: several, shown with " · " between; else exactly one */
	const struct tp_text *items;
	size_t count;
};

/* Whether it may have several. */
static inline bool
tp_paragraph_has_items(enum tp_paragraph_role role)
{
	return role == TP_PARAGRAPH_RUN_LINE || role == TP_PARAGRAPH_QUALITY ||
		role == TP_PARAGRAPH_COUNTS;
}

/* "▲ Input-bound (high): 62.0 % of step time is spent waiting for input; / hiding it would make steps at most 2.6× faster." */
struct tp_verdict {
	enum tp_judge judge;
	struct tp_text name;        /* "Input-bound (high):" in the colour of the judgement */
	struct tp_text saw;         /* the rest of line 1 */
	struct tp_text consequence; /* line 2 */
	struct tp_slice finding;    /* id of the finding that it tells; empty: none */
};

struct tp_tile {
	struct tp_slice id;     /* stable within the document */
	struct tp_slice label;  /* "Step time" */
	struct tp_slice metric; /* id of the metric shown */
	struct tp_value value;
	struct tp_slice qualifier; /* after the unit: "median"; may be empty */
	enum tp_judge judge;       /* glyph before note 1; its word is in the note */
	struct tp_slice finding;   /* id of the check that judges it; empty: none */
	struct tp_slice section;   /* id of the one that tells more, if there is one; empty: none */
	struct tp_text note[2];    /* each at most some 25 characters */
	const double *spark;       /* NULL: none; else spark_count numbers */
	size_t spark_count;
};

struct tp_tiles {
	const struct tp_tile *tiles;
	size_t count;
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
	/* stable: anchor, JSON key and diff key ("operations", "steps/by-class"); see tp_doc_id */
	struct tp_slice id;
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
	/* by what the figure is given besides: "@host", "@host,device"; may be empty */
	struct tp_slice scopes;
	enum tp_direction better; /* none with a scope: it is that of the id without */
	struct tp_metric *next;
};

/* What a document is about. */
enum tp_doc_about {
	TP_ABOUT_RUN,
	TP_ABOUT_COMPARISON, /* of two runs */
	TP_ABOUT_HISTORY,    /* of several */
};

struct tp_doc {
	struct tp_arena *arena;
	enum tp_doc_about about;
	struct tp_slice title;       /* "jax_cnn · 2026_11_21_02_41_41" */
	struct tp_slice name;        /* "jax_cnn" */
	struct tp_slice run;         /* "2026_11_21_02_41_41" */
	struct tp_slice description; /* one sentence for metadata: the verdict */
	struct tp_slice version;     /* of tpreport */
	/* SOURCE_DATE_EPOCH, else the end of the capture, else 0: never the clock */
	int64_t made_unix_s;
	/* of the run, for outputs that ask for them; NULL: nobody asked, or it was read back, which has none */
	const struct tp_run_events *events;
	const struct tp_run_ranks *ranks; /* likewise, for summaries; NULL: it has none */
	const struct tp_slice
		*rank_parts; /* of a summary that was read: its ranks, packed as they stand in it */
	size_t rank_part_count;
	/* The sections that it is going to have, by their ids; links in sentences to others are no links. The last is NULL; NULL: it has all that
	 * are linked to. */
	const char *const *sections;
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
/* Says more in a text: markup and values as of TP_SAY. */
#define TP_SAY_MORE(doc, text, ...) ((text) = tp_doc_join(doc, text, TP_SAY(doc, __VA_ARGS__)))

/* Adds a block at the end of parent's children (NULL: top level, sections only) and returns it, zeroed but for kind and
 * id; the caller fills the rest. A section is ready to take children. */
struct tp_block *tp_doc_add(
	struct tp_doc *doc, struct tp_block *parent, enum tp_block_kind kind, struct tp_slice id);

struct tp_block *tp_doc_section(struct tp_doc *doc, struct tp_block *parent,
	enum tp_section_role role, const char *id, const char *title);
/* A part that tells the same as its neighbours made so, in another order: a page shows one at a time. */
struct tp_block *tp_doc_choice(
	struct tp_doc *doc, struct tp_block *parent, const char *id, const char *title);
/* The section with this id that was added already, for passes that write into one that another opened; NULL: none. */
struct tp_block *tp_doc_find_section(struct tp_doc *doc, const char *id);
struct tp_block *tp_doc_paragraph(struct tp_doc *doc, struct tp_block *parent,
	enum tp_paragraph_role role, const char *id, struct tp_text text);

/* The id "prefix/name" for what is named in the profile: bytes of the name that ids may not hold (blanks, controls,
 * quotes, < > & % \, all beyond ASCII) become %XX, so different names have different ids. */
struct tp_slice tp_doc_id(struct tp_doc *doc, const char *prefix, struct tp_slice name);
/* Whether an id may hold this byte: printable ASCII but for quotes, < > & % and the backslash. */
extern const bool tp_doc_id_bytes[256];

static inline bool
tp_doc_id_allows(char c)
{
	return tp_doc_id_bytes[(unsigned char)c];
}

/* Whether an id is this one; one * in the pattern stands for anything. */
bool tp_id_fits(struct tp_slice id, const char *pattern);

/* Registers a headline figure. A missing one gets its unit from the end of the id ("_ms", "_share"). The same id twice is a fault of ours and found by tp_doc_check. */
struct tp_metric *tp_doc_metric(struct tp_doc *doc, struct tp_slice id, const char *label,
	struct tp_value value, struct tp_slice how, struct tp_slice coverage);
const struct tp_metric *tp_doc_find_metric(const struct tp_doc *doc, struct tp_slice id);
/* The value of a metric; missing where none of this id is registered. */
struct tp_value tp_doc_value(const struct tp_doc *doc, const char *id);
/* A tile that shows this metric, and says nothing of it yet. */
struct tp_tile tp_doc_tile(
	const struct tp_doc *doc, const char *id, const char *label, const char *metric);

/* Says by what a registered metric is given besides: "@host", "@host,device"; for --list, where nothing can be given. */
void tp_doc_metric_scopes(struct tp_doc *doc, const char *id, const char *scopes);
/* Registers the figure of a registered metric for one host, device …, with its label; the formula is not said again. */
void tp_doc_metric_for(struct tp_doc *doc, const char *id, struct tp_scope scope,
	struct tp_value value, struct tp_slice coverage);

/* The walk over a document: enters and leaves every block in order, parents first. */
enum tp_walk_event { TP_WALK_ENTER, TP_WALK_LEAVE };
enum { TP_WALK_DEEPEST = 16 };
struct tp_walk {
	const struct tp_block *stack[TP_WALK_DEEPEST];
	unsigned depth;
	const struct tp_block *block;
	enum tp_walk_event event;
	bool started;
};
/* For a loop: for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) */
static inline struct tp_walk
tp_walk_of(const struct tp_doc *doc)
{
	return (struct tp_walk){.block = doc->first};
}
/* False when done; else w->block and w->event are set. Only sections are left. */
bool tp_walk_next(struct tp_walk *w);

/* The verdict; NULL: there is none. */
const struct tp_verdict *tp_doc_verdict(const struct tp_doc *doc);

/* Proof that a document is sound before any renderer sees it: ids unique and not empty, links lead somewhere, metric ids of tiles,
 * spans and cells registered with the same value, tables as wide as their columns, tree depths without gaps, charts with finite
 * values ≥ 0, sections nested as their roles allow and no deeper than 6, all text valid UTF-8. TP_ERR_FORMAT with the place when
 * not: a fault of ours. */
enum tp_status tp_doc_check(const struct tp_doc *doc, struct tp_err *err);

#endif
