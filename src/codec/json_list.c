/* The end of a list of JSON, without a look at what is in it. */
#include "codec/json_list.h"

#include <stdbool.h>
#include <stddef.h>

#include "codec/json_scan.h"

/* Of each quote and all behind it up to the next; `inside`: the block begins in a string. */
static inline uint64_t
in_strings(uint64_t quotes, bool inside)
{
	for (unsigned step = 1; step < TP_SCAN_STEP; step *= 2)
		quotes ^= quotes << (step << TP_SCAN_SHIFT);
	return inside ? ~quotes : quotes;
}

/* Bracket by bracket. */
static const char *
behind_any(const char *at, const char *end)
{
	uint64_t objects = 0;
	unsigned depth = 0;
	bool inside = false;

	for (; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		tp_scan_block block = tp_scan_load(at), lower = tp_scan_or(block, 0x20);
		uint64_t quotes = tp_scan_equal(block, '"'), strings = in_strings(quotes, inside);
		uint64_t found = (tp_scan_equal(lower, '{') | tp_scan_equal(lower, '}')) & ~strings;

		if (tp_scan_equal(block, '\\') != 0)
			return NULL;
		for (; found != 0; found &= found - 1) {
			const char *bracket = at + tp_scan_first(found);
			bool object = (*bracket & 0x20) != 0;

			if ((*bracket | 0x20) == '{') {
				if (depth++ == TP_JSON_DEEPEST_LIST)
					return NULL;
				objects = objects << 1 | object;
				continue;
			}
			if ((objects & 1) != object)
				return NULL;
			objects >>= 1;
			if (--depth == 0)
				return bracket + 1;
		}
		inside ^= (__builtin_popcountll(quotes) & 1) != 0;
	}
	return NULL;
}

#if defined(__SSE2__) && !defined(TP_NO_SIMD)
/* Each byte and all before it; what came before the block is in all of `before`. */
static inline __m128i
toggled(__m128i before, __m128i b)
{
	b = _mm_xor_si128(b, _mm_slli_si128(b, 1));
	b = _mm_xor_si128(b, _mm_slli_si128(b, 2));
	b = _mm_xor_si128(b, _mm_slli_si128(b, 4));
	b = _mm_xor_si128(b, _mm_slli_si128(b, 8));
	return _mm_xor_si128(b, before);
}

static inline __m128i
summed(__m128i before, __m128i b)
{
	b = _mm_add_epi8(b, _mm_slli_si128(b, 1));
	b = _mm_add_epi8(b, _mm_slli_si128(b, 2));
	b = _mm_add_epi8(b, _mm_slli_si128(b, 4));
	b = _mm_add_epi8(b, _mm_slli_si128(b, 8));
	return _mm_add_epi8(b, before);
}

/* The last byte, sixteen times. */
static inline __m128i
last_of(__m128i b)
{
	b = _mm_unpackhi_epi8(b, b);
	b = _mm_shufflehi_epi16(b, 0xff);
	return _mm_unpackhi_epi64(b, b);
}

static inline __m128i
are(__m128i b, char c)
{
	return _mm_cmpeq_epi8(b, _mm_set1_epi8(c));
}

/* The processor guesses wrongly once and again where a list of lists is walked bracket by bracket. So how deep each byte of a block
 * stands is summed up for all of them at once. Objects, and letters beyond z, are left to the walk. */
const char *
tp_json_behind_list(const char *start, const char *end)
{
	__m128i inside = _mm_setzero_si128(), depth = inside;

	for (const char *at = start; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		__m128i block = tp_scan_load(at);
		uint64_t other = tp_scan_equal(block, '\\') | tp_scan_not(tp_scan_upto(block, 'z'));

		inside = toggled(inside, are(block, '"'));
		/* What is equal is -1. */
		depth =
			summed(depth, _mm_andnot_si128(inside, _mm_sub_epi8(are(block, ']'), are(block, '['))));
		uint64_t ends = tp_scan_equal(depth, 0);

		/* Up to the end. */
		if ((other & (ends ^ (ends - 1))) != 0)
			return behind_any(start, end);
		if (ends != 0)
			return at + tp_scan_first(ends) + 1;
		if (_mm_movemask_epi8(_mm_cmpgt_epi8(depth, _mm_set1_epi8(TP_JSON_DEEPEST_LIST))) != 0)
			return NULL;
		inside = last_of(inside);
		depth = last_of(depth);
	}
	return NULL;
}
#else
const char *
tp_json_behind_list(const char *start, const char *end)
{
	return behind_any(start, end);
}
#endif
