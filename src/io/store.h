/* Object stores: what each of them says of its addresses, requests and answers; and how one is asked. */
#ifndef TP_IO_STORE_H
#define TP_IO_STORE_H

#include "base/err.h"
#include "base/slice.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tp_arena;
struct tp_http_reply;
struct tp_http_request;
struct tp_store;

/* A bucket, a container, or a server: what requests are sent to. Lives as long as the program. */
struct tp_bucket {
	const struct tp_store *store;
	struct tp_slice address; /* as it is shown, without secrets: "s3://bucket" */
	struct tp_slice name;    /* "bucket" */
	struct tp_slice
		secret; /* of the address: a query that grants access, or a user and password; may be empty */
	void *own;              /* the store's; NULL: nothing was asked yet */
	struct tp_arena *arena; /* for it */
	pthread_mutex_t lock;   /* over both */
};

/* An upload in parts begins, gets its parts in any order, and is joined, or given up. */
enum tp_store_op {
	TP_STORE_READ,
	TP_STORE_LIST,
	TP_STORE_WRITE,
	TP_STORE_DELETE,
	TP_STORE_BEGIN,
	TP_STORE_PART,
	TP_STORE_JOIN,
	TP_STORE_GIVE_UP,
};

struct tp_ask {
	enum tp_store_op op;
	struct tp_slice key;      /* of the object; of a listing what all keys begin with */
	struct tp_slice secret;   /* the object's own query; may be empty */
	struct tp_slice page;     /* of a listing: as the page before said; empty: the first */
	unsigned page_keys;       /* how many a page may hold */
	struct tp_slice if_match; /* of reading: only of this version; may be empty */
	uint64_t first_byte, last_byte;
	uint64_t most_bytes;    /* what is behind them is not waited for; 0: all */
	int fd;                 /* where bytes that are read go, at their place; else −1 */
	struct tp_slice body;   /* of writing; of joining what tp_store.join wrote */
	const char *type;       /* of the object's content */
	struct tp_slice upload; /* as BEGIN's answer names it */
	unsigned part;          /* from 1 on */
	bool last;              /* also where the program is asked to end; asked once */
};

/* What an address leads to. */
struct tp_address {
	struct tp_slice bucket, name, key;
	struct tp_slice bucket_secret, secret; /* of the bucket, of the object */
};

struct tp_object_seen {
	struct tp_slice key, etag;
	uint64_t size_bytes;
	int64_t modified_unix_ns; /* 0: not known */
};

struct tp_page {
	void (*see)(void *with, const struct tp_object_seen *object);
	void *with;
	struct tp_slice next; /* of the page behind; empty: this is the last */
};

/* Why a server refuses. */
struct tp_refusal {
	struct tp_slice code; /* its word for it, "AccessDenied"; may be empty */
	const char *hint;     /* what to do; NULL: nothing is known */
};

struct tp_store {
	const char *name; /* "S3" */
	/* Whether a word is an address here, and its parts. */
	bool (*take)(struct tp_slice word, struct tp_arena *arena, struct tp_address *out);
	/* The request for what is asked, signed for now; texts in arena. With the bucket locked. */
	enum tp_status (*fill)(struct tp_bucket *b, const struct tp_ask *ask, struct tp_arena *arena,
		struct tp_http_request *request, struct tp_err *err);
	/* Shows the objects of a listing's page. */
	enum tp_status (*page)(struct tp_bucket *b, struct tp_slice body, struct tp_arena *arena,
		struct tp_page *page, struct tp_err *err);
	/* Looks at a refusal. True: it told something (another region, the time), so that asking again makes sense. With the bucket
	 * locked. */
	bool (*refused)(struct tp_bucket *b, const struct tp_http_reply *reply, struct tp_arena *arena,
		struct tp_refusal *refusal);
	bool lists; /* false: it holds files, not folders */
	/* Uploads in parts; NULL: none. Whether the bucket takes them; the name that BEGIN's answer gives the upload, in arena (NULL: it has none
	 * and does not begin); writes what joins parts of these etags. */
	bool (*takes_parts)(struct tp_bucket *b);
	struct tp_slice (*begun)(struct tp_arena *arena, struct tp_slice body);
	void (*join)(FILE *out, const struct tp_slice *etags, unsigned count);
};

extern const struct tp_store tp_store_s3, tp_store_gs, tp_store_azure, tp_store_web;

/* Asks, some times where that may help, and goes on where a connection broke. err names `shown`: the statuses are TP_ABSENT (there
 * is no such thing), TP_ERR_IO (denied, no answer), TP_ERR_UNSUPPORTED. */
enum tp_status tp_store_ask(struct tp_bucket *b, const struct tp_ask *ask, const char *shown,
	struct tp_http_reply *reply, struct tp_err *err);

/* An environment variable; empty: it is not set. */
struct tp_slice tp_env(const char *name);

/* Adds "Name: value". */
void tp_store_header(
	struct tp_http_request *r, struct tp_arena *arena, const char *name, struct tp_slice value);

/* Adds the type of what is written; else that there is none, where curl would name one. */
void tp_store_type(struct tp_http_request *r, struct tp_arena *arena, const struct tp_ask *ask);

/* Times as stores write them: "2026-11-26T14:00:00.000Z" and "Thu, 26 Nov 2026 14:00:00 GMT"; 0: neither. */
int64_t tp_time_of_iso(struct tp_slice text);
int64_t tp_time_of_http(struct tp_slice text);

#endif
