/* What `aws sso login` leaves: a token in a file of its cache, and what renews it, as AWS's own tools do:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-sso-credentials.html */
#ifndef TP_IO_AWS_SSO_TOKEN_H
#define TP_IO_AWS_SSO_TOKEN_H

#include "base/slice.h"

#include <stdbool.h>

struct tp_arena;

/* The token of a session, or of an address where one signs in, which the file is named after. Within a quarter of an hour of its end that of a
 * session is renewed in its region, and the file written anew: what renews it is good for once. Empty: there is none, or it has expired. */
struct tp_slice tp_aws_sso_token(
	struct tp_arena *arena, struct tp_slice session, struct tp_slice region, bool renew);

#endif
