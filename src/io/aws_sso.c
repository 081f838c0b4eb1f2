/* The token that a sign-in left in a file buys keys of the profile's role. */
#include "io/aws_sso.h"

#include "base/arena.h"
#include "io/aws_profile.h"
#include "io/aws_sso_token.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/service.h"
#include "io/store.h"
#include "io/url.h"

#include <stdlib.h>

struct sign_in {
	struct tp_slice profile;
	struct tp_slice
		session; /* its name, or the address where one signs in: what the token's file is named after */
	struct tp_slice region, account, role;
	bool renews; /* only a session has what its token is renewed by */
};

static struct sign_in
sign_in_of(struct tp_arena *arena, struct tp_slice profile)
{
	struct sign_in s = {
		.profile = profile,
		.session = tp_aws_profile_value(arena, profile, "sso_session"),
		.account = tp_aws_profile_value(arena, profile, "sso_account_id"),
		.role = tp_aws_profile_value(arena, profile, "sso_role_name"),
	};

	s.renews = s.session.len != 0;
	if (s.renews) {
		s.region = tp_aws_session_value(arena, s.session, "sso_region");
	} else {
		s.session = tp_aws_profile_value(arena, profile, "sso_start_url");
		s.region = tp_aws_profile_value(arena, profile, "sso_region");
	}
	return s;
}

static struct tp_slice
ask(struct tp_arena *arena, const struct sign_in *s, struct tp_slice token, unsigned *status)
{
	struct tp_slice base = tp_aws_endpoint(arena, "SSO");
	struct tp_http_request request = {.method = "GET"};
	struct tp_query q = {.count = 0};

	if (base.len == 0)
		base = tp_arena_printf(arena, "https://portal.sso.%.*s.amazonaws.com%s", TP_ARG(s->region),
			tp_slice_starts(s->region, TP_S("cn-")) ? ".cn" : "");
	tp_query_add(&q, TP_S("account_id"), s->account);
	tp_query_add(&q, TP_S("role_name"), s->role);
	request.url = tp_arena_printf(
		arena, "%.*s/federation/credentials?%.*s", TP_ARG(base), TP_ARG(tp_query_text(arena, &q)))
					  .ptr;
	tp_store_header(&request, arena, "x-amz-sso_bearer_token", token);
	return tp_service_answer(arena, &request, status);
}

static struct tp_aws_keys
none_since(struct tp_arena *arena, const struct sign_in *s, unsigned status)
{
	const char *why;

	if (status == 0)
		why = tp_arena_printf(
			arena, "AWS's sign-in service of profile %.*s does not answer", TP_ARG(s->profile))
				  .ptr;
	else if (status == 401)
		why = tp_arena_printf(arena,
			"nobody is signed in for profile %.*s, or no longer: aws sso login --profile %.*s",
			TP_ARG(s->profile), TP_ARG(s->profile))
				  .ptr;
	else
		why = tp_arena_printf(arena,
			"the user signed in for profile %.*s may not assume role %.*s of account %.*s (HTTP %u)",
			TP_ARG(s->profile), TP_ARG(s->role), TP_ARG(s->account), status)
				  .ptr;
	return (struct tp_aws_keys){.access_key = {"", 0}, .why_none = why};
}

struct tp_aws_keys
tp_aws_sso_keys(struct tp_arena *arena, struct tp_slice profile)
{
	enum { SIGNED_OUT = 401 };
	struct sign_in s = sign_in_of(arena, profile);
	struct tp_json_text fields[] = {{"accessKeyId", {"", 0}}, {"secretAccessKey", {"", 0}},
		{"sessionToken", {"", 0}}, {"expiration", {"", 0}}};
	unsigned status = SIGNED_OUT;

	if (s.session.len == 0 || s.account.len == 0 || s.role.len == 0)
		return (struct tp_aws_keys){.access_key = {"", 0}};
	struct tp_slice token = tp_aws_sso_token(arena, s.session, s.region, s.renews);
	struct tp_slice text = {"", 0};

	if (token.len != 0)
		text = ask(arena, &s, token, &status);
	if (status != 200 || !tp_json_object(arena, text, "roleCredentials", fields, 4))
		return none_since(arena, &s, status);
	return (struct tp_aws_keys){
		.access_key = fields[0].value,
		.secret_key = fields[1].value,
		.token = fields[2].value,
		.expires_unix_s = fields[3].value.len != 0 /* in milliseconds */
			? strtoll(fields[3].value.ptr, NULL, 10) / 1000
			: 0,
		.source = tp_arena_printf(arena, "profile %.*s", TP_ARG(profile)),
	};
}
