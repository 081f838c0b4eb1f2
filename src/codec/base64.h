/* Base64 (RFC 4648), with padding. */
#ifndef TP_CODEC_BASE64_H
#define TP_CODEC_BASE64_H

#include "base/slice.h"

/* Bytes that the text of `size` bytes takes, without a final zero. */
#define TP_BASE64_SIZE(size) (((size) + 2) / 3 * 4)

/* Writes the text of data to out (room for TP_BASE64_SIZE(size)); returns its length. */
size_t tp_base64_encode(const void *data, size_t size, char *out);

/* Bytes that a text of this length holds at most. */
#define TP_BASE64_DECODED(length) ((length) / 4 * 3 + 3)

/* Writes what a text holds to out, and how many bytes that are; white space is passed over. False when it is no base64. */
bool tp_base64_decode(struct tp_slice text, unsigned char *out, size_t *length);

#endif
