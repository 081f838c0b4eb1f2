/* s3://: requests of S3's REST interface (https://docs.aws.amazon.com/AmazonS3/latest/API/), its listings and its refusals. */
#include "base/arena.h"
#include "base/hmac.h"
#include "io/aws_find.h"
#include "io/http.h"
#include "io/records_xml.h"
#include "io/s3_bucket.h"
#include "io/service.h"
#include "io/sigv4.h"
#include "io/url.h"
#include "io/xml_listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_KEYS = 1000 };

static bool
take(struct tp_slice word, struct tp_arena *arena, struct tp_address *out)
{
	struct tp_slice rest = tp_slice_from(word, strlen("s3://"));

	if (tp_slice_starts(word, TP_S("s3a://")) || tp_slice_starts(word, TP_S("s3n://")))
		rest = tp_slice_from(word, strlen("s3a://"));
	else if (!tp_slice_starts(word, TP_S("s3://")))
		return false;
	const char *slash = rest.len != 0 ? memchr(rest.ptr, '/', rest.len) : NULL;

	out->name = (struct tp_slice){rest.ptr, slash != NULL ? (size_t)(slash - rest.ptr) : rest.len};
	out->key = tp_slice_from(rest, out->name.len + 1);
	out->bucket = tp_arena_printf(arena, "s3://%.*s", TP_ARG(out->name));
	return out->name.len != 0;
}

static struct tp_slice
host_of(const struct tp_bucket *b, const struct tp_s3 *s, struct tp_arena *arena)
{
	struct tp_slice host = s->host;

	if (s->amazon)
		host = tp_arena_printf(arena, "s3.%.*s.amazonaws.com%s", TP_ARG(s->region),
			tp_slice_starts(s->region, TP_S("cn-")) ? ".cn" : "");
	return s->in_host ? tp_arena_printf(arena, "%.*s.%.*s", TP_ARG(b->name), TP_ARG(host)) : host;
}

static struct tp_slice
path_of(const struct tp_bucket *b, const struct tp_s3 *s, const struct tp_ask *ask,
	struct tp_arena *arena)
{
	struct tp_slice key =
		ask->op == TP_STORE_LIST ? TP_S("") : tp_url_encode(arena, ask->key, true);
	struct tp_slice name = tp_url_encode(arena, b->name, false);

	if (s->in_host)
		return tp_arena_printf(arena, "%.*s/%.*s", TP_ARG(s->base), TP_ARG(key));
	return tp_arena_printf(arena, "%.*s/%.*s%s%.*s", TP_ARG(s->base), TP_ARG(name),
		key.len != 0 ? "/" : "", TP_ARG(key));
}

static struct tp_slice
query_of(const struct tp_ask *ask, struct tp_arena *arena)
{
	struct tp_query q = {.count = 0};
	unsigned keys = ask->page_keys < MOST_KEYS ? ask->page_keys : MOST_KEYS;

	if (ask->op == TP_STORE_BEGIN)
		tp_query_add(&q, TP_S("uploads"), TP_S(""));
	if (ask->op == TP_STORE_PART)
		tp_query_add(&q, TP_S("partNumber"), tp_arena_printf(arena, "%u", ask->part));
	if (ask->upload.len != 0)
		tp_query_add(&q, TP_S("uploadId"), ask->upload);
	if (ask->op != TP_STORE_LIST)
		return tp_query_text(arena, &q);
	tp_query_add(&q, TP_S("list-type"), TP_S("2"));
	tp_query_add(&q, TP_S("max-keys"), tp_arena_printf(arena, "%u", keys));
	tp_query_add(&q, TP_S("prefix"), ask->key);
	if (ask->page.len != 0)
		tp_query_add(&q, TP_S("continuation-token"), ask->page);
	return tp_query_text(arena, &q);
}

static int64_t
now_s(const struct tp_s3 *s)
{
	return (int64_t)time(NULL) + s->ahead_s;
}

/* Those that expire are looked for again in time. */
static void
find_keys(struct tp_s3 *s, struct tp_arena *arena)
{
	if (s->keys_known && !tp_expires_soon(s->keys.expires_unix_s, now_s(s)))
		return;
	s->keys = tp_aws_keys_find(arena);
	s->keys_known = true;
}

