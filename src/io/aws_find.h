/* Where AWS's tools look for keys, in their order: the environment, a token of the cluster, the profile (its role, its sign-in, its keys,
 * its program), the container's service, the machine's service. */
#ifndef TP_IO_AWS_FIND_H
#define TP_IO_AWS_FIND_H

#include "io/aws_keys.h"

/* May ask services. Never fails: there may be none. */
struct tp_aws_keys tp_aws_keys_find(struct tp_arena *arena);

#endif
