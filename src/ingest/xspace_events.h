/* Events of a line, or of a part of it, into columns. */
#ifndef TP_INGEST_XSPACE_EVENTS_H
#define TP_INGEST_XSPACE_EVENTS_H

#include "ingest/xspace.h"

/* 10^6 s: beyond any capture. Products with 1000 of what is below still fit in int64. */
#define TP_XLONGEST_PS ((int64_t)1 << 60)

/* The field of a line that is an event. */
enum { TP_XEVENT = 4 };

/* Regions of a thread pool among the events. */
struct tp_xregions {
	uint32_t open; /* the event that began the one that is open; TP_NONE: none is */
	int64_t start_ps;
	bool met;        /* there was one */
	bool stops;      /* the first thing of one is its end … */
	int64_t stop_ps; /* … at this time */
};

struct tp_xevents {
	uint64_t count; /* how many there are, a last one that is cut off included */
	uint64_t unusable;
	bool complete; /* the message ends where it should */
	struct tp_xregions regions;
};

/* Reads the events from w on into the columns; only counts them where these are NULL. part: the message that w is over. zero_ps: of the
 * line. Adds to events. */
void tp_xevents_read(struct tp_xplane *plane, struct tp_xwalk *w, struct tp_xpart part,
	int64_t zero_ps, struct tp_line_columns *c, struct tp_xevents *events);

/* The region that is open ends at this time. */
void tp_xregions_stop(
	struct tp_xplane *plane, struct tp_line_columns *c, struct tp_xregions *r, int64_t stop_ps);

/* The keys of tags whose values are strings, 1 << key. */
uint64_t tp_xevents_string_keys(void);

#endif
