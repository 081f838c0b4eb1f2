/* Where Google's tools look for a token. */
#ifndef TP_IO_GS_TOKEN_H
#define TP_IO_GS_TOKEN_H

#include "io/service.h"

/* The environment (CLOUDSDK_AUTH_ACCESS_TOKEN, GOOGLE_OAUTH_ACCESS_TOKEN), the file
 * that GOOGLE_APPLICATION_CREDENTIALS names (a user's, a service account's, an external account's, or of who acts for a service account), the one that gcloud keeps, the machine's service. *why_none:
 * what was found and does not work; NULL: nothing. */
struct tp_token tp_gs_token_find(struct tp_arena *arena, const char **why_none);

#endif
