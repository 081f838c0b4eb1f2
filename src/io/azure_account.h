/* Which account of Azure Storage is asked, and by what it lets us in. */
#ifndef TP_IO_AZURE_ACCOUNT_H
#define TP_IO_AZURE_ACCOUNT_H

#include "io/service.h"
#include "io/store.h"

struct tp_azure {
	struct tp_slice name; /* of the account; empty: not known */
	struct tp_slice
		endpoint; /* "https://account.blob.core.windows.net", without a slash at its end; empty: not known */
	struct tp_slice key;   /* shared key, as bytes; empty: none */
	struct tp_slice sas;   /* shared access signature, a query; empty: none */
	struct tp_token token; /* else */
	bool token_known;
	int64_t ahead_s; /* how far the server's clock is ahead of ours */
};

/* What the environment says: AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT with AZURE_STORAGE_KEY or
 * AZURE_STORAGE_SAS_TOKEN. */
struct tp_azure tp_azure_of_environment(struct tp_arena *arena);

/* A token: of an application (AZURE_CLIENT_ID with AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE), of the machine. */
struct tp_token tp_azure_token_find(struct tp_arena *arena);

#endif
