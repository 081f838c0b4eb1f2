/* tfprof's prompt: commands line by line, from a terminal or from a script. */
#ifndef TP_TFPROF_SHELL_H
#define TP_TFPROF_SHELL_H

#include "tfprof/run.h"

/* Reads commands from standard input until it ends; with line editing and completion where that is a terminal. What goes wrong is
 * said by run->say, and the next line is read. Returns the first status that is not TP_OK. */
enum tp_status tp_tfprof_shell(const struct tp_tfprof_run *run, struct tp_tfprof_line *defaults);

#endif
