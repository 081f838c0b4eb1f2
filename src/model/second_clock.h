/* Starts and durations of events by a second clock, as differences from those by the first. The chip of a TPU and its host both time
 * an operation: the host's clock is ahead by as much for many events in a row, but is rounded to other fractions of a nanosecond, so
 * that some ten pairs of differences occur. An event takes 1 byte, the number of its pair. Where the clocks jump against each other,
 * its times are kept as they are, and are found by its number. */
#ifndef TP_MODEL_SECOND_CLOCK_H
#define TP_MODEL_SECOND_CLOCK_H

#include "base/buf.h"
#include "model/times.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

/* The most pairs, with number 0, which says that an event has none: it is apart. */
enum { TP_CLOCK_PAIRS = 1 << 8, TP_CLOCK_APART = 0 };

/* What the second clock says less what the first says: of a start, beyond how far the block is ahead; of a duration. */
struct tp_clock_pair {
	int64_t start_ps, duration_ps;
};

struct tp_clock_apart {
	int64_t start_ps, duration_ps;
	uint32_t event;
};

struct tp_second_clock {
	const uint8_t *pair;     /* of each event its number */
	const int64_t *ahead_ps; /* of each block, modulo 2⁶⁴ */
	const struct tp_clock_pair *pairs;
	const struct tp_clock_apart *apart; /* in order of event */
	uint32_t apart_count;
	uint8_t block_shift; /* a block has 1 << block_shift events */
};

/* Columns that grow. */
struct tp_clock_draft {
	struct tp_buf pair, ahead_ps, apart;
	uint8_t block_shift;
	uint32_t pair_count;
	struct tp_clock_pair pairs[TP_CLOCK_PAIRS];
	uint8_t slots[2 * TP_CLOCK_PAIRS]; /* by hash of a pair: its number; 0: free */
	struct tp_second_clock so_far;
};

/* Plain columns of events by both clocks; durations ≥ 0. */
struct tp_both_clocks {
	const int64_t *first_start_ps, *first_duration_ps;
	const int64_t *start_ps, *duration_ps;
};

/* Before the first events are added, of which there is one at least. False: as differences such events would take more room than in
 * columns of their own. */
bool tp_clock_begin(struct tp_clock_draft *d, const struct tp_both_clocks *t, uint32_t count);

/* Adds events; all calls but the last have a multiple of TP_BLOCK_EVENTS. */
void tp_clock_add(struct tp_clock_draft *d, const struct tp_both_clocks *t, uint32_t count);

/* Makes room for so many events in all. */
void tp_clock_reserve(struct tp_clock_draft *d, size_t events);

/* The times by the second clock, beside those by the first: until more is added, or for an arena, the draft being empty then. */
struct tp_times tp_clock_so_far(struct tp_clock_draft *d, const struct tp_times *first);
struct tp_times tp_clock_give(
	struct tp_clock_draft *d, const struct tp_times *first, struct tp_arena *arena);

void tp_clock_free(struct tp_clock_draft *d);

/* Of times that are by a second clock. */
int64_t tp_second_start_ps(const struct tp_times *t, uint32_t event);
int64_t tp_second_duration_ps(const struct tp_times *t, uint32_t event);

#endif
