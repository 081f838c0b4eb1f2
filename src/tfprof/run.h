/* One command of tfprof: from a dump and a line of options to the text, file or JSON that was asked for. */
#ifndef TP_TFPROF_RUN_H
#define TP_TFPROF_RUN_H

#include "tfprof/line.h"

#include <stdio.h>

struct tp_tfprof_run {
	const struct tp_tfprof *tfprof;
	const struct tp_checkpoint *checkpoint; /* NULL: there is none */
	bool json; /* the answer as JSON on standard output, whatever -output is */
	const struct tp_tfprof_advice_options *advice; /* NULL: all checkers, with their defaults */
	void (*say)(const struct tp_err *err);         /* for the prompt: what a line was wrong with */
	FILE *messages;                                /* what the original says on stderr */
};

/* A view or advice. TP_ABSENT: there is no such step, or no call stack, or the view has no such output; err says so in tfprof's
 * words. */
enum tp_status tp_tfprof_run(const struct tp_tfprof_run *run, enum tp_tfprof_command command,
	struct tp_tfprof_line *line, struct tp_err *err);

#endif
