/* SHA-1 (FIPS 180-4), by which AWS's tools name the files of their sign-ins. It protects nothing. */
#ifndef TP_BASE_SHA1_H
#define TP_BASE_SHA1_H

#include "base/slice.h"

/* In lower case, with a NUL at the end. */
enum { TP_SHA1_HEX_SIZE = 41 };
void tp_sha1_hex_of(struct tp_slice text, char hex[static TP_SHA1_HEX_SIZE]);

#endif
