/* What a trace of any program holds, collected as it comes: tracks (threads, and what runs beside them) with events, begun and ended
 * in any order, counters, and flows between events. Traces in JSON and in protobuf are both read into it. */
#ifndef TP_INGEST_TRACKS_H
#define TP_INGEST_TRACKS_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_builder;
struct tp_source;
struct tp_draft_tracks;

/* Times are picoseconds from any zero that the trace has; beyond this one has lost its way. */
#define TP_TRACKS_LATEST_PS ((int64_t)1 << 62)

/* Texts are copied everywhere. */
struct tp_draft_tracks *tp_tracks_new(void);
void tp_tracks_free(struct tp_draft_tracks *d); /* NULL is allowed */

/* A text for names and categories, by a number; 0: the empty one. */
uint32_t tp_tracks_text(struct tp_draft_tracks *d, struct tp_slice text);
struct tp_slice tp_tracks_text_of(const struct tp_draft_tracks *d, uint32_t text);

/* The process with this key, and the track with this key, whichever process it is of; both made when they are first asked for, so that
 * tracks stand in that order. */
uint32_t tp_tracks_process(struct tp_draft_tracks *d, uint64_t key);
uint32_t tp_tracks_track(struct tp_draft_tracks *d, uint64_t key, uint32_t process);
/* The last name counts; a track has one of its own as long as it is given none. */
void tp_tracks_name_process(struct tp_draft_tracks *d, uint32_t process, struct tp_slice name);
void tp_tracks_name_track(struct tp_draft_tracks *d, uint32_t track, struct tp_slice name);
bool tp_tracks_is_named(const struct tp_draft_tracks *d, uint32_t track);
/* The track is the thread of this number. */
void tp_tracks_thread(struct tp_draft_tracks *d, uint32_t track, int64_t number);
bool tp_tracks_is_process_named(const struct tp_draft_tracks *d, uint32_t process);

/* What events are: a number for the texts of name and category. */
uint32_t tp_tracks_op(struct tp_draft_tracks *d, uint32_t name, uint32_t category);

/* An event; false: its times are beyond all bounds, or its duration is below 0. */
bool tp_tracks_slice(
	struct tp_draft_tracks *d, uint32_t track, int64_t at_ps, int64_t duration_ps, uint32_t op);
bool tp_tracks_instant(struct tp_draft_tracks *d, uint32_t track, int64_t at_ps, uint32_t op);
/* The begin of an event, and an end: the latest begin with the same nest that has none yet, and the same name where the end has one
 * (op; TP_TRACKS_ANY: it has none), is meant. nest: the track, or what an asynchronous event is told apart by. */
#define TP_TRACKS_ANY UINT32_MAX
bool tp_tracks_begin(
	struct tp_draft_tracks *d, uint32_t track, uint64_t nest, int64_t at_ps, uint32_t op);
bool tp_tracks_end(
	struct tp_draft_tracks *d, uint32_t track, uint64_t nest, int64_t at_ps, uint32_t op);

/* The counter with this key, and a point of it. name, part: "Memory" and "resident"; either may be empty. Those of a counter that is there
 * already are not looked at. */
uint32_t tp_tracks_counter(struct tp_draft_tracks *d, uint64_t key, uint32_t process,
	struct tp_slice name, struct tp_slice part);
void tp_tracks_counter_unit(struct tp_draft_tracks *d, uint32_t counter, struct tp_slice unit);
bool tp_tracks_point(struct tp_draft_tracks *d, uint32_t counter, int64_t at_ps, double value);

/* Where a flow passes: all with one id, in order of time, lead one to the next. */
enum tp_tracks_flow {
	TP_TRACKS_FLOW_BEGIN, /* nothing leads here, whatever has the same id before */
	TP_TRACKS_FLOW_STEP,
	TP_TRACKS_FLOW_END, /* and it leads no further */
};
enum tp_tracks_bind {
	TP_TRACKS_AROUND, /* the innermost event of the track at that time */
	TP_TRACKS_NEXT,   /* the next that begins */
	TP_TRACKS_LAST, /* the event or the begin that was added last, which is of that track and time */
};
bool tp_tracks_flow(struct tp_draft_tracks *d, uint64_t id, enum tp_tracks_flow what,
	enum tp_tracks_bind bind, uint32_t track, int64_t at_ps);

/* Events and points so far. */
uint64_t tp_tracks_count(const struct tp_draft_tracks *d);

/* Everything into the builder, as the file `in`, whose host's clock counts from base_ns; the draft keeps only its names. Says what had
 * no begin or no end. */
void tp_tracks_build(
	struct tp_draft_tracks *d, const struct tp_source *in, int64_t base_ns, struct tp_builder *out);

#endif
