/* SHA-1 as FIPS 180-4 writes it: https://doi.org/10.6028/NIST.FIPS.180-4 */
#include "base/sha1.h"

#include <stdint.h>
#include <stdio.h>

enum { BLOCK = 64 };

static uint32_t
rotate(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static void
take_block(uint32_t h[static 5], const unsigned char *block)
{
	static const uint32_t constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			(uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t choice = (b & c) | (~b & d), majority = (b & c) | (b & d) | (c & d);
		uint32_t mixed = i < 20 ? choice : i >= 40 && i < 60 ? majority : b ^ c ^ d;
		uint32_t next = rotate(a, 5) + mixed + e + constants[i / 20] + w[i];

		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

void
tp_sha1_hex_of(struct tp_slice text, char hex[static TP_SHA1_HEX_SIZE])
{
	uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	unsigned char end[2 * BLOCK] = {0};
	uint64_t bits = (uint64_t)text.len * 8;
	size_t at = 0, rest = text.len % BLOCK, end_size = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	for (; at + BLOCK <= text.len; at += BLOCK)
		take_block(h, (const unsigned char *)text.ptr + at);
	if (rest != 0)
		memcpy(end, text.ptr + at, rest);
	end[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		end[end_size - 1 - i] = (unsigned char)(bits >> 8 * i);
	for (at = 0; at < end_size; at += BLOCK)
		take_block(h, end + at);
	for (size_t i = 0; i < 5; i++)
		snprintf(hex + 8 * i, 9, "%08x", h[i]);
}
