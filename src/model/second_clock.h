/* Starts and durations of events by a second clock, as differences from those by the first. The chip of a TPU and its host both time
 * an operation: the host's clock is ahead by as much for many events in a row, a stretch of them, but is rounded to other fractions of a
 * nanosecond, so that some ten pairs of differences occur. An event takes 1 byte, the number of its pair, which also says that a stretch begins
 * with it, or that the next one began before it ended: then its duration is longer by as much as the clock jumped. A stretch takes as many
 * bytes as the jumps of its line need. What is left over keeps its duration as it is, and is found by its number. */
#ifndef TP_MODEL_SECOND_CLOCK_H
#define TP_MODEL_SECOND_CLOCK_H

#include "base/buf.h"
#include "model/times.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

/* Numbers of pairs. The first two are of events that have none, and are apart. */
enum { TP_CLOCK_APART, TP_CLOCK_APART_BEGINS, TP_CLOCK_FIRST, TP_CLOCK_NUMBERS = 1 << 8 };

/* What the second clock says less what the first says, beyond what the stretches tell. */
struct tp_clock_pair {
	int32_t start_ps : 14, duration_ps : 14;
	uint32_t begins : 1;       /* a stretch, with the event */
	uint32_t ends_in_next : 1; /* which begins with the event after it */
	uint32_t is_apart : 1;     /* there is no such difference of durations, or no number for it */
};

_Static_assert(sizeof(struct tp_clock_pair) == 4, "few bytes, for a line may have few events");

/* Where stretches are, is told of every so many events. */
enum { TP_CLOCK_BLOCK_EVENTS = 4 * TP_BLOCK_EVENTS };

struct tp_clock_apart {
	int64_t duration_ps;
	uint32_t event;
	int16_t start_ps; /* as of a pair */
};

struct tp_second_clock {
	const uint8_t *number; /* of each event: of its pair */
	const struct tp_clock_pair *pairs;
	uint32_t
		first_flagged; /* of the pairs from TP_CLOCK_FIRST up to this one only differences are told */
	/* How far the clock is ahead in a stretch, less ahead_ps; modulo 2⁶⁴. width: the bytes of each; 8 may be looked at. */
	const uint8_t *stretches;
	uint64_t ahead_ps;
	uint32_t width, stretch_count;
	const uint32_t
		*begun; /* of every TP_CLOCK_BLOCK_EVENTS events: stretches that begin before them */
	uint32_t block_count;
	const struct tp_clock_apart *apart; /* in order of event */
	uint32_t apart_count;
};

/* Columns that grow. */
struct tp_clock_draft {
	struct tp_buf number, begun, stretches, apart;
	uint64_t ahead_ps; /* in the last stretch */
	uint32_t first_free, first_flagged;
	struct tp_clock_pair
		pairs[TP_CLOCK_NUMBERS]; /* those with flags from the last number downwards */
	uint8_t flags[TP_CLOCK_NUMBERS];
	uint8_t slots[2 * TP_CLOCK_NUMBERS]; /* by hash of a pair: its number; 0: free */
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

/* How many stretches begin until the event, itself included; events are counted from that of the line. */
uint32_t tp_clock_begun(const struct tp_second_clock *s, uint32_t number);

/* How far the clock is ahead in a stretch, modulo 2⁶⁴. */
static inline uint64_t
tp_clock_ahead_ps(const struct tp_second_clock *s, uint32_t stretch)
{
	unsigned unused = 64 - 8 * s->width;
	uint64_t word;

	memcpy(&word, s->stretches + (size_t)stretch * s->width, sizeof word);
	return s->ahead_ps + (uint64_t)((int64_t)(word << unused) >> unused);
}

#endif
