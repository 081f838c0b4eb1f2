/* The environment of Azure's tools, and their services. */
#include "io/azure_account.h"

#include "base/arena.h"
#include "codec/base64.h"
#include "io/http.h"
#include "io/small_file.h"
#include "io/url.h"

/* "AccountName=a;AccountKey=b==": the value of a name. */
static struct tp_slice
part_of(struct tp_slice text, const char *name)
{
	size_t length = strlen(name);

	while (text.len != 0) {
		const char *end = memchr(text.ptr, ';', text.len);
		struct tp_slice part = {text.ptr, end != NULL ? (size_t)(end - text.ptr) : text.len};

		text = tp_slice_from(text, part.len + (end != NULL));
		if (part.len > length && part.ptr[length] == '=' && memcmp(part.ptr, name, length) == 0)
			return tp_slice_from(part, length + 1);
	}
	return (struct tp_slice){"", 0};
}

static struct tp_slice
decoded(struct tp_arena *arena, struct tp_slice key)
{
	unsigned char *bytes = tp_arena_alloc(arena, key.len + 3);
	size_t length = 0;

	if (key.len == 0 || !tp_base64_decode(key, bytes, &length))
		return (struct tp_slice){"", 0};
	return (struct tp_slice){(const char *)bytes, length};
}

static struct tp_slice
without(struct tp_slice text, char mark, bool in_front)
{
	while (text.len != 0 && (in_front ? text.ptr[0] : text.ptr[text.len - 1]) == mark)
		text = in_front ? tp_slice_from(text, 1) : (struct tp_slice){text.ptr, text.len - 1};
	return text;
}

/* The account that every emulator has; its name and key are published in Azure's documentation. */
static const char emulated[] =
	"AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/"
	"K1SZFPTOtr/KBHBeksoGMGw==;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;";

static struct tp_azure
of_connection(struct tp_slice text, struct tp_arena *arena)
{
	if (tp_slice_eq(part_of(text, "UseDevelopmentStorage"), TP_S("true")))
		text = tp_slice_of(emulated);
	struct tp_slice scheme = part_of(text, "DefaultEndpointsProtocol");
	struct tp_slice suffix = part_of(text, "EndpointSuffix");
	struct tp_azure a = {
		.name = part_of(text, "AccountName"),
		.endpoint = without(part_of(text, "BlobEndpoint"), '/', false),
		.key = decoded(arena, part_of(text, "AccountKey")),
		.sas = without(part_of(text, "SharedAccessSignature"), '?', true),
	};

	if (a.endpoint.len == 0 && a.name.len != 0)
		a.endpoint = tp_arena_printf(arena, "%.*s://%.*s.blob.%.*s",
			TP_ARG(scheme.len != 0 ? scheme : TP_S("https")), TP_ARG(a.name),
			TP_ARG(suffix.len != 0 ? suffix : TP_S("core.windows.net")));
	return a;
}

struct tp_azure
tp_azure_of_environment(struct tp_arena *arena)
{
	struct tp_slice connection = tp_env("AZURE_STORAGE_CONNECTION_STRING");
	struct tp_azure a;

	if (connection.len != 0)
		return of_connection(connection, arena);
	a = (struct tp_azure){
		.name = tp_env("AZURE_STORAGE_ACCOUNT"),
		.key = decoded(arena, tp_env("AZURE_STORAGE_KEY")),
		.sas = without(tp_env("AZURE_STORAGE_SAS_TOKEN"), '?', true),
	};
	if (a.name.len != 0)
		a.endpoint = tp_arena_printf(arena, "https://%.*s.blob.core.windows.net", TP_ARG(a.name));
	return a;
}

static struct tp_token
of_application(struct tp_arena *arena)
{
	struct tp_slice tenant = tp_env("AZURE_TENANT_ID"), secret = tp_env("AZURE_CLIENT_SECRET");
	struct tp_slice file = tp_env("AZURE_FEDERATED_TOKEN_FILE"),
					host = tp_env("AZURE_AUTHORITY_HOST");
	struct tp_query form = {.count = 0};
	struct tp_http_request request = {.method = "POST"};

	if (tenant.len == 0 || tp_env("AZURE_CLIENT_ID").len == 0 || (secret.len == 0 && file.len == 0))
		return (struct tp_token){.text = {"", 0}};
	host = without(host.len != 0 ? host : TP_S("https://login.microsoftonline.com"), '/', false);
	tp_query_add(&form, TP_S("grant_type"), TP_S("client_credentials"));
	tp_query_add(&form, TP_S("scope"), TP_S("https://storage.azure.com/.default"));
	tp_query_add(&form, TP_S("client_id"), tp_env("AZURE_CLIENT_ID"));
	if (secret.len != 0) {
		tp_query_add(&form, TP_S("client_secret"), secret);
	} else {
		tp_query_add(&form, TP_S("client_assertion_type"),
			TP_S("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"));
		tp_query_add(&form, TP_S("client_assertion"), tp_small_line(arena, file.ptr));
	}
	request.url =
		tp_arena_printf(arena, "%.*s/%.*s/oauth2/v2.0/token", TP_ARG(host), TP_ARG(tenant)).ptr;
	request.body = tp_query_text(arena, &form);
	return tp_service_token(arena, &request, "AZURE_CLIENT_ID");
}

static struct tp_token
of_machine(struct tp_arena *arena)
{
	struct tp_slice host = tp_env("AZURE_POD_IDENTITY_AUTHORITY_HOST");
	struct tp_slice client = tp_env("AZURE_CLIENT_ID");
	struct tp_http_request request = {
		.method = "GET", .connect_ms = TP_SERVICE_CONNECT_MS, .direct = true};

	host = without(host.len != 0 ? host : TP_S("http://169.254.169.254"), '/', false);
	request.url = tp_arena_printf(arena,
		"%.*s/metadata/identity/oauth2/"
		"token?api-version=2018-02-01&resource=https%%3A%%2F%%2Fstorage.azure.com%s%.*s",
		TP_ARG(host), client.len != 0 ? "&client_id=" : "",
		TP_ARG(tp_url_encode(arena, client, false)))
					  .ptr;
	tp_http_add(&request, "Metadata: true");
	return tp_service_token(arena, &request, "the machine's managed identity");
}

struct tp_token
tp_azure_token_find(struct tp_arena *arena)
{
	struct tp_token token = of_application(arena);

	return token.text.len != 0 ? token : of_machine(arena);
}
