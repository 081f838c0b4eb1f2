/* AWS's Security Token Service gives keys of a role for a while: https://docs.aws.amazon.com/STS/latest/APIReference/ */
#ifndef TP_IO_AWS_STS_H
#define TP_IO_AWS_STS_H

#include "io/aws_keys.h"

/* What is asked for; empty texts are left out. */
struct tp_aws_role {
	struct tp_slice arn;     /* "arn:aws:iam::1:role/reader" */
	struct tp_slice session; /* its name in logs; empty: tpreport */
	struct tp_slice external_id;
	struct tp_slice seconds; /* how long the keys shall last */
};

/* By keys that may take the role. */
struct tp_aws_keys tp_aws_role_by_keys(
	struct tp_arena *arena, const struct tp_aws_role *role, const struct tp_aws_keys *by);

/* By a token in a file, which another service has signed. */
struct tp_aws_keys tp_aws_role_by_token(
	struct tp_arena *arena, const struct tp_aws_role *role, struct tp_slice token_path);

#endif
