/* Words that are no names of a command or an option: those kept for commands to come, and those that are near a name. */
#ifndef TP_CLI_WORDS_H
#define TP_CLI_WORDS_H

#include "base/slice.h"

#include <stdbool.h>

struct tp_arena;
struct tp_nearest;

/* Of a command that is to come. */
bool tp_words_reserved(const char *word);

/* "; near is get", with `before` ("--") before each name, in the arena of n; empty where none is near. */
struct tp_slice tp_words_near(const struct tp_nearest *n, const char *before);

/* The same of options ("fromat" is near --format) and of commands. */
struct tp_slice tp_words_near_option(struct tp_arena *arena, struct tp_slice wish);
struct tp_slice tp_words_near_command(struct tp_arena *arena, struct tp_slice wish);

#endif
