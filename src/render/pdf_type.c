/* The report's types in print, in one table. */
#include "render/pdf_type.h"

const char *const tp_pdf_families[] = {[TP_PDF_FACE_TEXT] = "Inter",
	[TP_PDF_FACE_DISPLAY] = "Inter Display",
	[TP_PDF_FACE_CODE] = "JetBrains Mono"};

/* Figures of one width; in code no ligatures, so that what is copied is what is meant. */
const char *const tp_pdf_features[] = {
	[TP_PDF_FACE_TEXT] = "tnum=1,calt=1",
	[TP_PDF_FACE_DISPLAY] = "tnum=1,calt=1",
	[TP_PDF_FACE_CODE] = "liga=0,calt=0,clig=0",
};

const struct tp_pdf_type_face tp_pdf_types[] = {
	[TP_PDF_RUN_LINE] = {8.2, 11.5, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 600},
	[TP_PDF_TITLE] = {17, 21.5, -.014, TP_PDF_FACE_DISPLAY, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_BECAUSE] = {9.5, 13.2, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_QUALITY] = {8.2, 11.5, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 600},
	[TP_PDF_TILE_LABEL] = {8.2, 10.5, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_TILE_FIGURE] = {19, 23.5, -.018, TP_PDF_FACE_DISPLAY, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_TILE_NOTE] = {7.8, 10, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_H2] = {14, 19, -.01, TP_PDF_FACE_DISPLAY, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_H3] = {9.5, 13.5, 0, TP_PDF_FACE_TEXT, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_ANSWER] = {10, 14.2, 0, TP_PDF_FACE_TEXT, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_ASIDE] = {8.4, 13.5, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 600},
	[TP_PDF_BODY] = {8.8, 12.4, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_SMALL] = {8, 11, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_FOLD] = {7.8, 10.8, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_CELL] = {8, 11.2, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_HEAD] = {7.6, 10, 0, TP_PDF_FACE_TEXT, 500, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_FINDING] = {8.8, 12, 0, TP_PDF_FACE_TEXT, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_ADVICE] = {8.3, 11.5, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_KEY] = {8.2, 11.6, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_SAVING] = {8.4, 12, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 600},
	[TP_PDF_CONTENTS] = {8.2, 13.5, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_FOOT] = {7.6, 10, 0, TP_PDF_FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
};

const unsigned tp_pdf_colours[] = {
	[TP_PDF_COLOUR_TYPE] = 0x000000,
	[TP_PDF_COLOUR_INK] = 0x000000,
	[TP_PDF_COLOUR_INK2] = 0x3A414A,
	[TP_PDF_COLOUR_INK3] = 0x565E68,
	[TP_PDF_COLOUR_LINK] = 0x1F5FBF,
	[TP_PDF_COLOUR_BAD] = 0xB3261E,
	[TP_PDF_COLOUR_WARN] = 0x8A5300,
	[TP_PDF_COLOUR_GOOD] = 0x1B7340,
};

double
tp_pdf_leading(enum tp_pdf_type type)
{
	return tp_pdf_types[type].leading;
}

enum tp_pdf_colour
tp_pdf_judge_colour(enum tp_judge judge)
{
	static const enum tp_pdf_colour of[] = {
		[TP_JUDGE_NONE] = TP_PDF_COLOUR_TYPE,
		[TP_JUDGE_BAD] = TP_PDF_COLOUR_BAD,
		[TP_JUDGE_WARN] = TP_PDF_COLOUR_WARN,
		[TP_JUDGE_GOOD] = TP_PDF_COLOUR_GOOD,
		[TP_JUDGE_UNDECIDED] = TP_PDF_COLOUR_WARN,
		[TP_JUDGE_ABSENT] = TP_PDF_COLOUR_INK3,
	};

	return of[judge];
}
