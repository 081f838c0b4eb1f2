/* A program that prints a file. */
#ifndef TP_IO_COMMAND_H
#define TP_IO_COMMAND_H

#include "base/err.h"

/* Runs a shell command, with word in the place of each {}, quoted; what it prints goes to fd. */
enum tp_status tp_command_run(const char *command, const char *word, int fd, struct tp_err *err);

#endif
