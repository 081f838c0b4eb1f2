/* Keys for who signed in by `aws sso login`: https://docs.aws.amazon.com/sdkref/latest/guide/feature-sso-credentials.html */
#ifndef TP_IO_AWS_SSO_H
#define TP_IO_AWS_SSO_H

#include "io/aws_keys.h"

/* None, and no reason why, where the profile does not sign in so. */
struct tp_aws_keys tp_aws_sso_keys(struct tp_arena *arena, struct tp_slice profile);

#endif
