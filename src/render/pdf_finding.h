/* What the short and the full form of a finding share. */
#ifndef TP_RENDER_PDF_FINDING_H
#define TP_RENDER_PDF_FINDING_H

#include "render/pdf.h"

/* Adds the finding's id to its title. */
void tp_pdf_finding_id(struct tp_pdf_set *set, const struct tp_finding *f);

/* Room above and below. */
double tp_pdf_finding_pad(const struct tp_pdf *pdf, const struct tp_pdf_section *section);

#endif
