/* Plain numbers of JSON, as nearly all of a trace are: the inner loop of reading events. All others json_number.h reads. */
#ifndef TP_CODEC_JSON_PLAIN_H
#define TP_CODEC_JSON_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The eight bytes at `at`, less '0' each, the first as the lowest. */
static inline uint64_t
tp_plain_load(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word ^ 0x3030303030303030ULL;
}

/* The highest bit of the lowest byte that is above 9; 0: all are digits. What carries may do to higher ones does not matter. */
static inline uint64_t
tp_plain_other(uint64_t word)
{
	return ((word + 0x7676767676767676ULL) | word) & 0x8080808080808080ULL;
}

/* The number that eight digits are. They are worked on at once: each pair, each two pairs, both fours. */
static inline uint64_t
tp_plain_eight(uint64_t word)
{
	word = word * 10 + (word >> 8);
	return ((word & 0x000000ff000000ffULL) * (100 + (1000000ULL << 32)) +
			   (word >> 16 & 0x000000ff000000ffULL) * (1 + (10000ULL << 32))) >>
		32;
}

/* The number × 10^places where it is a plain one: digits, at most `places` ≤ 7 of them behind a point, 18 in all, and then a byte that may
 * follow a number in JSON. Returns the place behind it; NULL for all others. TP_PLAIN_AHEAD bytes are there. */
enum { TP_PLAIN_AHEAD = 48 };

static inline const char *
tp_plain_number(const char *at, unsigned places, int64_t *out, bool *point)
{
	static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	bool negative = *at == '-';
	const char *start = at += negative;
	uint64_t number = 0, word, other;

	for (;;) {
		word = tp_plain_load(at);
		other = tp_plain_other(word);
		if (other != 0)
			break;
		if (at - start >= 16)
			return NULL;
		number = number * 100000000 + tp_plain_eight(word);
		at += 8;
	}
	unsigned count = (unsigned)__builtin_ctzll(other) / 8;

	/* None at all are shifted out in two steps: one of 64 bits has no meaning. */
	number = number * powers[count] + tp_plain_eight(word << (56 - 8 * count) << 8);
	at += count;
	if (at == start || at - start > 18 - (int)places)
		return NULL;
	*point = *at == '.';
	if (*point) {
		word = tp_plain_load(++at);
		other = tp_plain_other(word);
		count = other != 0 ? (unsigned)__builtin_ctzll(other) / 8 : 8;
		if (count > places)
			return NULL;
		number = number * powers[count] + tp_plain_eight(word << (56 - 8 * count) << 8);
		at += count;
		places -= count;
	}
	number *= powers[places];
	if (*at != ',' && *at != '}' && *at != ']' && (unsigned char)*at > ' ')
		return NULL;
	*out = negative ? -(int64_t)number : (int64_t)number;
	return at;
}

#endif
