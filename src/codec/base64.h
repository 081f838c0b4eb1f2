/* Base64 (RFC 4648), with padding. */
#ifndef TP_CODEC_BASE64_H
#define TP_CODEC_BASE64_H

#include <stddef.h>

/* Bytes that the text of `size` bytes takes, without a final zero. */
#define TP_BASE64_SIZE(size) (((size) + 2) / 3 * 4)

/* Writes the text of data to out (room for TP_BASE64_SIZE(size)); returns its length. */
size_t tp_base64_encode(const void *data, size_t size, char *out);

#endif
