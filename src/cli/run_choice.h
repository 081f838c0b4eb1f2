/* Which of the runs that were found are reported. */
#ifndef TP_CLI_RUN_CHOICE_H
#define TP_CLI_RUN_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_args;
struct tp_found;

/* Chooses first … last of the runs, which are sorted oldest first: what --run means, else the newest. False when it means none
 * or several: says which there are. */
bool tp_choose_runs(const struct tp_args *args, const struct tp_found *found,
	struct tp_arena *arena, size_t *first, size_t *last);

/* Says that other runs were found than the one chosen by default, and how to choose them. */
void tp_tell_other_runs(const struct tp_args *args, const struct tp_found *found, size_t chosen);

#endif
