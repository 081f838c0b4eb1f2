/* A program that prints a file. */
#ifndef TP_IO_COMMAND_H
#define TP_IO_COMMAND_H

#include "base/err.h"
#include "base/slice.h"

struct tp_arena;

/* Runs a shell command, with word in the place of each {}, quoted; what it prints goes to fd. */
enum tp_status tp_command_run(const char *command, const char *word, int fd, struct tp_err *err);

/* A word as a shell takes it whole: 'it'\\''s'. In arena. */
struct tp_slice tp_command_quoted(struct tp_arena *arena, const char *word);

/* What a shell command prints, up to 1 MiB, in arena; empty where it fails. */
struct tp_slice tp_command_output(struct tp_arena *arena, const char *command);

#endif
