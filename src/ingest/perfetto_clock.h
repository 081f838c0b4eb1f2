/* The clocks of a Perfetto trace: what a packet's time is on the clock of the trace, as snapshots of several clocks at once tell. */
#ifndef TP_INGEST_PERFETTO_CLOCK_H
#define TP_INGEST_PERFETTO_CLOCK_H

#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_perfetto_clocks {
	struct tp_map number_of; /* clock, by sequence where it is one of its own → index */
	struct tp_buf clocks;    /* struct clock of the .c */
	uint32_t trace_clock;    /* that all times are told by */
	int64_t unix_ns;         /* time 0 of that clock, since 1970; 0: no snapshot says */
};

/* BOOTTIME, the clock of packets that name none. */
enum { TP_PERFETTO_BOOTTIME = 6 };

void tp_perfetto_clocks_init(struct tp_perfetto_clocks *c, struct tp_arena *arena);
void tp_perfetto_clocks_free(struct tp_perfetto_clocks *c);

/* Takes a ClockSnapshot of a sequence. */
void tp_perfetto_clock_snapshot(
	struct tp_perfetto_clocks *c, uint32_t sequence, struct tp_slice snapshot);

/* A timestamp by a clock (0: none is named) → ns of the trace's clock. False: no snapshot has that clock, or the time is beyond all. */
bool tp_perfetto_time(struct tp_perfetto_clocks *c, uint32_t sequence, uint32_t clock,
	uint64_t timestamp, int64_t *ns);

#endif
