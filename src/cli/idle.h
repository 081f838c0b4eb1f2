/* Options that change nothing, told as warnings: an answer that looks as if they had been heeded misleads. */
#ifndef TP_CLI_IDLE_H
#define TP_CLI_IDLE_H

struct tp_args;
struct tp_outputs;
struct tp_profile;

/* Those of which nothing is seen in any of the outputs. */
void tp_idle_tell_outputs(const struct tp_args *args, const struct tp_outputs *out);

/* Those about something that the run does not hold. */
void tp_idle_tell_run(const struct tp_args *args, const struct tp_profile *profile);

#endif