static void
sign(struct tp_sigv4_request *r, const struct tp_s3 *s, struct tp_arena *arena,
	struct tp_http_request *request)
{
	struct tp_sigv4_key key = {
		s->keys.access_key, s->keys.secret_key, s->region, TP_S("s3"), now_s(s)};
	struct tp_slice date = tp_sigv4_date(arena, key.now_unix_s);

	tp_sigv4_header(r, TP_S("x-amz-content-sha256"), r->payload_sha256);
	tp_store_header(request, arena, "x-amz-content-sha256", r->payload_sha256);
	tp_sigv4_header(r, TP_S("x-amz-date"), date);
	tp_store_header(request, arena, "x-amz-date", date);
	if (s->keys.token.len != 0) {
		tp_sigv4_header(r, TP_S("x-amz-security-token"), s->keys.token);
		tp_store_header(request, arena, "x-amz-security-token", s->keys.token);
	}
	tp_store_header(request, arena, "Authorization", tp_sigv4_authorization(arena, r, &key));
}

static struct tp_slice
method_of(enum tp_store_op op)
{
	switch (op) {
	case TP_STORE_READ:
	case TP_STORE_LIST:
		break;
	case TP_STORE_WRITE:
	case TP_STORE_PART:
		return TP_S("PUT");
	case TP_STORE_BEGIN:
	case TP_STORE_JOIN:
		return TP_S("POST");
	case TP_STORE_DELETE:
	case TP_STORE_GIVE_UP:
		return TP_S("DELETE");
	}
	return TP_S("GET");
}

void
tp_s3_fill(struct tp_bucket *b, struct tp_s3 *s, const struct tp_ask *ask, struct tp_arena *arena,
	struct tp_http_request *request)
{
	char hash[TP_SHA256_HEX_SIZE];

	find_keys(s, b->arena);
	tp_sha256_hex_of(ask->body, hash);
	struct tp_slice host = host_of(b, s, arena);
	struct tp_sigv4_request r = {
		.method = method_of(ask->op),
		.path = path_of(b, s, ask, arena),
		.query = query_of(ask, arena),
		.payload_sha256 = tp_slice_of(hash),
	};

	tp_sigv4_header(&r, TP_S("host"), host);
	request->method = r.method.ptr;
	request->url = tp_arena_printf(arena, "%.*s://%.*s%.*s%s%.*s", TP_ARG(s->scheme), TP_ARG(host),
		TP_ARG(r.path), r.query.len != 0 ? "?" : "", TP_ARG(r.query))
					   .ptr;
	request->insecure = s->insecure;
	request->ca_file = s->ca_file;
	tp_store_type(request, arena, ask);
	if (ask->if_match.len != 0)
		tp_store_header(request, arena, "If-Match", ask->if_match);
	if (s->keys.access_key.len != 0)
		sign(&r, s, arena, request);
}

static enum tp_status
fill(struct tp_bucket *b, const struct tp_ask *ask, struct tp_arena *arena,
	struct tp_http_request *request, struct tp_err *err)
{
	(void)err;
	tp_s3_fill(b, tp_s3_of(b), ask, arena, request);
	return TP_OK;
}

enum tp_status
tp_s3_page(struct tp_bucket *b, struct tp_slice body, struct tp_arena *arena, struct tp_page *page,
	struct tp_err *err)
{
	static const struct tp_xml_listing listing = {
		.store = "S3",
		.record = "Contents",
		.key = "Key",
		.size = "Size",
		.time = "LastModified",
		.etag = "ETag",
		.read_time = tp_time_of_iso,
		.next = "NextContinuationToken",
		.but = "Contents",
	};

	return tp_xml_listing_page(&listing, b, body, arena, page, err);
}

/* The region that an answer names, if it is another. */
static bool
learn_region(
	struct tp_bucket *b, struct tp_s3 *s, const struct tp_http_reply *reply, struct tp_arena *arena)
{
	struct tp_slice region = tp_http_header(reply, "x-amz-bucket-region");

