/* The cache's file is read, and where the token ends soon, its service asked for the next one. */
#include "io/aws_sso_token.h"

#include "base/arena.h"
#include "base/sha1.h"
#include "io/aws_profile.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/service.h"
#include "io/small_file.h"
#include "io/store.h"

#include <stdlib.h>
#include <time.h>

enum { RENEW_BEFORE_S = 15 * 60 };

enum { TOKEN, EXPIRES, RENEWS, CLIENT, SECRET, CLIENT_EXPIRES, FIELD_COUNT };

static int64_t
seconds_of_iso(struct tp_slice text)
{
	return tp_time_of_iso(text) / 1000000000;
}

static struct tp_slice
iso_of_seconds(struct tp_arena *arena, int64_t unix_s)
{
	time_t at = (time_t)unix_s;
	struct tm parts;
	char text[32];

	gmtime_r(&at, &parts);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
	return tp_arena_copy(arena, tp_slice_of(text));
}

static struct tp_slice
ask(struct tp_arena *arena, const struct tp_json_text *fields, struct tp_slice region)
{
	struct tp_slice base = tp_aws_endpoint(arena, "SSO_OIDC");
	struct tp_http_request request = {.method = "POST"};
	const struct tp_json_text wish[] = {
		{"clientId", fields[CLIENT].value},
		{"clientSecret", fields[SECRET].value},
		{"grantType", TP_S("refresh_token")},
		{"refreshToken", fields[RENEWS].value},
	};

	if (base.len == 0)
		base = tp_arena_printf(arena, "https://oidc.%.*s.amazonaws.com%s", TP_ARG(region),
			tp_slice_starts(region, TP_S("cn-")) ? ".cn" : "");
	request.url = tp_arena_printf(arena, "%.*s/token", TP_ARG(base)).ptr;
	request.body = tp_json_object_of(arena, wish, sizeof wish / sizeof *wish, 0);
	tp_http_add(&request, "Content-Type: application/json");
	return tp_service_ask(arena, &request);
}

/* Empty: it cannot be renewed. */
static struct tp_slice
renewed(struct tp_arena *arena, const char *path, struct tp_slice file,
	const struct tp_json_text *fields, struct tp_slice region, int64_t now_s)
{
	struct tp_json_text next[] = {
		{"accessToken", {"", 0}}, {"refreshToken", {"", 0}}, {"expiresIn", {"", 0}}};
	struct tp_slice text = {"", 0};

	if (fields[RENEWS].value.len != 0 && fields[CLIENT].value.len != 0 &&
		fields[SECRET].value.len != 0 && seconds_of_iso(fields[CLIENT_EXPIRES].value) > now_s)
		text = ask(arena, fields, region);
	tp_json_texts(arena, text, next, 3);
	if (next[0].value.len == 0 || next[2].value.len == 0)
		return (struct tp_slice){"", 0};
	const struct tp_json_text now[] = {
		{"accessToken", next[0].value},
		{"refreshToken", next[1].value},
		{"expiresAt", iso_of_seconds(arena, now_s + strtoll(next[2].value.ptr, NULL, 10))},
	};

	/* Who cannot write it still has this token. */
	tp_small_file_write(arena, path, tp_json_with(arena, file, now, sizeof now / sizeof *now));
	return next[0].value;
}

struct tp_slice
tp_aws_sso_token(
	struct tp_arena *arena, struct tp_slice session, struct tp_slice region, bool renew)
{
	char name[TP_SHA1_HEX_SIZE];
	struct tp_json_text fields[FIELD_COUNT] = {
		[TOKEN] = {"accessToken", {"", 0}},
		[EXPIRES] = {"expiresAt", {"", 0}},
		[RENEWS] = {"refreshToken", {"", 0}},
		[CLIENT] = {"clientId", {"", 0}},
		[SECRET] = {"clientSecret", {"", 0}},
		[CLIENT_EXPIRES] = {"registrationExpiresAt", {"", 0}},
	};
	int64_t now_s = (int64_t)time(NULL);

	tp_sha1_hex_of(session, name);
	const char *path =
		tp_arena_printf(arena, "%.*s/.aws/sso/cache/%s.json", TP_ARG(tp_env("HOME")), name).ptr;
	struct tp_slice file = tp_small_file(arena, path), next = {"", 0};

	tp_json_texts(arena, file, fields, FIELD_COUNT);
	int64_t left_s = seconds_of_iso(fields[EXPIRES].value) - now_s;

	if (renew && left_s <= RENEW_BEFORE_S)
		next = renewed(arena, path, file, fields, region, now_s);
	if (next.len != 0)
		return next;
	return left_s > 0 ? fields[TOKEN].value : (struct tp_slice){"", 0};
}
