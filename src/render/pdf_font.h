/* The fonts of a PDF: the embedded faces and nothing of the machine's. */
#ifndef TP_RENDER_PDF_FONT_H
#define TP_RENDER_PDF_FONT_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

#include <pango/pango.h>

struct tp_pdf_fonts;

/* Makes the embedded faces ready. NULL and err when the system cannot hold a file in memory. */
struct tp_pdf_fonts *tp_pdf_fonts_open(struct tp_err *err);

/* A context that sets text in them, unhinted; it lives until tp_pdf_fonts_close. */
PangoContext *tp_pdf_fonts_context(const struct tp_pdf_fonts *fonts);

/* Whether any face has a glyph for this character; without one a box with its code is drawn. */
bool tp_pdf_fonts_have(const struct tp_pdf_fonts *fonts, uint32_t character);

/* To be called after the last page is written: cairo reads the faces until then. NULL is allowed. */
void tp_pdf_fonts_close(struct tp_pdf_fonts *fonts);

#endif
