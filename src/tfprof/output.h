/* The option -output of tfprof: "file:outfile=report.txt". */
#ifndef TP_TFPROF_OUTPUT_H
#define TP_TFPROF_OUTPUT_H

#include "tfprof/line.h"

/* TP_ERR_USAGE: it is none, and err says why in tfprof's words; the line is as it was then. */
enum tp_status tp_tfprof_output_read(
	struct tp_tfprof_line *line, struct tp_slice value, struct tp_err *err);
/* The nth way in which a value may begin: "stdout", "file:outfile="; empty: there are not so many. */
struct tp_slice tp_tfprof_output_begins(unsigned nth);
void tp_tfprof_output_write(const struct tp_tfprof_line *line, struct tp_sink *out);

#endif
