/* Text of a PDF: a sentence with styles and links, set in one of the report's types. */
#ifndef TP_RENDER_PDF_TEXT_H
#define TP_RENDER_PDF_TEXT_H

#include "render/pdf.h"

enum tp_pdf_type {
	TP_PDF_RUN_LINE,
	TP_PDF_TITLE,
	TP_PDF_BECAUSE,
	TP_PDF_QUALITY,
	TP_PDF_TILE_LABEL,
	TP_PDF_TILE_FIGURE,
	TP_PDF_TILE_NOTE,
	TP_PDF_H2,
	TP_PDF_H3,
	TP_PDF_ANSWER,
	TP_PDF_ASIDE,
	TP_PDF_BODY,
	TP_PDF_SMALL,
	TP_PDF_FOLD,
	TP_PDF_CELL,
	TP_PDF_HEAD,
	TP_PDF_FINDING,
	TP_PDF_ADVICE,
	TP_PDF_KEY,
	TP_PDF_SAVING,
	TP_PDF_CONTENTS,
	TP_PDF_FOOT,
};

enum tp_pdf_colour {
	TP_PDF_COLOUR_TYPE, /* that of the type */
	TP_PDF_COLOUR_INK,
	TP_PDF_COLOUR_INK2,
	TP_PDF_COLOUR_INK3,
	TP_PDF_COLOUR_LINK,
	TP_PDF_COLOUR_BAD,
	TP_PDF_COLOUR_WARN,
	TP_PDF_COLOUR_GOOD,
};

/* How a part differs from the type it stands in; zero: not at all. */
struct tp_pdf_look {
	int weight; /* 400, 500 or 600 */
	enum tp_pdf_colour colour;
	double size;    /* pt */
	bool code;      /* the fixed-width face */
	bool text_face; /* Inter where the type is Inter Display */
	bool whole;     /* never broken over lines */
	bool quiet;     /* links in it look like text */
};

enum tp_pdf_align { TP_PDF_LEFT, TP_PDF_RIGHT };

/* A text being put together; kept until the PDF is done unless tp_pdf_set_drop ends it sooner. width ≤ 0: one line. */
struct tp_pdf_set *tp_pdf_set_new(struct tp_pdf *pdf, enum tp_pdf_type type, double width);
void tp_pdf_set_drop(struct tp_pdf_set *set);
void tp_pdf_sets_free(struct tp_pdf *pdf);

void tp_pdf_set_add(struct tp_pdf_set *set, struct tp_slice text, struct tp_pdf_look look);
void tp_pdf_set_plain(struct tp_pdf_set *set, struct tp_slice text); /* as the type is */
void tp_pdf_set_link(
	struct tp_pdf_set *set, struct tp_slice text, struct tp_pdf_look look, struct tp_slice href);

/* Ends the line. Of a text without a bound of lines. */
void tp_pdf_set_break(struct tp_pdf_set *set);

/* Width of a letter of code in a text of that size. */
double tp_pdf_code_letter(double size);

/* The glyph of a judgement in its colour; space: and a blank that does not break. */
void tp_pdf_set_glyph(struct tp_pdf_set *set, enum tp_judge judge, bool space);

/* A sentence; look is that of its plain parts. */
void tp_pdf_set_text(struct tp_pdf_set *set, struct tp_text text, struct tp_pdf_look look);

/* Several with `between` in grey between them. */
void tp_pdf_set_items(struct tp_pdf_set *set, const struct tp_text *items, size_t count,
	struct tp_slice between, struct tp_pdf_look look);

/* At most this many lines; what is too long is shortened in the middle, or at the end. */
void tp_pdf_set_lines(struct tp_pdf_set *set, int lines, bool middle);
void tp_pdf_set_align(struct tp_pdf_set *set, enum tp_pdf_align align);

/* As narrow as its lines allow, so that they are of about one length and no word stands alone on the last. */
void tp_pdf_set_balance(struct tp_pdf_set *set);

double tp_pdf_set_height(struct tp_pdf_set *set);
double tp_pdf_set_width(struct tp_pdf_set *set);    /* of the longest line */
double tp_pdf_set_baseline(struct tp_pdf_set *set); /* of the first line, from the top */
bool tp_pdf_set_cut(struct tp_pdf_set *set);        /* whether it was shortened */

/* The text as it is drawn, "…" where it was shortened. Lives in pdf's arena. */
struct tp_slice tp_pdf_set_shown(struct tp_pdf_set *set);

/* Draws with the top left at x, y; tag: its structure element, NULL for none. */
void tp_pdf_set_draw(struct tp_pdf_set *set, double x, double y, const char *tag);

double tp_pdf_leading(enum tp_pdf_type type);
enum tp_pdf_colour tp_pdf_judge_colour(enum tp_judge judge);

#endif
