/* GetCallerIdentity of AWS's token service, signed for the audience. */
#include "io/gs_aws.h"

#include "base/arena.h"
#include "base/hmac.h"
#include "io/aws_find.h"
#include "io/aws_profile.h"
#include "io/gs_subject.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/service.h"
#include "io/sigv4.h"
#include "io/store.h"
#include "io/url.h"

#include <time.h>

static const char TARGET[] = "x-goog-cloud-target-resource";

/* "us-east-1": what the environment says, else the zone of the machine without its letter. */
static struct tp_slice
region_of(struct tp_arena *arena, struct tp_slice region_url, struct tp_slice session_url)
{
	struct tp_slice region = tp_aws_region(arena);
	struct tp_http_request request = {.method = "GET",
		.url = region_url.ptr,
		.connect_ms = TP_SERVICE_CONNECT_MS,
		.direct = true};

	if (region.len != 0 || region_url.len == 0)
		return region;
	if (session_url.len != 0) {
		struct tp_http_request session = {.method = "PUT",
			.url = session_url.ptr,
			.connect_ms = TP_SERVICE_CONNECT_MS,
			.direct = true};

		tp_http_add(&session, "X-aws-ec2-metadata-token-ttl-seconds: 300");
		tp_store_header(
			&request, arena, "X-aws-ec2-metadata-token", tp_service_ask(arena, &session));
	}
	region = tp_service_ask(arena, &request);
	region.len -= region.len != 0;
	return region;
}

static struct tp_slice
in_region(struct tp_arena *arena, struct tp_slice url, struct tp_slice region)
{
	const char *at = url.len != 0 ? memmem(url.ptr, url.len, "{region}", 8) : NULL;

	if (url.len == 0)
		return tp_arena_printf(arena,
			"https://sts.%.*s.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
			TP_ARG(region));
	if (at == NULL)
		return url;
	return tp_arena_printf(
		arena, "%.*s%.*s%s", (int)(at - url.ptr), url.ptr, TP_ARG(region), at + 8);
}

static struct tp_slice
header_json(struct tp_arena *arena, const char *key, struct tp_slice value)
{
	const struct tp_json_text fields[] = {{"key", tp_slice_of(key)}, {"value", value}};

	return tp_json_object_of(arena, fields, 2, 0);
}

/* Percent-encoded JSON of the request. */
static struct tp_slice
signed_request(struct tp_arena *arena, struct tp_slice address, struct tp_slice region,
	const struct tp_aws_keys *keys, struct tp_slice audience)
{
	struct tp_sigv4_key key = {
		keys->access_key, keys->secret_key, region, TP_S("sts"), (int64_t)time(NULL)};
	struct tp_slice date = tp_sigv4_date(arena, key.now_unix_s);
	char nothing[TP_SHA256_HEX_SIZE];
	struct tp_url url;

	if (!tp_url_split(address, &url))
		return (struct tp_slice){"", 0};
	struct tp_slice host = tp_url_usual_host(url.scheme, url.host);

	tp_sha256_hex_of(TP_S(""), nothing);
	struct tp_sigv4_request r = {.method = TP_S("POST"),
		.path = url.path.len != 0 ? url.path : TP_S("/"),
		.query = url.query,
		.payload_sha256 = tp_slice_of(nothing)};

	tp_sigv4_header(&r, TP_S("host"), host);
	tp_sigv4_header(&r, TP_S("x-amz-date"), date);
	tp_sigv4_header(&r, tp_slice_of(TARGET), audience);
	if (keys->token.len != 0)
		tp_sigv4_header(&r, TP_S("x-amz-security-token"), keys->token);
	struct tp_slice headers =
		header_json(arena, "Authorization", tp_sigv4_authorization(arena, &r, &key));

	for (unsigned i = 0; i < r.header_count; i++)
		headers = tp_arena_printf(arena, "%.*s,%.*s", TP_ARG(headers),
			TP_ARG(header_json(
				arena, tp_arena_copy(arena, r.headers[i].name).ptr, r.headers[i].value)));
	const struct tp_json_text fields[] = {{"url", address}, {"method", TP_S("POST")}};
	struct tp_slice object = tp_json_object_of(arena, fields, 2, 0);

	return tp_url_encode(arena,
		tp_arena_printf(
			arena, "%.*s,\"headers\":[%.*s]}", (int)object.len - 1, object.ptr, TP_ARG(headers)),
		false);
}

struct tp_slice
tp_gs_aws_token(struct tp_arena *arena, const struct tp_gs_subject *subject, const char **why)
{
	struct tp_json_text fields[] = {{"regional_cred_verification_url", {"", 0}},
		{"region_url", {"", 0}}, {"imdsv2_session_token_url", {"", 0}}};

	tp_json_texts(arena, subject->source, fields, 3);
	struct tp_slice region = region_of(arena, fields[1].value, fields[2].value);
	struct tp_aws_keys keys = tp_aws_keys_find(arena);

	*why = region.len == 0             ? "the AWS region is unknown: set AWS_REGION"
		: keys.why_none != NULL        ? keys.why_none
		: !tp_aws_keys_complete(&keys) ? "no AWS keys were found"
									   : NULL;
	if (*why != NULL)
		return (struct tp_slice){"", 0};
	return signed_request(
		arena, in_region(arena, fields[0].value, region), region, &keys, subject->audience);
}
