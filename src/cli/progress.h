/* A line on the terminal while something takes longer than a second. */
#ifndef TP_CLI_PROGRESS_H
#define TP_CLI_PROGRESS_H

#include <stdbool.h>

struct tp_progress;

/* Shows nothing unless stderr is a terminal and wanted is set. */
struct tp_progress *tp_progress_start(bool wanted);
/* "reading 1 of 2: " and a path, or ""; both are copied, and cut to fit into one line. */
void tp_progress_say(struct tp_progress *p, const char *what, const char *path);
void tp_progress_stop(struct tp_progress *p); /* clears the line; NULL is allowed */

#endif
