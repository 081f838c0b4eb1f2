/* The code view as a profile of pprof: profile.proto.gz. */
#ifndef TP_TFPROF_PPROF_H
#define TP_TFPROF_PPROF_H

#include "tfprof/line.h"

/* TP_ABSENT: the line selects more than one thing, or one that pprof cannot show; err says so in tfprof's words. */
enum tp_status tp_tfprof_pprof_refuses(const struct tp_tfprof_line *line, struct tp_err *err);

/* A sample for each node, with the shown lines in which it was made, into the line's file; says how to read it. */
enum tp_status tp_tfprof_write_pprof(const struct tp_tfprof *t, const struct tp_tfprof_view *view,
	const struct tp_tfprof_line *line, bool quiet, struct tp_err *err);

#endif
