/* By the processor's own instruction where it has one, else by a table. */
#include "io/crc32c.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

static uint32_t
by_table(uint32_t crc, struct tp_slice bytes)
{
	static const uint32_t table[256] = {
#include "io/crc32c_table.inc"
	};

	for (size_t i = 0; i < bytes.len; i++)
		crc = table[(crc ^ (uint8_t)bytes.ptr[i]) & 0xff] ^ crc >> 8;
	return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t crc, struct tp_slice bytes)
{
	uint64_t wide = crc;
	size_t i = 0;

	for (; i + 8 <= bytes.len; i += 8) {
		uint64_t word;

		memcpy(&word, bytes.ptr + i, sizeof word);
		wide = _mm_crc32_u64(wide, word);
	}
	crc = (uint32_t)wide;
	for (; i < bytes.len; i++)
		crc = _mm_crc32_u8(crc, (uint8_t)bytes.ptr[i]);
	return crc;
}
#endif

uint32_t
tp_crc32c(struct tp_slice bytes)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("sse4.2"))
		return ~by_instruction(~0u, bytes);
#endif
	return ~by_table(~0u, bytes);
}

uint32_t
tp_crc32c_masked(struct tp_slice bytes)
{
	uint32_t crc = tp_crc32c(bytes);

	return (crc >> 15 | crc << 17) + 0xa282ead8u;
}
