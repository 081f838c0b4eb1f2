/* Signature Version 4, as AWS and those who took its interface over sign requests:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 * libcurl can sign, too, but not before 7.75, only from 7.88 on as S3 wants it, and always by this machine's clock. */
#ifndef TP_IO_SIGV4_H
#define TP_IO_SIGV4_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;

struct tp_sigv4_key {
	struct tp_slice access_key, secret_key;
	struct tp_slice region, service; /* "us-east-1", "s3" */
	int64_t now_unix_s;
};

enum { TP_SIGV4_MOST_HEADERS = 12 };

struct tp_sigv4_request {
	struct tp_slice method;
	struct tp_slice path;  /* as it is sent, with a slash in front */
	struct tp_slice query; /* of tp_query_text */
	/* Those that are signed: names in lower case, in any order. */
	struct {
		struct tp_slice name, value;
	} headers[TP_SIGV4_MOST_HEADERS];
	unsigned header_count;
	struct tp_slice payload_sha256; /* in hexadecimal digits, or "UNSIGNED-PAYLOAD" */
};

void tp_sigv4_header(struct tp_sigv4_request *r, struct tp_slice name, struct tp_slice value);

/* "20130524T000000Z", which the header x-amz-date has to hold. */
struct tp_slice tp_sigv4_date(struct tp_arena *arena, int64_t unix_s);

/* What is signed, for tests. */
struct tp_slice tp_sigv4_canonical(struct tp_arena *arena, const struct tp_sigv4_request *r);

/* The value of the header Authorization. */
struct tp_slice tp_sigv4_authorization(
	struct tp_arena *arena, const struct tp_sigv4_request *r, const struct tp_sigv4_key *key);

#endif
