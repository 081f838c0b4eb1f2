/* Text from a profile made fit to be set in a line: nothing in it can end the line, hide or turn it round. And how wide it is where every
 * letter has the same width. */
#ifndef TP_CHART_VISIBLE_H
#define TP_CHART_VISIBLE_H

#include "base/slice.h"

#include <stdint.h>

#include <glib.h>

/* Appends text to out: line ends and tabs as blanks; what else is not shown as it is (base/utf8.h) as U+FFFD; what is
 * beyond `most` characters as "…". */
void tp_visible_append(GString *out, struct tp_slice text, size_t most);

/* Columns of a terminal that a character takes: 0 for marks set on another, 2 for ideographs and the like, else 1. In any
 * locale (Unicode UAX #11, East Asian Width). */
unsigned tp_columns_of(uint32_t character);

#endif
