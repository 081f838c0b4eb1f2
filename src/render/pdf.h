/* A PDF in the making. The document becomes a list of pieces, measured but on no page yet; the pieces are put on pages, so
 * that every page number is known; then the pages are drawn. Lengths are in pt, y grows downwards. */
#ifndef TP_RENDER_PDF_H
#define TP_RENDER_PDF_H

#include "base/map.h"
#include "base/slice.h"
#include "report/doc.h"
#include "report/paper.h"

#include <cairo.h>
#include <pango/pango.h>

struct tp_pdf;
struct tp_pdf_fonts;
struct tp_pdf_rest;
struct tp_pdf_set;

/* A px of a chart: its text of 11 px comes to the size of a table's. And the least, for text that can be read; and mm. */
#define TP_PDF_PX 0.7
#define TP_PDF_LEAST_PX (TP_PDF_LEAST_SIZE / 11)
#define TP_PDF_LEAST_SIZE 7.5 /* pt, of any text */
#define TP_PDF_MM (72 / 25.4)

/* An id that links can lead to. */
struct tp_pdf_anchor {
	struct tp_slice id;
	struct tp_pdf_anchor *next;
};

/* What stays on one page: a paragraph, a row of a table, a chart. */
struct tp_pdf_piece {
	double before;         /* gap above; falls away at the top of a page */
	double height;         /* without the gap */
	bool with_next;        /* never the last on its page */
	bool rather_with_next; /* not the last on its page unless much of that page would stay white */
	bool leads; /* a sentence about the table or chart that follows: nothing goes between them */
	bool new_page;
	/* A table's head, drawn again above this piece when it begins a page; or NULL. */
	const struct tp_pdf_piece *head;
	void (*draw)(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y);
	const void *data;
	const char *open; /* structure element that begins with this piece; NULL: none */
	unsigned closes;  /* structure elements that end with it */
	struct tp_pdf_anchor *anchors;
	const struct tp_pdf_section *section;
	struct tp_pdf_part *part;  /* that begins with this piece; or NULL */
	struct tp_pdf_part *parts; /* of the section that this piece is the heading of; or NULL */

	/* Known once pages are made. */
	unsigned page; /* from 1 */
	double y;
	bool on_top; /* begins its page */

	struct tp_pdf_piece *next;
};

/* A block in a section, with the sentence that belongs to it: its pieces can stand before those of another part. */
struct tp_pdf_part {
	struct tp_pdf_piece *first, *last;
	unsigned closes; /* of its last piece, that end what is within the part */
	bool about_last; /* begins with a note that may be about the part before it */
	bool moves;      /* a table, a chart or a section, without a note that may be of another part */
	bool section;
	struct tp_pdf_part *next; /* in the same section */
};

/* A section with a heading: for the outline, the contents and the head of pages. */
struct tp_pdf_section {
	const struct tp_block *block;
	const struct tp_pdf_piece *heading;
	int depth; /* 0: main */
	struct tp_pdf_section *next;
};

struct tp_pdf {
	const struct tp_doc *doc;
	struct tp_arena *arena;
	bool all_rows;
	unsigned most_pages; /* beyond this many, detail is left to the other outputs; 0: no bound */
	enum tp_paper detail;
	/* gaps are narrow, and what belongs together is rather parted than a page left white */
	bool close;
	unsigned small; /* folds that pieces are being made in: set small */

	struct tp_pdf_fonts *fonts;
	PangoContext *pango;
	struct tp_pdf_set *sets; /* texts that are kept until the end */
	bool boxes;              /* a character without a glyph was met */

	double paper_width, paper_height;
	double left, top, width, bottom; /* the text area, without head and foot */
	struct tp_pdf_piece *first, *last, **tail;
	bool page_ends; /* the next piece begins a page */
	bool tight;     /* what stands on page 1 is set closer … */
	bool overfull;  /* … because it did not fit at first */
	unsigned pages;
	struct tp_pdf_section *sections, **sections_tail;
	struct tp_pdf_section *section; /* the one that pieces are being made for; NULL: page 1 */

	struct tp_pdf_rest *rest; /* what is printed at the end, or not at all */

	struct tp_strings anchor_ids; /* ids that have a place in this PDF … */
	struct tp_map anchor_at;      /* … or stand for another that has: text id → text id */

	struct tp_strings
		cut_names;     /* names of rows that were cut, whole: printed at the end by these numbers */
	bool numbers_said; /* below the first table that has such numbers */

	struct tp_slice header; /* of every page, by a template of the user's; empty: none */
	char hash[16];          /* of report.json, its beginning in groups of four digits */

	cairo_surface_t *surface; /* while drawing */
	cairo_t *cr;
	bool again;           /* a table's head is being drawn once more, on a later page */
	const char *open[32]; /* structure elements that are open */
	unsigned open_count;
	struct tp_slice *alts; /* what each Figure shows, in drawing order */
	size_t alt_count, alt_room;
};

