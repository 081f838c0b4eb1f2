/* Keys for a while, from who gives them to programs in a cluster, a container or a machine of AWS. */
#ifndef TP_IO_AWS_ROLES_H
#define TP_IO_AWS_ROLES_H

#include "io/aws_keys.h"

/* Of the cluster's token (AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN). */
struct tp_aws_keys tp_aws_keys_of_cluster(struct tp_arena *arena);

/* Of the container's service. */
struct tp_aws_keys tp_aws_keys_of_container(struct tp_arena *arena);

/* Of the machine's service, version 2 of its protocol alone. */
struct tp_aws_keys tp_aws_keys_of_machine(struct tp_arena *arena);

#endif
