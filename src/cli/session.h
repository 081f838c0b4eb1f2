/* From paths on the command line to documents: what every command that reads a profile does first. */
#ifndef TP_CLI_SESSION_H
#define TP_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>

struct tp_args;
struct tp_doc;
struct tp_profile;

struct tp_session;

/* Finds the runs under paths and analyses those that the options choose. On failure prints what to do and gives NULL with
 * *exit_status set. */
struct tp_session *tp_session_open(
	const struct tp_args *args, const char *const *paths, size_t path_count, int *exit_status);

/* One document a chosen run, newest last. */
size_t tp_session_count(const struct tp_session *s);
const struct tp_doc *tp_session_doc(const struct tp_session *s, size_t index);
/* What it was made of; NULL for a report that was read back. */
const struct tp_profile *tp_session_profile(const struct tp_session *s, size_t index);

/* Whether anything was partial, damaged or left out. */
bool tp_session_partial(const struct tp_session *s);

void tp_session_close(struct tp_session *s);

#endif
