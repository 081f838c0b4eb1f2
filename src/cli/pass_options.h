/* What the command line asks of the passes. */
#ifndef TP_CLI_PASS_OPTIONS_H
#define TP_CLI_PASS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_args;
struct tp_pass_options;

/* Fills options, in arena; false, with a message printed, where an option makes no sense. */
bool tp_pass_options_read(
	const struct tp_args *args, struct tp_arena *arena, struct tp_pass_options *options);

/* The same of a timeline's alone. */
bool tp_timeline_options_read(
	const struct tp_args *args, struct tp_arena *arena, struct tp_pass_options *options);

/* Whether text is a number without a sign, which *out becomes. */
bool tp_plain_number(const char *text, size_t *out);

#endif
