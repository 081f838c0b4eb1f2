/* The terminal, if there is one: how wide it is, whether it shows colours, and messages on it, which it must not be made to obey. */
#ifndef TP_CLI_TERMINAL_H
#define TP_CLI_TERMINAL_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdio.h>

struct tp_diag;
struct tp_err;

/* Columns of the terminal that fd is; 0: it is none, or does not say. */
unsigned tp_terminal_columns(int fd);

/* Whether fd is a terminal that shows colours, and nobody asked for none (NO_COLOR, https://no-color.org). */
bool tp_terminal_colour(int fd);

/* Writes text with `sign` for each character that is not shown as it is (base/utf8.h), line ends and escape sequences among
 * them, and for bytes that are no character: names in a profile may be hostile. */
void tp_put_safe(FILE *out, struct tp_slice text, const char *sign);

/* The same to stderr, with ? for such a character. */
void tp_say_safe(struct tp_slice text);

/* Prints a line to stderr, likewise: what follows a message. */
void tp_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "tpreport: …" to stderr, with ? likewise: words of the command line may be names of files that a shell put there. */
void tp_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "tpreport: input: at byte N: text" to stderr. */
void tp_say_err(const struct tp_err *err);

/* Prints "tpreport: warning: input: at byte N: text (3 times)" to stderr. */
void tp_say_diag(const struct tp_diag *diag);

#endif
