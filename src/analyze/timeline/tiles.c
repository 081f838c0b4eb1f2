/* Columns of LEB128 numbers. */
#include "analyze/timeline/tiles.h"

#include "base/arena.h"
#include "base/memory.h"

#include <stdlib.h>

enum { LONGEST = 10, FIRST_ROOM = 1 << 12 };

static void
make_room(struct tp_tile_writer *w)
{
	size_t room = w->room != 0 ? 2 * w->room : FIRST_ROOM;
	w->bytes = tp_memory_resize(w->bytes, room);
	w->room = room;
}

void
tp_tile_put(struct tp_tile_writer *w, uint64_t number)
{
	if (w->room - w->size < LONGEST)
		make_room(w);
	for (; number >= 0x80; number >>= 7)
		w->bytes[w->size++] = (unsigned char)(number | 0x80);
	w->bytes[w->size++] = (unsigned char)number;
}

struct tp_slice
tp_tile_finish(struct tp_tile_writer *w, struct tp_arena *keep)
{
	struct tp_slice bytes = tp_arena_copy(keep, (struct tp_slice){(const char *)w->bytes, w->size});

	free(w->bytes);
	*w = (struct tp_tile_writer){0};
	return bytes;
}

/* Euclid's, in one step where the tick goes into the time. */
uint64_t
tp_tick_with(uint64_t tick_ps, uint64_t ps)
{
	while (tick_ps != 0) {
		uint64_t rest = ps % tick_ps;

		ps = tick_ps;
		tick_ps = rest;
	}
	return ps;
}

struct tp_timeline_tile
tp_tile_of_events(const struct tp_tile_event *events, size_t count, uint64_t to_ps,
	uint64_t tick_ps, bool arguments, struct tp_arena *keep)
{
	struct tp_tile_writer w = {0};

	for (size_t i = 0; i < count; i++)
		tp_tile_put(&w, i != 0 ? (events[i].from_ps - events[i - 1].from_ps) / tick_ps : 0);
	for (size_t i = 0; i < count; i++)
		tp_tile_put(&w, events[i].length_ps / tick_ps);
	for (size_t i = 0; i < count; i++)
		tp_tile_put(&w, events[i].name);
	for (size_t i = 0; i < count; i++)
		tp_tile_put(&w, events[i].lane);
	for (size_t i = 0; i < count && arguments; i++)
		tp_tile_put(&w, events[i].argument);
	return (struct tp_timeline_tile){
		.from_ps = (double)events->from_ps,
		.to_ps = (double)to_ps,
		.count = count,
		.data = tp_tile_finish(&w, keep),
	};
}
