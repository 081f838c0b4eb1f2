/* What an external account says who it is with: a token of another service, from a file, an address, AWS's keys or a program, as the credentials'
 * credential_source says (https://google.aip.dev/auth/4117). */
#ifndef TP_IO_GS_SUBJECT_H
#define TP_IO_GS_SUBJECT_H

#include "base/slice.h"

struct tp_arena;

struct tp_gs_subject {
	struct tp_slice audience, type; /* of the credentials: audience, subject_token_type */
	struct tp_slice source;         /* JSON of credential_source */
};

/* The token; empty: there is none, and *why says why. */
struct tp_slice tp_gs_subject_token(
	struct tp_arena *arena, const struct tp_gs_subject *subject, const char **why);

#endif
