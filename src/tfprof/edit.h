/* One line from whoever types or from a script: with libedit where the build found it, else without editing. */
#ifndef TP_TFPROF_EDIT_H
#define TP_TFPROF_EDIT_H

#include <stdbool.h>

/* The next line without its end, malloc'd; NULL: there is none. prompt: shown to who types; terminal: whether anybody does. */
char *tp_tfprof_edit(const char *prompt, bool terminal);

/* Keeps a line for those that follow to go back to. */
void tp_tfprof_edit_keep(const char *line, bool terminal);

#endif
