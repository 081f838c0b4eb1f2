/* Reports of all runs of a session, for the commands that write some. */
#ifndef TP_CLI_REPORT_H
#define TP_CLI_REPORT_H

struct tp_args;
struct tp_outputs;
struct tp_session;

/* Writes every output of every run; one that cannot be written does not stop the others. The worst exit status. */
int tp_report_write(
	const struct tp_args *args, const struct tp_session *s, const struct tp_outputs *out);

#endif
