/* SHA-256 (FIPS 180-4): for the hashes of a page's own style and script, and to name input files. */
#ifndef TP_BASE_SHA256_H
#define TP_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { TP_SHA256_SIZE = 32 };

struct tp_sha256 {
	uint32_t state[8];
	uint64_t length; /* bytes taken so far */
	unsigned char block[64];
};

void tp_sha256_init(struct tp_sha256 *h);
void tp_sha256_add(struct tp_sha256 *h, const void *data, size_t size);
void tp_sha256_finish(struct tp_sha256 *h, unsigned char digest[static TP_SHA256_SIZE]);

#endif
