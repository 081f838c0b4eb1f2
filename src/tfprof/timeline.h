/* Timelines of tfprof: what ran when in a step by device, or a tree of scopes or lines laid out one after the other. */
#ifndef TP_TFPROF_TIMELINE_H
#define TP_TFPROF_TIMELINE_H

#include "tfprof/line.h"

/* Into the line's file, the step behind its name; says so on standard output. */
enum tp_status tp_tfprof_write_timeline(const struct tp_tfprof *t,
	const struct tp_tfprof_view *view, const struct tp_tfprof_line *line, bool quiet,
	struct tp_err *err);

/* Its own: the graph's, with the memory of accelerators; lines for standard output go to `said`. */
void tp_tfprof_put_graph_timeline(const struct tp_tfprof *t, const struct tp_tfprof_view *view,
	int64_t step, struct tp_sink *out, struct tp_sink *said);

#endif
