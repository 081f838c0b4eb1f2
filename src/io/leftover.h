/* The file that must not stay when a signal ends the program: one that has a name already and is not whole yet. */
#ifndef TP_IO_LEFTOVER_H
#define TP_IO_LEFTOVER_H

/* From now on the signals that end a program (SIGINT, SIGTERM, SIGHUP …) remove this file first; NULL: none. Only the last
 * one named counts, for outputs are written one after the other. The path must stay until another is named. */
void tp_leftover_is(const char *path);

#endif
