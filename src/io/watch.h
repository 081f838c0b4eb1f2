/* Waiting until files below a folder have changed and nobody writes to them any more. One at a time in a program. */
#ifndef TP_IO_WATCH_H
#define TP_IO_WATCH_H

#include "base/err.h"

#include <stdbool.h>

struct tp_watch;

/* Looks at a folder and all below it, hidden ones left out. NULL and err when there is no such folder. From now on SIGINT, SIGTERM and SIGHUP no longer end the program: they end tp_watch_wait. */
struct tp_watch *tp_watch_open(const char *path, unsigned settle_ms, struct tp_err *err);

/* Waits until something was written since it last returned true, and then nothing for settle_ms; the first time: only for that. Every few
 * seconds it also returns so by the clock, for what other machines may have written, perhaps not to its end. False: a signal asks
 * the program to end. Event files, which a job writes to all the time, are passed over. */
bool tp_watch_wait(struct tp_watch *w, bool *by_clock);

/* Runs work in a process of its own, which a fault or a limit may end without harm to this one. Its exit status, 128 and the signal's number
 * where one ended it. A signal that asks this program to end ends that one first. */
int tp_watch_apart(struct tp_watch *w, int (*work)(void *with), void *with);

/* Whether a signal has asked the program to end. */
bool tp_watch_is_over(const struct tp_watch *w);

void tp_watch_close(struct tp_watch *w); /* NULL is allowed */

#endif
