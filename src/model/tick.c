/* The greatest common divisor of times, and its inverse. */
#include "model/tick.h"

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Modulo 2⁶⁴, of an odd number: which is its own inverse as to the lowest three bits; each round doubles how many are right. */
static uint64_t
inverse_of(uint64_t odd)
{
	uint64_t inverse = odd;

	for (int bits = 3; bits < 64; bits *= 2)
		inverse *= 2 - odd * inverse;
	return inverse;
}

struct tp_tick
tp_tick_of(const int64_t *start_ps, const int64_t *duration_ps, uint32_t count)
{
	uint64_t ps = 0;

	for (uint32_t i = 0; i < count && ps != 1; i++) {
		/* Starts may differ by more than an int64_t holds. */
		uint64_t later_ps = (uint64_t)start_ps[i] - (uint64_t)start_ps[0];

		ps = common_divisor(start_ps[i] < start_ps[0] ? -later_ps : later_ps, ps);
		ps = common_divisor((uint64_t)duration_ps[i], ps);
	}
	if (ps == 0 || ps > UINT32_MAX)
		return TP_TICK_PS;
	uint8_t shift = (uint8_t)__builtin_ctzll(ps);

	return (struct tp_tick){.inverse = inverse_of(ps >> shift), .ps = (uint32_t)ps, .shift = shift};
}
