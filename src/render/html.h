/* What the parts of the HTML renderer share: the page being written, and who writes which kind of block. */
#ifndef TP_RENDER_HTML_H
#define TP_RENDER_HTML_H

#include "report/doc.h"
#include "report/paper.h"
#include "template/fill.h"
#include "template/html_writer.h"

struct tp_render_options;

/* What a page holds besides its open rows stays small enough for a mail and for a browser; all of it together is within 5 MB.
 * With --top all, nothing is left out. */
enum {
	TP_HTML_JSON_BYTES = 3
		<< 20, /* of report.json before it is packed to an eighth, when tables stop at the open rows */
	TP_HTML_FOLDED_BYTES = 1 << 20, /* of folded rows of all tables */
	TP_HTML_DATA_BYTES = 1 << 20,   /* of rows as data for the script */
	TP_HTML_PACKED_ROWS = 100000,   /* of tables of events, about 20 bytes each as packed columns */
	TP_HTML_ROWS = 500, /* of a table: 10,000 rows as HTML take a browser seconds to lay out */
};

struct tp_html_inside;

struct tp_html_page {
	const struct tp_doc *doc;
	const struct tp_render_options *options;
	struct tp_arena *scratch; /* for texts made while writing */
	struct tp_html out;
	struct tp_html_inside *inside; /* the JSON report */
	struct tp_templates *templates;
	const struct tp_block *parents[16]; /* the sections around what is written */
	bool shut[16];                      /* by section around: it stands folded, or is a view */
	unsigned depth;
	bool
		large; /* what is folded becomes elements when it is opened: it stands in <noscript> until then */
	enum tp_paper paper;             /* how much of it is printed */
	bool later;                      /* within such a <noscript> */
	unsigned charts;                 /* written so far: names their descriptions */
	size_t folded_bytes, data_bytes; /* written so far */
	size_t packed_rows;              /* likewise */
	const struct tp_block *const
		*folded; /* what is still to be written and stands folded; in order */
	/* by column of the table that is written: not in it, as words below it say the same */
	const bool *absent;
	/* likewise: shown when further columns are asked for */
	const bool *further;
	/* likewise: tp_names_alike */
	const struct tp_alike **alike;
	struct tp_silences silences;        /* given so far … */
	const struct tp_block *silences_of; /* … in this view; NULL: in none */
};

/* Sentences and values (html_text.c). */
void tp_html_say(struct tp_html_page *page, struct tp_text text);
void tp_html_value(struct tp_html_page *page, struct tp_value value);
/* A path or name that may be broken into lines after its parts. */
void tp_html_breakable(struct tp_html_page *page, struct tp_slice text);
void tp_html_glyph(struct tp_html_page *page, enum tp_judge judge, struct tp_slice word);
const char *tp_html_judge_class(enum tp_judge judge); /* "bad" …; empty for NONE */

/* Whether the block stands folded; asked once of each, in the order of the document (html_fold.c). */
bool tp_html_is_folded(struct tp_html_page *page, const struct tp_block *block);

/* Begins and ends what is written within something folded (html_fold.c). */
bool tp_html_begin_later(struct tp_html_page *page);
void tp_html_end_later(struct tp_html_page *page, bool begun);

/* Blocks from this one on (html_blocks.c). */
void tp_html_blocks(struct tp_html_page *page, const struct tp_block *first);

/* One block of a kind. */
void tp_html_table(struct tp_html_page *page, const struct tp_block *block);
void tp_html_chart(struct tp_html_page *page, const struct tp_block *block);
void tp_html_tiles(struct tp_html_page *page, const struct tp_block *block);

/* The view around what is written; NULL: none (html_tile.c). */
const struct tp_block *tp_html_view(const struct tp_html_page *page);

/* Parts of a table (html_row.c). */
void tp_html_table_head(struct tp_html_page *page, const struct tp_table *table);
/* Whether a row of a tree is shut at first. */
bool tp_html_is_deep(const struct tp_table *table, size_t index);
void tp_html_table_row(struct tp_html_page *page, const struct tp_table *table, size_t index);

/* Whether all rows of a table follow as packed columns, and writing these (html_columns.c). */
bool tp_html_packs(const struct tp_html_page *page, const struct tp_table *table);
void tp_html_columns(struct tp_html_page *page, const struct tp_table *table);

/* The text of a cell as its column shows it. */
struct tp_slice tp_html_cell_text(
	const struct tp_column *column, const struct tp_cell *cell, char buf[static TP_VALUE_BUF]);

/* `block` and the findings right after it that are shown alike; returns the last one written (html_finding.c). */
const struct tp_block *tp_html_findings(struct tp_html_page *page, const struct tp_block *block);

/* Ways into the page (html_entries.c): its header, the rail, the chooser of views, the contents at the foot of the first page on paper; as a
 * slot writes them. */
void tp_html_header(struct tp_html_page *page, const void *thing);
void tp_html_rail(struct tp_html_page *page, const void *thing);
void tp_html_choose(struct tp_html_page *page, const void *thing);
void tp_html_contents(struct tp_html_page *page, const void *thing);

/* Thin helpers over the writer. */
void tp_html_div(struct tp_html_page *page, const char *name, const char *class_name);
void tp_html_end(struct tp_html_page *page);

#endif
