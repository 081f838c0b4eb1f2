/* Events read the short way: most are written like one before them, key by key and space by space, so what stands between two
 * values is compared with what stood there then, and only the values are looked at. */
#ifndef TP_INGEST_TORCH_USUAL_H
#define TP_INGEST_TORCH_USUAL_H

#include <stdbool.h>

struct tp_arena;
struct tp_pull;
struct tp_torch_event;
struct tp_torch_events;

/* What stood between values so far. Lives in the arena. */
struct tp_torch_gaps;
struct tp_torch_gaps *tp_torch_gaps_new(struct tp_arena *arena);

/* Behind an element of the array of events: reads the next when it is an event in good order and as a whole in the window.
 * False, with j as it was, for all others, which tp_torch_event_read handles; so this may be left out and nothing is
 * read differently. */
bool tp_torch_usual_read(struct tp_torch_gaps *gaps, struct tp_torch_events *x, struct tp_pull *j,
	struct tp_torch_event *e);

#endif
