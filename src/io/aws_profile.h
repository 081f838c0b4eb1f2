/* ~/.aws/config and ~/.aws/credentials, which AWS's tools share. */
#ifndef TP_IO_AWS_PROFILE_H
#define TP_IO_AWS_PROFILE_H

#include "base/slice.h"

struct tp_arena;

/* Of AWS_PROFILE; else "default". */
struct tp_slice tp_aws_profile_name(void);

/* A setting of a profile, of the file for keys first, with a NUL at its end; empty: it is not there. */
struct tp_slice tp_aws_profile_value(
	struct tp_arena *arena, struct tp_slice profile, const char *name);

/* The same of the section [sso-session NAME]. */
struct tp_slice tp_aws_session_value(
	struct tp_arena *arena, struct tp_slice session, const char *name);

/* "us-east-1": AWS_REGION, AWS_DEFAULT_REGION, the profile in use; empty: nothing says it. */
struct tp_slice tp_aws_region(struct tp_arena *arena);

/* Where a service is said to be ("STS": AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL, endpoint_url of the profile in use), without a slash
 * at its end; empty: where AWS has it. */
struct tp_slice tp_aws_endpoint(struct tp_arena *arena, const char *service);

#endif
