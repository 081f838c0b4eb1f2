/* What a report is written to, and in which format: -o, --format and their like, checked before anything is read. */
#ifndef TP_CLI_OUTPUTS_H
#define TP_CLI_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

struct tp_args;
struct tp_arena;
struct tp_renderer;
struct tp_session;

struct tp_output {
	const char *path; /* "-": standard output */
	const struct tp_renderer *renderer;
};

struct tp_outputs {
	struct tp_output *at;
	size_t count;
	bool asked; /* else the first screen goes to standard output */
};

/* Fills out, in arena; false, with a message printed, where the options make no sense. */
bool tp_outputs_plan(const struct tp_args *args, struct tp_arena *arena, struct tp_outputs *out);

/* With --run all each run has reports of its own: the path of each output of each run, no two the same: out->count of the first run, then those of the second … One run alone
 * gets the paths as they were given. */
const struct tp_slice *tp_run_paths(
	const struct tp_outputs *out, const struct tp_session *s, struct tp_arena *arena);

#endif
