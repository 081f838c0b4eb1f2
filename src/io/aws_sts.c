/* One form, and one answer in XML; asked with keys it is signed as any request to AWS. */
#include "io/aws_sts.h"

#include "base/arena.h"
#include "base/hmac.h"
#include "io/aws_profile.h"
#include "io/http.h"
#include "io/records_xml.h"
#include "io/service.h"
#include "io/sigv4.h"
#include "io/small_file.h"
#include "io/store.h"
#include "io/url.h"

#include <time.h>

/* Without a region there is one service for all, in this one. */
static struct tp_slice
region_of(struct tp_arena *arena)
{
	struct tp_slice region = tp_aws_region(arena);

	return region.len != 0 ? region : TP_S("us-east-1");
}

static struct tp_slice
url_of(struct tp_arena *arena)
{
	struct tp_slice endpoint = tp_aws_endpoint(arena, "STS"), region = tp_aws_region(arena);

	if (endpoint.len == 0 && region.len == 0)
		endpoint = TP_S("https://sts.amazonaws.com");
	else if (endpoint.len == 0)
		endpoint = tp_arena_printf(arena, "https://sts.%.*s.amazonaws.com%s", TP_ARG(region),
			tp_slice_starts(region, TP_S("cn-")) ? ".cn" : "");
	return tp_arena_printf(arena, "%.*s/", TP_ARG(endpoint));
}

static void
add_role(struct tp_query *form, const char *action, const struct tp_aws_role *role)
{
	tp_query_add(form, TP_S("Action"), tp_slice_of(action));
	tp_query_add(form, TP_S("Version"), TP_S("2011-06-15"));
	tp_query_add(form, TP_S("RoleArn"), role->arn);
	tp_query_add(
		form, TP_S("RoleSessionName"), role->session.len != 0 ? role->session : TP_S("tpreport"));
	if (role->seconds.len != 0)
		tp_query_add(form, TP_S("DurationSeconds"), role->seconds);
	if (role->external_id.len != 0)
		tp_query_add(form, TP_S("ExternalId"), role->external_id);
}

static void
sign(struct tp_arena *arena, struct tp_http_request *request, const struct tp_aws_keys *by)
{
	char hash[TP_SHA256_HEX_SIZE];
	struct tp_url url;
	struct tp_sigv4_key key = {
		by->access_key, by->secret_key, region_of(arena), TP_S("sts"), (int64_t)time(NULL)};
	struct tp_slice date = tp_sigv4_date(arena, key.now_unix_s);
	static const char type[] = "application/x-www-form-urlencoded; charset=utf-8";

	if (!tp_url_split(tp_slice_of(request->url), &url))
		return;
	tp_sha256_hex_of(request->body, hash);
	struct tp_sigv4_request r = {
		.method = TP_S("POST"), .path = url.path, .payload_sha256 = tp_slice_of(hash)};

	tp_sigv4_header(&r, TP_S("host"), tp_url_usual_host(url.scheme, url.host));
	tp_sigv4_header(&r, TP_S("content-type"), tp_slice_of(type));
	tp_store_header(request, arena, "content-type", tp_slice_of(type));
	tp_sigv4_header(&r, TP_S("x-amz-date"), date);
	tp_store_header(request, arena, "x-amz-date", date);
	if (by->token.len != 0) {
		tp_sigv4_header(&r, TP_S("x-amz-security-token"), by->token);
		tp_store_header(request, arena, "x-amz-security-token", by->token);
	}
	tp_store_header(request, arena, "Authorization", tp_sigv4_authorization(arena, &r, &key));
}

static struct tp_aws_keys
ask(struct tp_arena *arena, struct tp_http_request *request, const struct tp_aws_role *role,
	struct tp_slice source)
{
	unsigned status = 0;
	struct tp_slice text = tp_service_answer(arena, request, &status);
	struct tp_slice code = tp_xml_first(arena, text, "Code", NULL);
	struct tp_aws_keys keys = {
		.access_key = tp_xml_first(arena, text, "AccessKeyId", NULL),
		.secret_key = tp_xml_first(arena, text, "SecretAccessKey", NULL),
		.token = tp_xml_first(arena, text, "SessionToken", NULL),
		.expires_unix_s =
			tp_time_of_iso(tp_xml_first(arena, text, "Expiration", NULL)) / 1000000000,
		.source = role->arn,
	};

	if (status == 200 && tp_aws_keys_complete(&keys))
		return keys;
	if (code.len == 0)
		code = status == 0 ? TP_S("no answer") : tp_arena_printf(arena, "HTTP %u", status);
	return (struct tp_aws_keys){
		.access_key = {"", 0},
		.why_none = tp_arena_printf(arena, "AWS refuses role %.*s to %.*s (%.*s)",
			TP_ARG(role->arn), TP_ARG(source), TP_ARG(code))
						.ptr,
	};
}

struct tp_aws_keys
tp_aws_role_by_keys(
	struct tp_arena *arena, const struct tp_aws_role *role, const struct tp_aws_keys *by)
{
	struct tp_query form = {.count = 0};
	struct tp_http_request request = {.method = "POST", .url = url_of(arena).ptr};

	add_role(&form, "AssumeRole", role);
	request.body = tp_query_text(arena, &form);
	sign(arena, &request, by);
	return ask(
		arena, &request, role, tp_arena_printf(arena, "the keys of %.*s", TP_ARG(by->source)));
}

struct tp_aws_keys
tp_aws_role_by_token(
	struct tp_arena *arena, const struct tp_aws_role *role, struct tp_slice token_path)
{
	struct tp_query form = {.count = 0};
	struct tp_http_request request = {.method = "POST", .url = url_of(arena).ptr};
	struct tp_slice token = tp_small_line(arena, tp_arena_copy(arena, token_path).ptr);

	if (token.len == 0)
		return (struct tp_aws_keys){.access_key = {"", 0},
			.why_none = tp_arena_printf(arena,
				"%.*s, which should hold the token for role %.*s, cannot be read",
				TP_ARG(token_path), TP_ARG(role->arn))
							.ptr};
	add_role(&form, "AssumeRoleWithWebIdentity", role);
	tp_query_add(&form, TP_S("WebIdentityToken"), token);
	request.body = tp_query_text(arena, &form);
	return ask(
		arena, &request, role, tp_arena_printf(arena, "the token of %.*s", TP_ARG(token_path)));
}
