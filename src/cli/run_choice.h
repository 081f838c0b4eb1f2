/* Which of the runs that were found are reported. */
#ifndef TP_CLI_RUN_CHOICE_H
#define TP_CLI_RUN_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_args;
struct tp_found;
struct tp_other_runs;

/* Chooses first … last of the runs, which are sorted oldest first: what --run means, else the newest. False when it means none
 * or several: says which there are. */
bool tp_choose_runs(const struct tp_args *args, const struct tp_found *found,
	struct tp_arena *arena, size_t *first, size_t *last);

/* Says that other runs were found than the one chosen by default, and how to choose them. */
void tp_tell_other_runs(const struct tp_args *args, const struct tp_found *found, size_t chosen);

/* The runs beside that number `chosen`, for the page; texts are valid UTF-8. NULL: there are none. */
const struct tp_other_runs *tp_runs_beside(
	const struct tp_found *found, size_t chosen, struct tp_arena *arena);

#endif
