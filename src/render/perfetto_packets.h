/* Packets of a Perfetto trace: what the writer of all events is made of. */
#ifndef TP_RENDER_PERFETTO_PACKETS_H
#define TP_RENDER_PERFETTO_PACKETS_H

#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_run_events;
struct tp_sink;

struct tp_perfetto {
	struct tp_sink *out;
	struct tp_buf packet, part, interned, inner; /* in the making */
	unsigned char *written;                      /* by name of the run: whether it was interned */
	struct tp_strings categories, keys, texts;   /* interned so far; keys and texts of arguments */
	uint64_t tracks;                             /* so many have a number */
	int64_t zero_ns;                             /* what times of the file count from */
};

/* As TrackEvent.Type of perfetto's track_event.proto has them. */
enum tp_perfetto_type {
	TP_PERFETTO_BEGIN = 1,
	TP_PERFETTO_END = 2,
	TP_PERFETTO_MOMENT = 3,
	TP_PERFETTO_COUNTER = 4,
};

/* A process, whose number is its track's; a track in one; a counter in one. Each gives its number. */
uint64_t tp_perfetto_process(struct tp_perfetto *w, struct tp_slice name);
uint64_t tp_perfetto_track(struct tp_perfetto *w, uint64_t parent, struct tp_slice name);
uint64_t tp_perfetto_counter(
	struct tp_perfetto *w, uint64_t parent, struct tp_slice name, struct tp_slice unit);

/* The first packet: that state begins, and when time 0 of the file was (unix_ns; 0: not known). */
void tp_perfetto_begin(struct tp_perfetto *w, int64_t unix_ns);

/* A track event; between the two what it says is added to w->part. ns: by the clock of the run. */
void tp_perfetto_open(struct tp_perfetto *w, enum tp_perfetto_type type, uint64_t track);
void tp_perfetto_name(struct tp_perfetto *w, struct tp_slice name);
void tp_perfetto_known_name(struct tp_perfetto *w, const struct tp_run_events *e, uint32_t name);
void tp_perfetto_flow(struct tp_perfetto *w, uint64_t id);
void tp_perfetto_value(struct tp_perfetto *w, double value);
/* An argument. */
void tp_perfetto_note(struct tp_perfetto *w, struct tp_slice key, struct tp_slice text);
void tp_perfetto_number(struct tp_perfetto *w, struct tp_slice key, int64_t number);
void tp_perfetto_close(struct tp_perfetto *w, int64_t ns);

#endif
