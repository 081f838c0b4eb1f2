/* The commands, each in a file of its own, and the program's entry. */
#ifndef TP_CLI_COMMANDS_H
#define TP_CLI_COMMANDS_H

struct tp_args;

/* Exit statuses (README): part of the contract with scripts. */
enum {
	TP_EXIT_OK = 0,
	TP_EXIT_GATE = 1, /* what --fail-on names has happened, or a figure is outside its budget */
	TP_EXIT_USAGE = 2,
	TP_EXIT_NO_PROFILE = 3,
	TP_EXIT_DAMAGED = 4,
	TP_EXIT_CANNOT_WRITE = 5,
	TP_EXIT_NOT_JUDGED = 6,
};

int tp_cli_main(int argc, char **argv);

int tp_command_report(const struct tp_args *args);
int tp_command_get(const struct tp_args *args);
int tp_command_hlo(const struct tp_args *args);
int tp_command_show(const struct tp_args *args);
int tp_command_diff(const struct tp_args *args);
int tp_command_check(const struct tp_args *args);
int tp_command_budget(const struct tp_args *args);
int tp_command_summarize(const struct tp_args *args);
int tp_command_merge(const struct tp_args *args);
int tp_command_history(const struct tp_args *args);
int tp_command_tfprof(const struct tp_args *args);
int tp_command_capture(const struct tp_args *args);
int tp_command_monitor(const struct tp_args *args);
int tp_command_watch(const struct tp_args *args);
int tp_command_completion(const struct tp_args *args);
int tp_command_mcp(const struct tp_args *args);

#endif
