/* Keys for a while, from who gives them to programs in a cluster, a container or a machine of AWS. */
#ifndef TP_IO_AWS_ROLES_H
#define TP_IO_AWS_ROLES_H

#include "io/aws_keys.h"

/* In the order of AWS's tools: a token of the cluster (AWS_WEB_IDENTITY_TOKEN_FILE), the container's service, the machine's
 * (version 2 of its protocol alone). */
struct tp_aws_keys tp_aws_keys_of_roles(struct tp_arena *arena);

#endif
