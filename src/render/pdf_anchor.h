/* Places that links lead to: named destinations and the links to them. */
#ifndef TP_RENDER_PDF_ANCHOR_H
#define TP_RENDER_PDF_ANCHOR_H

#include "render/pdf.h"

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

#endif
