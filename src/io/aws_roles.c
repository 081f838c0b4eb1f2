/* Three services, each of which answers with keys that expire. */
#include "io/aws_roles.h"

#include "base/arena.h"
#include "io/aws_sts.h"
#include "io/http.h"
#include "io/service.h"
#include "io/small_file.h"
#include "io/store.h"

struct tp_aws_keys
tp_aws_keys_of_cluster(struct tp_arena *arena)
{
	struct tp_slice path = tp_env("AWS_WEB_IDENTITY_TOKEN_FILE");
	struct tp_aws_role role = {
		.arn = tp_env("AWS_ROLE_ARN"), .session = tp_env("AWS_ROLE_SESSION_NAME")};

	if (path.len == 0 || role.arn.len == 0)
		return (struct tp_aws_keys){.access_key = {"", 0}};
	return tp_aws_role_by_token(arena, &role, path);
}

struct tp_aws_keys
tp_aws_keys_of_container(struct tp_arena *arena)
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
	return tp_aws_keys_of_json(
		arena, tp_service_ask(arena, &request), "Token", TP_S("the container's role"));
}

struct tp_aws_keys
tp_aws_keys_of_machine(struct tp_arena *arena)
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
	return tp_aws_keys_of_json(
		arena, tp_service_ask(arena, &request), "Token", TP_S("the machine's role"));
}
