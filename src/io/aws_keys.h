/* Where AWS's tools look for settings and keys, in their order: the environment, the profile's files, a token of the cluster, the
 * container's service, the machine's service. */
#ifndef TP_IO_AWS_KEYS_H
#define TP_IO_AWS_KEYS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

struct tp_aws_keys {
	struct tp_slice access_key, secret_key, token; /* access_key empty: none were found */
	int64_t expires_unix_s;                        /* 0: they last */
	struct tp_slice source; /* for messages: "profile dev in /home/u/.aws/credentials" */
	const char *why_none;   /* what stands in the profile that is not supported; NULL: nothing */
};

/* May ask services of the machine. Never fails: there may be none. */
struct tp_aws_keys tp_aws_keys_find(struct tp_arena *arena);

/* A setting of the profile in use: "region", "endpoint_url"; empty: it is not there. */
struct tp_slice tp_aws_setting(struct tp_arena *arena, const char *name);

#endif
