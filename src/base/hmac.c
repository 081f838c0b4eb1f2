/* A hash of a hash, each with the key in front. */
#include "base/hmac.h"

#include <string.h>

enum { BLOCK_BYTES = 64 };

static void
hash_of(const unsigned char pad[static BLOCK_BYTES], const void *text, size_t size,
	unsigned char digest[static TP_SHA256_SIZE])
{
	struct tp_sha256 h;

	tp_sha256_init(&h);
	tp_sha256_add(&h, pad, BLOCK_BYTES);
	tp_sha256_add(&h, text, size);
	tp_sha256_finish(&h, digest);
}

void
tp_hmac_sha256(
	struct tp_slice key, struct tp_slice text, unsigned char digest[static TP_SHA256_SIZE])
{
	unsigned char block[BLOCK_BYTES] = {0}, inner[BLOCK_BYTES], outer[BLOCK_BYTES];

	if (key.len > BLOCK_BYTES) {
		struct tp_sha256 h;

		tp_sha256_init(&h);
		tp_sha256_add(&h, key.ptr, key.len);
		tp_sha256_finish(&h, block);
	} else if (key.len != 0) {
		memcpy(block, key.ptr, key.len);
	}
	for (size_t i = 0; i < BLOCK_BYTES; i++) {
		inner[i] = block[i] ^ 0x36;
		outer[i] = block[i] ^ 0x5c;
	}
	hash_of(inner, text.len != 0 ? text.ptr : "", text.len, digest);
	hash_of(outer, digest, TP_SHA256_SIZE, digest);
}

void
tp_sha256_hex(
	const unsigned char digest[static TP_SHA256_SIZE], char hex[static TP_SHA256_HEX_SIZE])
{
	for (size_t i = 0; i < TP_SHA256_SIZE; i++) {
		hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
	}
	hex[2 * TP_SHA256_SIZE] = '\0';
}

void
tp_sha256_hex_of(struct tp_slice text, char hex[static TP_SHA256_HEX_SIZE])
{
	unsigned char digest[TP_SHA256_SIZE];
	struct tp_sha256 h;

	tp_sha256_init(&h);
	tp_sha256_add(&h, text.len != 0 ? text.ptr : "", text.len);
	tp_sha256_finish(&h, digest);
	tp_sha256_hex(digest, hex);
}
