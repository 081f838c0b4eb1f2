/* What signs requests to AWS. */
#ifndef TP_IO_AWS_KEYS_H
#define TP_IO_AWS_KEYS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

struct tp_aws_keys {
	struct tp_slice access_key, secret_key, token; /* access_key empty: none were found */
	int64_t expires_unix_s;                        /* 0: they last */
	struct tp_slice source;                        /* for messages: "profile dev" */
	const char *why_none; /* what was found instead, and what to do; NULL: nothing was */
};

/* Whether there is what signs a request. */
bool tp_aws_keys_complete(const struct tp_aws_keys *keys);

/* Those of an answer in JSON, as the services of containers and machines and a profile's program give them; the token by its name
 * there. */
struct tp_aws_keys tp_aws_keys_of_json(
	struct tp_arena *arena, struct tp_slice text, const char *token, struct tp_slice source);

#endif
