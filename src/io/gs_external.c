/* A token of another service is exchanged for one of Google's, and that, where the credentials say so, for one of a service account. */
#include "io/gs_external.h"

#include "base/arena.h"
#include "io/gs_subject.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/store.h"
#include "io/url.h"

#define SCOPE "https://www.googleapis.com/auth/devstorage.read_write"

enum {
	AUDIENCE,
	TYPE,
	TOKEN_URL,
	ACCOUNT_URL,
	CLIENT,
	SECRET,
	PROJECT,
	REFRESH_TOKEN,
	FIELD_COUNT
};

static void
read_fields(
	struct tp_arena *arena, struct tp_slice json, struct tp_json_text fields[static FIELD_COUNT])
{
	static const char *const names[FIELD_COUNT] = {
		[AUDIENCE] = "audience",
		[TYPE] = "subject_token_type",
		[TOKEN_URL] = "token_url",
		[ACCOUNT_URL] = "service_account_impersonation_url",
		[CLIENT] = "client_id",
		[SECRET] = "client_secret",
		[PROJECT] = "workforce_pool_user_project",
		[REFRESH_TOKEN] = "refresh_token",
	};

	for (int i = 0; i < FIELD_COUNT; i++)
		fields[i] = (struct tp_json_text){names[i], {"", 0}};
	tp_json_texts(arena, json, fields, FIELD_COUNT);
}

/* Asks as the client that the credentials name, if any. */
static struct tp_token
ask(struct tp_arena *arena, const struct tp_json_text *fields, const char *usual,
	const struct tp_query *form, const char *source)
{
	struct tp_http_request request = {.method = "POST"};

	request.url = fields[TOKEN_URL].value.len != 0 ? fields[TOKEN_URL].value.ptr : usual;
	request.body = tp_query_text(arena, form);
	if (fields[CLIENT].value.len != 0)
		request.user_password = tp_arena_printf(
			arena, "%.*s:%.*s", TP_ARG(fields[CLIENT].value), TP_ARG(fields[SECRET].value))
									.ptr;
	return tp_service_token(arena, &request, source);
}

/* RFC 8693. */
static struct tp_token
exchange(struct tp_arena *arena, const struct tp_json_text *fields, struct tp_slice subject)
{
	struct tp_query form = {.count = 0};
	bool of_account = fields[ACCOUNT_URL].value.len != 0;
	const struct tp_json_text project = {"userProject", fields[PROJECT].value};

	tp_query_add(
		&form, TP_S("grant_type"), TP_S("urn:ietf:params:oauth:grant-type:token-exchange"));
	tp_query_add(
		&form, TP_S("requested_token_type"), TP_S("urn:ietf:params:oauth:token-type:access_token"));
	tp_query_add(&form, TP_S("audience"), fields[AUDIENCE].value);
	tp_query_add(&form, TP_S("subject_token_type"), fields[TYPE].value);
	tp_query_add(&form, TP_S("subject_token"), subject);
	/* Who acts for an account asks for what that is allowed by. */
	tp_query_add(&form, TP_S("scope"),
		of_account ? TP_S("https://www.googleapis.com/auth/cloud-platform") : TP_S(SCOPE));
	if (fields[PROJECT].value.len != 0 && fields[CLIENT].value.len == 0)
		tp_query_add(&form, TP_S("options"), tp_json_object_of(arena, &project, 1, 0));
	return ask(arena, fields, "https://sts.googleapis.com/v1/token", &form,
		tp_arena_printf(arena, "the external account %.*s", TP_ARG(fields[AUDIENCE].value)).ptr);
}

struct tp_token
tp_gs_impersonated(struct tp_arena *arena, struct tp_slice path,
	const struct tp_gs_account *account, const struct tp_token *by, const char **why_none)
{
	struct tp_http_request request = {.method = "POST", .url = account->url.ptr};
	struct tp_json_text fields[] = {{"accessToken", {"", 0}}, {"expireTime", {"", 0}}};

	tp_store_header(
		&request, arena, "Authorization", tp_arena_printf(arena, "Bearer %.*s", TP_ARG(by->text)));
	tp_http_add(&request, "Content-Type: application/json");
	request.body = tp_arena_printf(arena,
		"{\"delegates\":%.*s,\"scope\":[\"" SCOPE "\"],\"lifetime\":\"%.*ss\"}",
		TP_ARG(account->delegates.len != 0 ? account->delegates : TP_S("[]")),
		TP_ARG(account->lifetime_s.len != 0 ? account->lifetime_s : TP_S("3600")));
	tp_json_texts(arena, tp_service_ask(arena, &request), fields, 2);
	if (fields[0].value.len == 0)
		*why_none = tp_arena_printf(
			arena, "%.*s: no token of its service account is given to %s", TP_ARG(path), by->source)
						.ptr;
	return (struct tp_token){.text = fields[0].value,
		.expires_unix_s = tp_time_of_iso(fields[1].value) / 1000000000,
		.source = by->source};
}

struct tp_token
tp_gs_external(
	struct tp_arena *arena, struct tp_slice path, struct tp_slice json, const char **why_none)
{
	struct tp_json_text fields[FIELD_COUNT], lifetime = {"token_lifetime_seconds", {"", 0}};
	const char *why;

	read_fields(arena, json, fields);
	struct tp_gs_subject subject = {fields[AUDIENCE].value, fields[TYPE].value,
		tp_json_member(arena, json, "credential_source")};
	struct tp_slice text = tp_gs_subject_token(arena, &subject, &why);

	if (text.len == 0) {
		*why_none = tp_arena_printf(arena, "%.*s: %s", TP_ARG(path), why).ptr;
		return (struct tp_token){.text = {"", 0}};
	}
	struct tp_token token = exchange(arena, fields, text);

	if (token.text.len == 0) {
		*why_none = tp_arena_printf(arena, "%.*s: Google gives no token for that of audience %.*s",
			TP_ARG(path), TP_ARG(fields[AUDIENCE].value))
						.ptr;
		return token;
	}
	if (fields[ACCOUNT_URL].value.len == 0)
		return token;
	tp_json_object(arena, json, "service_account_impersonation", &lifetime, 1);
	return tp_gs_impersonated(arena, path,
		&(struct tp_gs_account){.url = fields[ACCOUNT_URL].value, .lifetime_s = lifetime.value},
		&token, why_none);
}

struct tp_token
tp_gs_external_user(
	struct tp_arena *arena, struct tp_slice path, struct tp_slice json, const char **why_none)
{
	struct tp_json_text fields[FIELD_COUNT];
	struct tp_query form = {.count = 0};

	read_fields(arena, json, fields);
	tp_query_add(&form, TP_S("grant_type"), TP_S("refresh_token"));
	tp_query_add(&form, TP_S("refresh_token"), fields[REFRESH_TOKEN].value);
	struct tp_token token = ask(arena, fields, "https://sts.googleapis.com/v1/oauthtoken", &form,
		"the user's gcloud credentials");

	if (token.text.len == 0)
		*why_none = tp_arena_printf(arena,
			"%.*s: no token is given for it: gcloud auth application-default login", TP_ARG(path))
						.ptr;
	return token;
}
