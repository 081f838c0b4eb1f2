/* The types of a PDF's text: faces, sizes, colours. */
#ifndef TP_RENDER_PDF_TYPE_H
#define TP_RENDER_PDF_TYPE_H

#include "render/pdf_text.h"

enum tp_pdf_face { TP_PDF_FACE_TEXT, TP_PDF_FACE_DISPLAY, TP_PDF_FACE_CODE };

struct tp_pdf_type_face {
	double size, leading; /* pt */
	double tracking;      /* em, of the display face */
	enum tp_pdf_face face;
	int weight;
	enum tp_pdf_colour colour;
	int strong; /* weight of what is strong in it */
};

extern const struct tp_pdf_type_face tp_pdf_types[]; /* by enum tp_pdf_type */
extern const char *const tp_pdf_families[];          /* by face: as pango knows it */
extern const char *const tp_pdf_features[];          /* by face: of OpenType */
extern const unsigned tp_pdf_colours[];              /* by enum tp_pdf_colour: 0xRRGGBB */

#endif
