/* From pieces to pages. */
#ifndef TP_RENDER_PDF_PAGE_H
#define TP_RENDER_PDF_PAGE_H

#include "render/pdf.h"

/* A new piece at the end of the list. */
struct tp_pdf_piece *tp_pdf_piece(struct tp_pdf *pdf, double before, double height,
	void (*draw)(struct tp_pdf *, const struct tp_pdf_piece *, double), const void *data);

/* A piece that is one text over the whole width, in this structure element. */
struct tp_pdf_piece *tp_pdf_piece_text(
	struct tp_pdf *pdf, double before, struct tp_pdf_set *set, const char *tag);

/* A hairline over part of the width. */
void tp_pdf_rule(struct tp_pdf *pdf, double x, double y, double width, bool strong);

/* Sets page and y of every piece. */
void tp_pdf_paginate(struct tp_pdf *pdf);

/* Draws all pages on pdf->cr. */
void tp_pdf_draw(struct tp_pdf *pdf);

#endif
