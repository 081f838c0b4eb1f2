/* A cell of CSV. */
#ifndef TP_RENDER_CSV_TEXT_H
#define TP_RENDER_CSV_TEXT_H

#include "base/slice.h"

struct tp_sink;

/* Writes it with quotes where it needs them, and an apostrophe before what a spreadsheet would run as a formula. */
void tp_csv_put(struct tp_sink *out, struct tp_slice text);

#endif
