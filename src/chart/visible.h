/* Text from a profile made fit to be set in a line: nothing in it can end the line, hide or turn it round. */
#ifndef TP_CHART_VISIBLE_H
#define TP_CHART_VISIBLE_H

#include "base/slice.h"

#include <glib.h>

/* Appends text to out: line ends and tabs as blanks; what else is not shown as it is (base/utf8.h) as U+FFFD; what is
 * beyond `most` characters as "…". */
void tp_visible_append(GString *out, struct tp_slice text, size_t most);

#endif
