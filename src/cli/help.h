/* What the program says about itself: --help, `tpreport help`, and man pages. */
#ifndef TP_CLI_HELP_H
#define TP_CLI_HELP_H

#include "cli/manual.h"

struct tp_args;
struct tp_command;

/* --help: of one command with all its examples, or of all where one is NULL. */
void tp_help_print(const struct tp_command *one);

/* `tpreport help [TOPIC]`; returns the exit status. */
int tp_help_command(const struct tp_args *args);

/* `tpreport --man [PAGE]`: a man page in mdoc, such as "tpreport-diff.1"; without a name, their names, one a line. */
int tp_man_print(const char *page);

#endif
