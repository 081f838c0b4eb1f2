/* The terminal, if there is one: how wide it is, whether it shows colours, and what it must not be made to obey. */
#ifndef TP_CLI_TERMINAL_H
#define TP_CLI_TERMINAL_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdio.h>

/* Columns of the terminal that fd is; 0: it is none, or does not say. */
unsigned tp_terminal_columns(int fd);

/* Whether fd is a terminal that shows colours, and nobody asked for none (NO_COLOR, https://no-color.org). */
bool tp_terminal_colour(int fd);

/* Writes text with `sign` for each character that is not shown as it is (base/utf8.h), line ends and escape sequences among
 * them, and for bytes that are no character: names in a profile may be hostile. */
void tp_put_safe(FILE *out, struct tp_slice text, const char *sign);

#endif
