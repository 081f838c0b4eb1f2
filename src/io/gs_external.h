/* Tokens of Google for whom another service vouches (workload and workforce identity federation), and in the name of a service account:
 * https://google.aip.dev/auth/4117, https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token */
#ifndef TP_IO_GS_EXTERNAL_H
#define TP_IO_GS_EXTERNAL_H

#include "io/service.h"

/* By a file of credentials of the type external_account, whose JSON is given. Its path is for *why_none, which says what does not work. */
struct tp_token tp_gs_external(
	struct tp_arena *arena, struct tp_slice path, struct tp_slice json, const char **why_none);

/* By one of the type external_account_authorized_user, which `gcloud auth application-default login` leaves for a workforce. */
struct tp_token tp_gs_external_user(
	struct tp_arena *arena, struct tp_slice path, struct tp_slice json, const char **why_none);

/* How to act for a service account. */
struct tp_gs_account {
	struct tp_slice
		url; /* says which: https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/…:generateAccessToken */
	struct tp_slice delegates;  /* JSON, a list of accounts in between; may be empty */
	struct tp_slice lifetime_s; /* empty: an hour */
};

/* The account's token, for who may act for it. */
struct tp_token tp_gs_impersonated(struct tp_arena *arena, struct tp_slice path,
	const struct tp_gs_account *account, const struct tp_token *by, const char **why_none);

#endif
