/* Several runs or reports at once, for commands that hold them against each other. */
#ifndef TP_CLI_MANY_H
#define TP_CLI_MANY_H

#include "base/buf.h"

#include <stdbool.h>

struct tp_args;
struct tp_arena;
struct tp_compare_wish;
struct tp_doc;

struct tp_many {
	const struct tp_args *args;
	struct tp_buf sessions; /* struct tp_session * */
	bool partial;           /* one of them is partial, damaged or left out */
};

/* The report at a path, or that of the newest run of a log, valid until all are closed; NULL with a message and *status. */
const struct tp_doc *tp_many_open(struct tp_many *m, const char *path, int *status);
void tp_many_close(struct tp_many *m);

/* Settles the baselines, and warns of those that are left out. */
void tp_many_settle(const struct tp_many *m, struct tp_compare_wish *wish, struct tp_arena *arena);

/* "2%" or "0.02" of --option; false, with a message, when the word is no share above 0 and below most. */
bool tp_share_read(const char *option, const char *word, double most, double *out);

/* The value of --level; NULL leaves *level as it is. */
bool tp_level_read(const char *word, double *level);

#endif
