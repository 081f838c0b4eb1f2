/* A token from the environment, or bought with what a file holds: a user's refresh token, a service account's key, which signs who asks
 * (https://developers.google.com/identity/protocols/oauth2/service-account#jwt-auth), or what another service vouches with. */
#include "io/gs_token.h"

#include "base/arena.h"
#include "codec/base64.h"
#include "io/gs_external.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/rs256.h"
#include "io/small_file.h"
#include "io/store.h"
#include "io/url.h"

#include <time.h>

enum { TYPE, CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN, EMAIL, KEY_ID, KEY, TOKEN_URI, FIELD_COUNT };

static struct tp_token
of_environment(void)
{
	static const char *const names[] = {"CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN"};
	struct tp_token token = {.text = {"", 0}};

	for (size_t i = 0; i < sizeof names / sizeof *names && token.text.len == 0; i++)
		token = (struct tp_token){.text = tp_env(names[i]), .source = names[i]};
	return token;
}

/* Buys it where the file says, or where all are to be had. */
static struct tp_token
buy(struct tp_arena *arena, const struct tp_json_text *fields, const struct tp_query *form,
	const char *source)
{
	struct tp_http_request request = {.method = "POST"};

	request.url = fields[TOKEN_URI].value.len != 0 ? fields[TOKEN_URI].value.ptr
												   : "https://oauth2.googleapis.com/token";
	request.body = tp_query_text(arena, form);
	return tp_service_token(arena, &request, source);
}

static struct tp_token
of_user(struct tp_arena *arena, struct tp_slice path, const struct tp_json_text *fields,
	const char **why_none)
{
	struct tp_query form = {.count = 0};

	tp_query_add(&form, TP_S("grant_type"), TP_S("refresh_token"));
	for (size_t i = CLIENT_ID; i <= REFRESH_TOKEN; i++)
		tp_query_add(&form, tp_slice_of(fields[i].name), fields[i].value);
	struct tp_token token = buy(arena, fields, &form, "the user's gcloud credentials");

	if (token.text.len == 0)
		*why_none = tp_arena_printf(arena,
			"%.*s: no token is given for it: gcloud auth application-default login", TP_ARG(path))
						.ptr;
	return token;
}

/* As RFC 7515 has it: no padding, and signs that may stand in an address. */
static struct tp_slice
base64_of_url(struct tp_arena *arena, struct tp_slice bytes)
{
	char *text = tp_arena_alloc(arena, TP_BASE64_SIZE(bytes.len) + 1);
	size_t length = tp_base64_encode(bytes.ptr, bytes.len, text);

	while (length != 0 && text[length - 1] == '=')
		length--;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '+' || text[i] == '/')
			text[i] = text[i] == '+' ? '-' : '_';
	}
	return (struct tp_slice){text, length};
}

/* "header.claims", which is signed. Who acts for another account needs more than the store. */
static struct tp_slice
claims_of(struct tp_arena *arena, const struct tp_json_text *fields, bool acts)
{
	enum { HOUR_S = 3600 };
	long long now = (long long)time(NULL);
	struct tp_json_text header[] = {
		{"alg", TP_S("RS256")}, {"typ", TP_S("JWT")}, {"kid", fields[KEY_ID].value}};
	struct tp_json_text claims[] = {
		{"iss", fields[EMAIL].value},
		{"scope",
			acts ? TP_S("https://www.googleapis.com/auth/cloud-platform")
				 : TP_S("https://www.googleapis.com/auth/devstorage.read_write")},
		{"aud", fields[TOKEN_URI].value},
		{"iat", tp_arena_printf(arena, "%lld", now)},
		{"exp", tp_arena_printf(arena, "%lld", now + HOUR_S)},
	};

	return tp_arena_printf(arena, "%.*s.%.*s",
		TP_ARG(base64_of_url(arena, tp_json_object_of(arena, header, 3, 0))),
		TP_ARG(base64_of_url(arena, tp_json_object_of(arena, claims, 3, 2))));
}

static struct tp_token
of_service_account(struct tp_arena *arena, struct tp_slice path, struct tp_json_text *fields,
	bool acts, const char **why_none)
{
	struct tp_query form = {.count = 0};
	const char *why;

	if (fields[TOKEN_URI].value.len == 0)
		fields[TOKEN_URI].value = TP_S("https://oauth2.googleapis.com/token");
	struct tp_slice claims = claims_of(arena, fields, acts);
	struct tp_slice signature = tp_rs256_sign(arena, fields[KEY].value, claims, &why);

	*why_none = tp_arena_printf(arena, "%.*s: %s", TP_ARG(path), why).ptr;
	if (signature.len == 0)
		return (struct tp_token){.text = {"", 0}};
	tp_query_add(&form, TP_S("grant_type"), TP_S("urn:ietf:params:oauth:grant-type:jwt-bearer"));
	tp_query_add(&form, TP_S("assertion"),
		tp_arena_printf(
			arena, "%.*s.%.*s", TP_ARG(claims), TP_ARG(base64_of_url(arena, signature))));
	struct tp_token token = buy(arena, fields, &form,
		tp_arena_printf(arena, "service account %.*s", TP_ARG(fields[EMAIL].value)).ptr);

	*why_none = token.text.len != 0
		? NULL
		: tp_arena_printf(arena, "%.*s: no token is given for the key of service account %.*s",
			  TP_ARG(path), TP_ARG(fields[EMAIL].value))
			  .ptr;
	return token;
}

