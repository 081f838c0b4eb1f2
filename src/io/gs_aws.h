/* A program in AWS says who it is by a request that it signs and does not send: Google sends it, and AWS's answer names who signed it
 * (https://google.aip.dev/auth/4117, "Determining the subject token in AWS"). */
#ifndef TP_IO_GS_AWS_H
#define TP_IO_GS_AWS_H

#include "base/slice.h"

struct tp_arena;
struct tp_gs_subject;

/* The request as the token that Google takes; empty: there is none, and *why says why. */
struct tp_slice tp_gs_aws_token(
	struct tp_arena *arena, const struct tp_gs_subject *subject, const char **why);

#endif
