/* Three services, each of which answers with keys that expire. */
#include "io/aws_roles.h"

#include "base/arena.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/records_xml.h"
#include "io/service.h"
#include "io/small_file.h"
#include "io/store.h"
#include "io/url.h"

/* Answers of the services of containers and machines. */
static struct tp_aws_keys
keys_of_json(struct tp_arena *arena, struct tp_slice text, struct tp_slice source)
{
	struct tp_json_text fields[] = {{"AccessKeyId", {"", 0}}, {"SecretAccessKey", {"", 0}},
		{"Token", {"", 0}}, {"Expiration", {"", 0}}};

	tp_json_texts(arena, text, fields, 4);
	return (struct tp_aws_keys){
		.access_key = fields[0].value,
		.secret_key = fields[1].value,
		.token = fields[2].value,
		.expires_unix_s = tp_time_of_iso(fields[3].value) / 1000000000,
		.source = source,
	};
}

static struct tp_aws_keys
of_web_identity(struct tp_arena *arena)
{
	struct tp_slice path = tp_env("AWS_WEB_IDENTITY_TOKEN_FILE"), role = tp_env("AWS_ROLE_ARN");
	struct tp_slice session = tp_env("AWS_ROLE_SESSION_NAME");
	struct tp_slice endpoint = tp_env("AWS_ENDPOINT_URL_STS"), region = tp_env("AWS_REGION");
	struct tp_xml_field fields[] = {{"AccessKeyId", {"", 0}}, {"SecretAccessKey", {"", 0}},
		{"SessionToken", {"", 0}}, {"Expiration", {"", 0}}};
	struct tp_query query = {.count = 0};

	if (path.len == 0 || role.len == 0)
		return (struct tp_aws_keys){.access_key = {"", 0}};
	if (endpoint.len == 0)
		endpoint = region.len != 0
			? tp_arena_printf(arena, "https://sts.%.*s.amazonaws.com", TP_ARG(region))
			: TP_S("https://sts.amazonaws.com");
	tp_query_add(&query, TP_S("Action"), TP_S("AssumeRoleWithWebIdentity"));
	tp_query_add(&query, TP_S("Version"), TP_S("2011-06-15"));
	tp_query_add(&query, TP_S("RoleArn"), role);
	tp_query_add(&query, TP_S("RoleSessionName"), session.len != 0 ? session : TP_S("tpreport"));
	tp_query_add(&query, TP_S("WebIdentityToken"), tp_small_line(arena, path.ptr));
	struct tp_http_request request = {
		.method = "POST",
		.url = tp_arena_printf(arena, "%.*s/", TP_ARG(endpoint)).ptr,
		.body = tp_query_text(arena, &query),
	};
	struct tp_slice text = tp_service_ask(arena, &request);

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		fields[i].value = tp_xml_first(arena, text, fields[i].name, NULL);
	return (struct tp_aws_keys){
		.access_key = fields[0].value,
		.secret_key = fields[1].value,
		.token = fields[2].value,
		.expires_unix_s = tp_time_of_iso(fields[3].value) / 1000000000,
		.source = TP_S("AWS_ROLE_ARN"),
	};
}

static struct tp_aws_keys
of_container(struct tp_arena *arena)
{
	struct tp_slice relative = tp_env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	struct tp_slice full = tp_env("AWS_CONTAINER_CREDENTIALS_FULL_URI");
	struct tp_slice token_file = tp_env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
	struct tp_slice token = token_file.len != 0 ? tp_small_line(arena, token_file.ptr)
												: tp_env("AWS_CONTAINER_AUTHORIZATION_TOKEN");
	struct tp_http_request request = {
		.method = "GET", .connect_ms = TP_SERVICE_CONNECT_MS, .direct = true};

	if (relative.len == 0 && full.len == 0)
		return (struct tp_aws_keys){.access_key = {"", 0}};
	request.url = relative.len != 0
		? tp_arena_printf(arena, "http://169.254.170.2%.*s", TP_ARG(relative)).ptr
		: full.ptr;
	if (token.len != 0)
		tp_store_header(&request, arena, "Authorization", token);
	return keys_of_json(arena, tp_service_ask(arena, &request), TP_S("the container's role"));
}

static struct tp_aws_keys
of_machine(struct tp_arena *arena)
{
	struct tp_slice base = tp_env("AWS_EC2_METADATA_SERVICE_ENDPOINT");
	struct tp_http_request request = {
		.method = "PUT", .connect_ms = TP_SERVICE_CONNECT_MS, .direct = true};
	struct tp_aws_keys none = {.access_key = {"", 0}};

	if (tp_slice_eq(tp_env("AWS_EC2_METADATA_DISABLED"), TP_S("true")))
		return none;
	while (tp_slice_ends(base, TP_S("/")))
		base.len--;
	base = base.len != 0 ? base : TP_S("http://169.254.169.254");
	request.url = tp_arena_printf(arena, "%.*s/latest/api/token", TP_ARG(base)).ptr;
	tp_http_add(&request, "X-aws-ec2-metadata-token-ttl-seconds: 21600");
	struct tp_slice token = tp_service_ask(arena, &request);

	if (token.len == 0)
		return none;
	request = (struct tp_http_request){
		.method = "GET", .connect_ms = TP_SERVICE_CONNECT_MS, .direct = true};
	tp_store_header(&request, arena, "X-aws-ec2-metadata-token", token);
	struct tp_slice list =
		tp_arena_printf(arena, "%.*s/latest/meta-data/iam/security-credentials/", TP_ARG(base));

	request.url = list.ptr;
	struct tp_slice role = tp_service_ask(arena, &request);
	const char *end = role.len != 0 ? memchr(role.ptr, '\n', role.len) : NULL;

	role.len = end != NULL ? (size_t)(end - role.ptr) : role.len;
	if (role.len == 0)
		return none;
	request.url = tp_arena_printf(arena, "%.*s%.*s", TP_ARG(list), TP_ARG(role)).ptr;
	return keys_of_json(arena, tp_service_ask(arena, &request), TP_S("the machine's role"));
}

struct tp_aws_keys
tp_aws_keys_of_roles(struct tp_arena *arena)
{
	struct tp_aws_keys (*const sources[])(struct tp_arena *) = {
		of_web_identity, of_container, of_machine};
	struct tp_aws_keys keys = {.access_key = {"", 0}};

	for (size_t i = 0; i < sizeof sources / sizeof *sources && keys.access_key.len == 0; i++)
		keys = sources[i](arena);
	return keys;
}
