/* The first byte of some kind in a run of bytes, sixteen at a time where the processor can: the inner loops of reading
 * JSON. Each returns `end` when there is none. */
#ifndef TP_CODEC_JSON_SCAN_H
#define TP_CODEC_JSON_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(TP_NO_SIMD)
#include <emmintrin.h>

typedef __m128i tp_scan_block;
enum { TP_SCAN_STEP = 16, TP_SCAN_SHIFT = 0 }; /* bytes a block; log2 of mask bits a byte */

static inline tp_scan_block
tp_scan_load(const char *at)
{
	return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline uint64_t
tp_scan_equal(tp_scan_block b, char c)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(b, _mm_set1_epi8(c)));
}

/* Bytes that are the same in both. */
static inline uint64_t
tp_scan_same(tp_scan_block a, tp_scan_block b)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
}

/* Bytes ≤ c, as unsigned numbers. */
static inline uint64_t
tp_scan_upto(tp_scan_block b, char c)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(
		_mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8(c)), b));
}

static inline tp_scan_block
tp_scan_or(tp_scan_block b, char c)
{
	return _mm_or_si128(b, _mm_set1_epi8(c));
}

static inline uint64_t
tp_scan_not(uint64_t mask)
{
	return ~mask & 0xffff;
}

#else
/* Eight bytes in a word; a byte's answer is its highest bit. Bytes are asked one by one exactly (no carry runs from one
 * into the next). The first byte must be the lowest. */
typedef uint64_t tp_scan_block;
enum { TP_SCAN_STEP = 8, TP_SCAN_SHIFT = 3 };

#define TP_SCAN_LOW 0x7f7f7f7f7f7f7f7full
#define TP_SCAN_EACH 0x0101010101010101ull

static inline tp_scan_block
tp_scan_load(const char *at)
{
	uint64_t word;

	memcpy(&word, at, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

static inline uint64_t
tp_scan_same(tp_scan_block a, tp_scan_block b)
{
	uint64_t differs = a ^ b;

	return ~(((differs & TP_SCAN_LOW) + TP_SCAN_LOW) | differs) & ~TP_SCAN_LOW;
}

static inline uint64_t
tp_scan_equal(tp_scan_block b, char c)
{
	return tp_scan_same(b, TP_SCAN_EACH * (unsigned char)c);
}

/* Bytes ≤ c < 0x80, as unsigned numbers. */
static inline uint64_t
tp_scan_upto(tp_scan_block b, char c)
{
	return ~(((b & TP_SCAN_LOW) + TP_SCAN_EACH * (0x7fu - (unsigned char)c)) | b) & ~TP_SCAN_LOW;
}

static inline tp_scan_block
tp_scan_or(tp_scan_block b, char c)
{
	return b | TP_SCAN_EACH * (unsigned char)c;
}

static inline uint64_t
tp_scan_not(uint64_t mask)
{
	return ~mask & ~TP_SCAN_LOW;
}
#endif

/* Which byte of a block the lowest bit of a mask means. */
static inline unsigned
tp_scan_first(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask) >> TP_SCAN_SHIFT;
}

/* A byte that is no white space. Every control byte counts as white space: a file whose end was never written is full of
 * zeros. */
static inline const char *
tp_scan_space(const char *at, const char *end)
{
	for (; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		uint64_t found = tp_scan_not(tp_scan_upto(tp_scan_load(at), ' '));

		if (found != 0)
			return at + tp_scan_first(found);
	}
	while (at != end && (unsigned char)*at <= ' ')
		at++;
	return at;
}

/* A byte that is neither a digit nor one of ".-". */
static inline const char *
tp_scan_number(const char *at, const char *end)
{
	for (; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		tp_scan_block b = tp_scan_load(at);
		uint64_t digits = tp_scan_upto(b, '9') & tp_scan_not(tp_scan_upto(b, '/'));
		uint64_t found = tp_scan_not(digits | tp_scan_equal(b, '.') | tp_scan_equal(b, '-'));

		if (found != 0)
			return at + tp_scan_first(found);
	}
	while (at != end && ((*at >= '0' && *at <= '9') || *at == '.' || *at == '-'))
		at++;
	return at;
}

/* The end of a string, a backslash, or a control byte. */
static inline const char *
tp_scan_string(const char *at, const char *end)
{
	for (; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		tp_scan_block b = tp_scan_load(at);
		uint64_t found = tp_scan_equal(b, '"') | tp_scan_equal(b, '\\') | tp_scan_upto(b, '\x1f');

		if (found != 0)
			return at + tp_scan_first(found);
	}
	while (at != end && *at != '"' && *at != '\\' && (unsigned char)*at > 0x1f)
		at++;
	return at;
}

/* A quote or a backslash. */
static inline const char *
tp_scan_quote(const char *at, const char *end)
{
	for (; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		tp_scan_block b = tp_scan_load(at);
		uint64_t found = tp_scan_equal(b, '"') | tp_scan_equal(b, '\\');

		if (found != 0)
			return at + tp_scan_first(found);
	}
	while (at != end && *at != '"' && *at != '\\')
		at++;
	return at;
}

/* A quote or a bracket of either kind. Those differ from each other in the bit 0x20, which nothing else maps onto them. */
static inline const char *
tp_scan_bracket(const char *at, const char *end)
{
	for (; end - at >= TP_SCAN_STEP; at += TP_SCAN_STEP) {
		tp_scan_block b = tp_scan_load(at);
		tp_scan_block lower = tp_scan_or(b, 0x20);
		uint64_t found =
			tp_scan_equal(b, '"') | tp_scan_equal(lower, '{') | tp_scan_equal(lower, '}');

		if (found != 0)
			return at + tp_scan_first(found);
	}
	while (at != end && *at != '"' && (*at | 0x20) != '{' && (*at | 0x20) != '}')
		at++;
	return at;
}

#endif
