/* The tick of a clock: how many picoseconds its times are multiples of, and times in ticks without a division. */
#ifndef TP_MODEL_TICK_H
#define TP_MODEL_TICK_H

#include <stdint.h>

struct tp_tick {
	uint64_t inverse; /* of its odd factor, modulo 2⁶⁴; the other factor is … */
	uint32_t ps;      /* 0: it is not chosen yet */
	uint8_t shift;    /* … 1 << shift */
};

#define TP_TICK_PS ((struct tp_tick){.inverse = 1, .ps = 1}) /* a picosecond */

/* The longest that these times are multiples of, starts counted from the first; a picosecond when none is below 4.3 ms. */
struct tp_tick tp_tick_of(const int64_t *start_ps, const int64_t *duration_ps, uint32_t count);

/* A time in ticks; 2³² or more when it is no whole number of them, or too many. Modulo 2⁶⁴ the quotients of multiples are the numbers up to
 * 2⁶⁴ ÷ tick, and the quotients of others lie above (Hacker's Delight, 10-17). */
static inline uint64_t
tp_in_ticks(struct tp_tick tick, uint64_t ps)
{
	uint64_t quotient = ps * tick.inverse;

	return quotient >> tick.shift | quotient << (-tick.shift & 63);
}

#endif
