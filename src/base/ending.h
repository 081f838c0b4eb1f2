/* What is done when something ends the program before it is ready: the file or folder that is not whole must not stay, and somebody must
 * say why. */
#ifndef TP_BASE_ENDING_H
#define TP_BASE_ENDING_H

#include <stdbool.h>

/* From now on the signals that end a program (SIGINT, SIGTERM, SIGSEGV …) remove this file, or this folder of files, first; NULL: none.
 * Only the last one named counts, for outputs are written one after the other. The path must stay until another is named. */
void tp_ending_removes(const char *path);

/* Removes it now. Safe in any thread and in a handler. */
void tp_ending_remove(void);

/* The same for a folder in which the program works while it writes outputs: with the folders in it, six deep, and so many folders around it
 * as are empty then. */
void tp_ending_removes_also(const char *path, unsigned parents);
void tp_ending_remove_also(void);

/* Both: for who ends the program without a signal. */
void tp_ending_remove_all(void);

/* From now on the first signal that asks the program to end is only noted; the second ends it. For who has something to say to a server before.
 * tp_ending_release, called as often as this was, ends the program by the one that was noted. */
void tp_ending_hold(void);
bool tp_ending_is_asked(void);
void tp_ending_release(void);

/* From now on a fault (SIGABRT, SIGSEGV …) prints this and ends the program as one that is out of memory; NULL: it ends by the
 * signal. For libraries that abort or follow a NULL where they get no memory. */
void tp_ending_says(const char *text);

#endif