/* Each of these makes the pieces of one kind of block, at the end of pdf's list. */
void tp_pdf_flow(struct tp_pdf *pdf); /* of the whole document */
void tp_pdf_flow_block(struct tp_pdf *pdf, const struct tp_block *block);    /* and what is in it */
void tp_pdf_summary_begin(struct tp_pdf *pdf, const struct tp_block *block); /* page 1 */
void tp_pdf_summary_end(struct tp_pdf *pdf); /* its contents; called when page 1 has all else */
double tp_pdf_room_on_page_1(const struct tp_pdf
		*pdf); /* pt below all pieces so far, if all stand on it; < 0: they do not */
void tp_pdf_heading(struct tp_pdf *pdf, const struct tp_block *block); /* of a section */
void tp_pdf_verdict(struct tp_pdf *pdf, const struct tp_block *block);
void tp_pdf_table(struct tp_pdf *pdf, const struct tp_block *block);
void tp_pdf_tiles(struct tp_pdf *pdf, const struct tp_block *block);
void tp_pdf_chart(struct tp_pdf *pdf, const struct tp_block *block);
double tp_pdf_chart_height(const struct tp_pdf *pdf, const struct tp_chart *chart); /* pt */
void tp_pdf_finding(struct tp_pdf *pdf, const struct tp_block *block);
void tp_pdf_checks(struct tp_pdf *pdf, const struct tp_block *fold); /* their names only */
void tp_pdf_finding_brief(struct tp_pdf *pdf, const struct tp_block *block);

/* How figures are made is printed at the end; what is not printed is named there, in one sentence (pdf_rest.c). */
struct tp_pdf_rest *tp_pdf_rest_new(struct tp_arena *arena);
void tp_pdf_put_off(
	struct tp_pdf *pdf, const struct tp_block *block, const struct tp_block *parent);
void tp_pdf_leave_out(struct tp_pdf *pdf, const struct tp_block *block);
void tp_pdf_appendix(struct tp_pdf *pdf);
void tp_pdf_names_in_full(struct tp_pdf *pdf); /* those of tables that were cut (pdf_names.c) */
void tp_pdf_say_left_out(struct tp_pdf *pdf);

/* Puts a section into the outline, under the last one of less depth. */
void tp_pdf_list_section(struct tp_pdf *pdf, const struct tp_block *block,
	const struct tp_pdf_piece *heading, int depth);

/* A new piece at the end of the list. */
struct tp_pdf_piece *tp_pdf_piece(struct tp_pdf *pdf, double before, double height,
	void (*draw)(struct tp_pdf *, const struct tp_pdf_piece *, double), const void *data);

/* A piece that is one text over the whole width, in this structure element. */
struct tp_pdf_piece *tp_pdf_piece_text(
	struct tp_pdf *pdf, double before, struct tp_pdf_set *set, const char *tag);

/* A hairline over part of the width. */
void tp_pdf_rule(struct tp_pdf *pdf, double x, double y, double width, bool strong);

/* A part of the section that pieces are being made for, whose heading is `heading`: what follows `before` up to the last piece. */
void tp_pdf_part(struct tp_pdf *pdf, struct tp_pdf_piece *heading, struct tp_pdf_piece *before,
	const struct tp_block *block);

/* `piece` is about to leave `room` pt of a page white: moves a later part of its section before it that fits there. Returns the
 * piece that comes next then. */
struct tp_pdf_piece *tp_pdf_fill(struct tp_pdf *pdf, struct tp_pdf_piece *piece, double room);

/* Sets page and y of every piece. */
void tp_pdf_paginate(struct tp_pdf *pdf);

/* Draws all pages on pdf->cr. */
void tp_pdf_draw(struct tp_pdf *pdf);

/* The id leads to this piece. */
void tp_pdf_anchor(struct tp_pdf *pdf, struct tp_pdf_piece *piece, struct tp_slice id);

/* The id is not printed; links to it lead to `instead`. */
void tp_pdf_anchor_instead(struct tp_pdf *pdf, struct tp_slice id, struct tp_slice instead);

/* The name of the destination that stands for an id: its own, else that of what it belongs to (the path before the last
 * slash); empty when there is none. ASCII without quotes, so it can stand in cairo's attributes as it is. */
struct tp_slice tp_pdf_destination(struct tp_pdf *pdf, struct tp_slice id);

/* While drawing: writes the destinations of a piece, and a link over a box; nothing when href leads nowhere. */
void tp_pdf_draw_anchors(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y);
void tp_pdf_link_box(
	struct tp_pdf *pdf, struct tp_slice href, double x, double y, double width, double height);

/* Whether what is made for this section is set closer. */
static inline bool
tp_pdf_is_tight(const struct tp_pdf *pdf, const struct tp_pdf_section *section)
{
	return pdf->tight && section == pdf->sections;
}

#endif
