/* HMAC with SHA-256 (RFC 2104): what object stores have requests signed by. */
#ifndef TP_BASE_HMAC_H
#define TP_BASE_HMAC_H

#include "base/sha256.h"
#include "base/slice.h"

void tp_hmac_sha256(
	struct tp_slice key, struct tp_slice text, unsigned char digest[static TP_SHA256_SIZE]);

/* In lower case, with a NUL at the end. */
enum { TP_SHA256_HEX_SIZE = 2 * TP_SHA256_SIZE + 1 };
void tp_sha256_hex(
	const unsigned char digest[static TP_SHA256_SIZE], char hex[static TP_SHA256_HEX_SIZE]);
void tp_sha256_hex_of(struct tp_slice text, char hex[static TP_SHA256_HEX_SIZE]);

#endif
