/* The bytes of tiles: columns of numbers (report/timeline.h). */
#ifndef TP_ANALYZE_TIMELINE_TILES_H
#define TP_ANALYZE_TIMELINE_TILES_H

#include "base/buf.h"
#include "base/slice.h"
#include "report/timeline.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

struct tp_tile_writer {
	unsigned char *bytes;
	size_t size, room;
};

/* An unsigned number, LEB128. */
void tp_tile_put(struct tp_tile_writer *w, uint64_t number);

/* What was written, in the arena; the writer is empty then. */
struct tp_slice tp_tile_finish(struct tp_tile_writer *w, struct tp_arena *keep);

/* The longest tick of which both the tick and a time are whole numbers; 0: none yet. */
uint64_t tp_tick_with(uint64_t tick_ps, uint64_t ps);

/* An event of a tile. */
struct tp_tile_event {
	uint64_t from_ps, length_ps;
	uint32_t name;
	uint8_t lane;
	uint32_t argument; /* counted from 1; 0: none */
};

/* The tile of these events, count > 0 of them in order of start; all lengths and differences are whole ticks. to_ps: where the next
 * begins. arguments: whether the tile has a column of these. */
struct tp_timeline_tile tp_tile_of_events(const struct tp_tile_event *events, size_t count,
	uint64_t to_ps, uint64_t tick_ps, bool arguments, struct tp_arena *keep);

#endif
