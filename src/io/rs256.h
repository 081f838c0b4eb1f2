/* Signatures by RSA with SHA-256 (RFC 7518, RS256), with which Google's service accounts say who they are. libcrypto computes them, which is
 * loaded when it is first needed, as libcurl is. */
#ifndef TP_IO_RS256_H
#define TP_IO_RS256_H

#include "base/slice.h"

struct tp_arena;

/* The signature of text by a private key in PEM, as bytes in arena; empty: there is none, and *why says why. Safe in any thread. */
struct tp_slice tp_rs256_sign(
	struct tp_arena *arena, struct tp_slice pem, struct tp_slice text, const char **why);

#endif
