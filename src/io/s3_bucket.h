/* A bucket of S3, or of a server that speaks its protocol: Google's too, with keys of HMAC. */
#ifndef TP_IO_S3_BUCKET_H
#define TP_IO_S3_BUCKET_H

#include "io/aws_keys.h"
#include "io/store.h"

#include <stdio.h>

struct tp_s3 {
	struct tp_slice scheme, host; /* of the server, without the bucket's name */
	struct tp_slice base;         /* what its paths begin with: "" or "/minio" */
	struct tp_slice region;
	bool amazon;  /* the host follows from the region */
	bool in_host; /* the bucket's name stands in the host, not in the path */
	bool insecure;
	const char *ca_file;
	int64_t ahead_s; /* how far the server's clock is ahead of ours */
	struct tp_aws_keys keys;
	bool keys_known;
};

/* The bucket's, as the environment and the profile's files say; made at first use. */
struct tp_s3 *tp_s3_of(struct tp_bucket *b);

/* Google's, for keys of HMAC. */
struct tp_s3 *tp_s3_of_google(
	struct tp_bucket *b, struct tp_slice access_key, struct tp_slice secret_key);

/* As those of tp_store. */
void tp_s3_fill(struct tp_bucket *b, struct tp_s3 *s, const struct tp_ask *ask,
	struct tp_arena *arena, struct tp_http_request *request);
enum tp_status tp_s3_page(struct tp_bucket *b, struct tp_slice body, struct tp_arena *arena,
	struct tp_page *page, struct tp_err *err);
bool tp_s3_refused(struct tp_bucket *b, struct tp_s3 *s, const struct tp_http_reply *reply,
	struct tp_arena *arena, struct tp_refusal *refusal);
struct tp_slice tp_s3_begun(struct tp_arena *arena, struct tp_slice body);
void tp_s3_join(FILE *out, const struct tp_slice *etags, unsigned count);

#endif
