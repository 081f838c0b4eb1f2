/* A user's refresh token buys an access token; the key of a service account would have to sign, which takes a library for RSA. */
#include "io/gs_token.h"

#include "base/arena.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/small_file.h"
#include "io/store.h"
#include "io/url.h"

static struct tp_token
of_environment(void)
{
	static const char *const names[] = {"CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN"};
	struct tp_token token = {.text = {"", 0}};

	for (size_t i = 0; i < sizeof names / sizeof *names && token.text.len == 0; i++)
		token = (struct tp_token){.text = tp_env(names[i]), .source = names[i]};
	return token;
}

/* What `gcloud auth application-default login` leaves. */
static struct tp_token
of_file(struct tp_arena *arena, const char **why_none)
{
	struct tp_slice path = tp_env("GOOGLE_APPLICATION_CREDENTIALS"),
					folder = tp_env("CLOUDSDK_CONFIG");
	struct tp_json_text fields[] = {{"type", {"", 0}}, {"client_id", {"", 0}},
		{"client_secret", {"", 0}}, {"refresh_token", {"", 0}}, {"token_uri", {"", 0}}};
	struct tp_query form = {.count = 0};
	struct tp_http_request request = {.method = "POST"};

	if (folder.len == 0)
		folder = tp_arena_printf(arena, "%.*s/.config/gcloud", TP_ARG(tp_env("HOME")));
	if (path.len == 0)
		path = tp_arena_printf(arena, "%.*s/application_default_credentials.json", TP_ARG(folder));
	tp_json_texts(arena, tp_small_file(arena, path.ptr), fields, sizeof fields / sizeof *fields);
	if (!tp_slice_eq(fields[0].value, TP_S("authorized_user"))) {
		if (fields[0].value.len != 0)
			*why_none = tp_arena_printf(
				arena, "%.*s holds a key of kind %.*s", TP_ARG(path), TP_ARG(fields[0].value))
							.ptr;
		return (struct tp_token){.text = {"", 0}};
	}
	tp_query_add(&form, TP_S("grant_type"), TP_S("refresh_token"));
	for (size_t i = 1; i < 4; i++)
		tp_query_add(&form, tp_slice_of(fields[i].name), fields[i].value);
	request.url =
		fields[4].value.len != 0 ? fields[4].value.ptr : "https://oauth2.googleapis.com/token";
	request.body = tp_query_text(arena, &form);
	return tp_service_token(arena, &request, "the user's credentials of gcloud");
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
	if (token.text.len == 0)
		token = of_machine(arena);
	return token;
}
