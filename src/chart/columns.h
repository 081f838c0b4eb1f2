/* How wide text is where every letter has the same width. */
#ifndef TP_CHART_COLUMNS_H
#define TP_CHART_COLUMNS_H

#include <stdint.h>

/* Columns of a terminal that a character takes: 0 for marks set on another, 2 for ideographs and the like, else 1. */
unsigned tp_columns_of(uint32_t character);

#endif
