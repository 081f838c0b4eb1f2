/* A line of a plane while it is read. */
#ifndef TP_INGEST_XSPACE_LINE_H
#define TP_INGEST_XSPACE_LINE_H

#include "ingest/xspace_events.h"

struct tp_xline {
	struct tp_xpart part;
	int64_t zero_ps;
	bool placed; /* else its events are only counted, for it starts too far from the others */
	struct tp_line_columns columns;
	struct tp_xevents events;
};

/* What the line says of itself. The first one with events sets the time from which its host counts. */
struct tp_xline tp_xline_open(struct tp_xplane *plane, struct tp_xpart part);

/* Closes the columns, which are open, and says what was lost. */
void tp_xline_close(struct tp_xplane *plane, struct tp_xline *line);

/* All of it: from one end to the other … */
void tp_xline_read(struct tp_xplane *plane, struct tp_xpart part);

/* … or all lines of a plane, in pieces that are decoded side by side. */
void tp_xplane_read_pieces(struct tp_xplane *plane);

/* Whether there is enough for that. */
bool tp_xplane_has_pieces(const struct tp_xplane *plane);

#endif