	if (region.len == 0)
		region = tp_xml_first(arena, tp_http_body(reply), "Region", NULL);
	/* It becomes a part of a host's name. */
	for (size_t i = 0; i < region.len; i++) {
		if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", region.ptr[i]) == NULL)
			return false;
	}
	if (region.len == 0 || region.len > 40 || tp_slice_eq(region, s->region))
		return false;
	s->region = tp_arena_copy(b->arena, region);
	return true;
}

static bool
learn_time(struct tp_s3 *s, const struct tp_http_reply *reply)
{
	int64_t said = tp_time_of_http(tp_http_header(reply, "date")) / 1000000000;

	if (said == 0 || s->ahead_s != 0)
		return false;
	s->ahead_s = said - (int64_t)time(NULL);
	return s->ahead_s != 0;
}

static const char *
hint_of(const struct tp_s3 *s, const struct tp_http_reply *reply, struct tp_slice code,
	struct tp_arena *arena)
{
	static const struct {
		const char *code, *hint;
	} hints[] = {
		{"NoSuchBucket", "there is no bucket of this name"},
		{"NoSuchKey", "the bucket has no such object"},
		{"InvalidAccessKeyId", "the server does not know the access key"},
		/* The same in the words of Versity's gateway. */
		{"XAdminUserNotFound", "the server does not know the access key"},
		{"SignatureDoesNotMatch", "the secret key is wrong"},
		{"ExpiredToken", "the credentials have expired: sign in again"},
		{"InvalidToken", "the session token is wrong"},
		{"RequestTimeTooSkewed", "this machine's clock is wrong"},
		{"PermanentRedirect", "the bucket is in another region: set AWS_REGION"},
		{"AuthorizationHeaderMalformed", "the bucket is in another region: set AWS_REGION"},
	};

	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		if (tp_slice_eq(code, tp_slice_of(hints[i].code)))
			return hints[i].hint;
	}
	if (reply->status == 301 || reply->status == 307)
		return "the bucket is in another region: set AWS_REGION";
	if (reply->status != 403 && reply->status != 401)
		return NULL;
	if (s->keys.access_key.len != 0)
		return tp_arena_printf(arena, "the keys of %.*s may not do this", TP_ARG(s->keys.source))
			.ptr;
	if (s->keys.why_none != NULL)
		return s->keys.why_none;
	return "no keys were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";
}

bool
tp_s3_refused(struct tp_bucket *b, struct tp_s3 *s, const struct tp_http_reply *reply,
	struct tp_arena *arena, struct tp_refusal *refusal)
{
	struct tp_slice code = tp_xml_first(arena, tp_http_body(reply), "Code", NULL);
	bool again = false;

	*refusal = (struct tp_refusal){code, hint_of(s, reply, code, arena)};
	if (tp_slice_eq(code, TP_S("RequestTimeTooSkewed")))
		again = learn_time(s, reply);
	else if (tp_slice_eq(code, TP_S("ExpiredToken")) && s->keys.expires_unix_s != 0) {
		s->keys_known = false;
		again = true;
	} else if (reply->status == 301 || reply->status == 307 || reply->status == 400)
		again = learn_region(b, s, reply, arena);
	return again;
}

static bool
refused(struct tp_bucket *b, const struct tp_http_reply *reply, struct tp_arena *arena,
	struct tp_refusal *refusal)
{
	return tp_s3_refused(b, b->own, reply, arena, refusal);
}

static bool
takes_parts(struct tp_bucket *b)
{
	(void)b;
	return true;
}

struct tp_slice
tp_s3_begun(struct tp_arena *arena, struct tp_slice body)
{
	return tp_xml_first(arena, body, "UploadId", NULL);
}

void
tp_s3_join(FILE *out, const struct tp_slice *etags, unsigned count)
{
	fputs("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">", out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "<Part><PartNumber>%u</PartNumber><ETag>%.*s</ETag></Part>", i + 1,
			TP_ARG(etags[i]));
	fputs("</CompleteMultipartUpload>", out);
}

const struct tp_store tp_store_s3 = {
	.name = "S3",
	.take = take,
	.fill = fill,
	.page = tp_s3_page,
	.refused = refused,
	.lists = true,
	.takes_parts = takes_parts,
	.begun = tp_s3_begun,
	.join = tp_s3_join,
};