/* What GOOGLE_APPLICATION_CREDENTIALS names, or `gcloud auth application-default login` leaves. */
static struct tp_slice
path_of_file(struct tp_arena *arena)
{
	struct tp_slice path = tp_env("GOOGLE_APPLICATION_CREDENTIALS"),
					folder = tp_env("CLOUDSDK_CONFIG");

	if (folder.len == 0)
		folder = tp_arena_printf(arena, "%.*s/.config/gcloud", TP_ARG(tp_env("HOME")));
	return path.len != 0
		? path
		: tp_arena_printf(arena, "%.*s/application_default_credentials.json", TP_ARG(folder));
}

static struct tp_token of_text(struct tp_arena *arena, struct tp_slice path, struct tp_slice text,
	bool acts, const char **why_none);

/* Credentials that may act for a service account. */
static struct tp_token
of_acting(struct tp_arena *arena, struct tp_slice path, struct tp_slice text, const char **why_none)
{
	struct tp_json_text url = {"service_account_impersonation_url", {"", 0}};
	struct tp_token by =
		of_text(arena, path, tp_json_member(arena, text, "source_credentials"), true, why_none);

	tp_json_texts(arena, text, &url, 1);
	if (by.text.len == 0)
		return by;
	return tp_gs_impersonated(arena, path,
		&(struct tp_gs_account){
			.url = url.value, .delegates = tp_json_member(arena, text, "delegates")},
		&by, why_none);
}

/* By the type that the JSON says; acts: for a service account. */
static struct tp_token
of_text(struct tp_arena *arena, struct tp_slice path, struct tp_slice text, bool acts,
	const char **why_none)
{
	struct tp_json_text fields[FIELD_COUNT] = {
		[TYPE] = {"type", {"", 0}},
		[CLIENT_ID] = {"client_id", {"", 0}},
		[CLIENT_SECRET] = {"client_secret", {"", 0}},
		[REFRESH_TOKEN] = {"refresh_token", {"", 0}},
		[EMAIL] = {"client_email", {"", 0}},
		[KEY_ID] = {"private_key_id", {"", 0}},
		[KEY] = {"private_key", {"", 0}},
		[TOKEN_URI] = {"token_uri", {"", 0}},
	};

	tp_json_texts(arena, text, fields, FIELD_COUNT);
	struct tp_slice type = fields[TYPE].value;

	if (tp_slice_eq(type, TP_S("service_account")))
		return of_service_account(arena, path, fields, acts, why_none);
	if (tp_slice_eq(type, TP_S("authorized_user")))
		return of_user(arena, path, fields, why_none);
	if (tp_slice_eq(type, TP_S("external_account")))
		return tp_gs_external(arena, path, text, why_none);
	if (tp_slice_eq(type, TP_S("external_account_authorized_user")))
		return tp_gs_external_user(arena, path, text, why_none);
	if (tp_slice_eq(type, TP_S("impersonated_service_account")) && !acts)
		return of_acting(arena, path, text, why_none);
	if (type.len != 0 || acts)
		*why_none = tp_arena_printf(arena,
			"%.*s holds credentials of kind %.*s, which cannot be used", TP_ARG(path), TP_ARG(type))
						.ptr;
	return (struct tp_token){.text = {"", 0}};
}

static struct tp_token
of_file(struct tp_arena *arena, const char **why_none)
{
	struct tp_slice path = path_of_file(arena);

	return of_text(arena, path, tp_small_file(arena, path.ptr), false, why_none);
}

static struct tp_token
of_machine(struct tp_arena *arena)
{
	struct tp_slice host = tp_env("GCE_METADATA_HOST");
	struct tp_http_request request = {
		.method = "GET", .connect_ms = TP_SERVICE_CONNECT_MS, .direct = true};

	request.url = tp_arena_printf(arena,
		"http://%.*s/computeMetadata/v1/instance/service-accounts/default/token",
		TP_ARG(host.len != 0 ? host : TP_S("169.254.169.254")))
					  .ptr;
	tp_http_add(&request, "Metadata-Flavor: Google");
	return tp_service_token(arena, &request, "the machine's service account");
}

struct tp_token
tp_gs_token_find(struct tp_arena *arena, const char **why_none)
{
	struct tp_token token = of_environment();

	*why_none = NULL;
	if (token.text.len == 0)
		token = of_file(arena, why_none);
	if (token.text.len == 0 && *why_none == NULL)
		token = of_machine(arena);
	return token;
}
