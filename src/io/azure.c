/* Azure Blob Storage (https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api): https://ACCOUNT.blob…/CONTAINER/PATH,
 * and az://CONTAINER/PATH of the account that the environment names. */
#include "base/arena.h"
#include "base/hmac.h"
#include "codec/base64.h"
#include "io/azure_account.h"
#include "io/http.h"
#include "io/url.h"
#include "io/xml_listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_KEYS = 5000 };

static struct tp_slice
cut_at_slash(struct tp_slice path, struct tp_slice *rest)
{
	const char *slash = path.len != 0 ? memchr(path.ptr, '/', path.len) : NULL;
	struct tp_slice first = {path.ptr, slash != NULL ? (size_t)(slash - path.ptr) : path.len};

	*rest = tp_slice_from(path, first.len + 1);
	return first;
}

/* "http://127.0.0.1:10000/account/container/path", which only the environment tells from any other server. */
static bool
is_of_endpoint(struct tp_slice word, struct tp_arena *arena, struct tp_slice *rest)
{
	struct tp_slice endpoint = tp_azure_of_environment(arena).endpoint;

	*rest = tp_slice_from(word, endpoint.len);
	return endpoint.len != 0 && tp_slice_starts(word, endpoint) &&
		tp_slice_starts(*rest, TP_S("/"));
}

/* "abfss://container@account.dfs.core.windows.net/path", as Hadoop and Spark have it, whose files are blobs, too. */
static bool
take_hadoop(const struct tp_url *url, struct tp_arena *arena, struct tp_address *out)
{
	struct tp_slice host = url->host;
	const char *dot = memchr(host.ptr, '.', host.len);

	if (url->user.len == 0 || dot == NULL)
		return false;
	struct tp_slice account = {host.ptr, (size_t)(dot - host.ptr)};
	struct tp_slice rest = tp_slice_from(host, account.len);

	if (tp_slice_starts(rest, TP_S(".dfs.")) || tp_slice_starts(rest, TP_S(".blob.")))
		rest = tp_slice_from(rest, rest.ptr[1] == 'd' ? 4 : 5);
	out->name = url->user;
	out->key = tp_slice_from(url->path, 1);
	out->bucket = tp_arena_printf(
		arena, "https://%.*s.blob%.*s/%.*s", TP_ARG(account), TP_ARG(rest), TP_ARG(url->user));
	return true;
}

static bool
take(struct tp_slice word, struct tp_arena *arena, struct tp_address *out)
{
	struct tp_url url;
	struct tp_slice path, key, server;

	if (!tp_url_split(word, &url))
		return false;
	if (tp_slice_eq(url.scheme, TP_S("az"))) {
		out->bucket = tp_arena_printf(arena, "az://%.*s", TP_ARG(url.host));
		out->name = url.host;
		out->key = tp_slice_from(tp_slice_from(word, out->bucket.len), 1);
		return true;
	}
	if (tp_slice_starts(url.scheme, TP_S("abfs")) || tp_slice_starts(url.scheme, TP_S("wasb")))
		return take_hadoop(&url, arena, out);
	struct tp_slice bare = word;

	if (url.query.len != 0)
		bare.len = (size_t)(url.query.ptr - word.ptr) - 1;
	if (is_of_endpoint(bare, arena, &path)) {
		server = (struct tp_slice){bare.ptr, bare.len - path.len};
	} else {
		if (!tp_slice_eq(url.scheme, TP_S("https")) || !tp_slice_has(url.host, TP_S(".blob.")))
			return false;
		server = (struct tp_slice){word.ptr, (size_t)(url.path.ptr - word.ptr)};
		path = url.path;
	}
	out->name = tp_url_decode(arena, cut_at_slash(tp_slice_from(path, 1), &key));
	out->key = tp_url_decode(arena, key);
	out->bucket = tp_arena_printf(arena, "%.*s/%.*s", TP_ARG(server), TP_ARG(out->name));
	out->bucket_secret = url.query;
	return out->name.len != 0;
}

/* The account of the address where that says it; the environment's keys are for the environment's account only. */
static struct tp_azure *
azure_of(struct tp_bucket *b)
{
	if (b->own != NULL)
		return b->own;
	struct tp_azure *a = tp_new(b->arena, struct tp_azure);

	b->own = a;
	*a = tp_azure_of_environment(b->arena);
	if (!tp_slice_starts(b->address, TP_S("az://"))) {
		struct tp_slice server = {b->address.ptr, b->address.len - b->name.len - 1};

		if (!tp_slice_eq(server, a->endpoint))
			*a = (struct tp_azure){.endpoint = server};
	}
	if (b->secret.len != 0)
		*a = (struct tp_azure){.endpoint = a->endpoint, .sas = b->secret};
	return a;
}

/* In base64, and all of one length. */
static const char *
block_name(struct tp_arena *arena, unsigned part)
{
	char number[8], *text = tp_arena_alloc(arena, TP_BASE64_SIZE(sizeof number) + 1);

	snprintf(number, sizeof number, "%06u", part % 1000000);
	text[tp_base64_encode(number, 6, text)] = '\0';
	return text;
}

static void
add_query(struct tp_query *q, const struct tp_ask *ask, struct tp_arena *arena)
{
	unsigned keys = ask->page_keys < MOST_KEYS ? ask->page_keys : MOST_KEYS;

	if (ask->op == TP_STORE_PART) {
		tp_query_add(q, TP_S("blockid"), tp_slice_of(block_name(arena, ask->part)));
		tp_query_add(q, TP_S("comp"), TP_S("block"));
	} else if (ask->op == TP_STORE_JOIN) {
		tp_query_add(q, TP_S("comp"), TP_S("blocklist"));
	}
	if (ask->op != TP_STORE_LIST)
		return;
	tp_query_add(q, TP_S("comp"), TP_S("list"));
	if (ask->page.len != 0)
		tp_query_add(q, TP_S("marker"), ask->page);
	tp_query_add(q, TP_S("maxresults"), tp_arena_printf(arena, "%u", keys));
	tp_query_add(q, TP_S("prefix"), ask->key);
	tp_query_add(q, TP_S("restype"), TP_S("container"));
}

/* "Shared Key" of the storage services, from version 2015-02-21 on. */
static void
sign(const struct tp_azure *a, const struct tp_ask *ask, struct tp_slice path,
	const struct tp_query *q, struct tp_slice date, struct tp_arena *arena,
	struct tp_http_request *request)
{
	struct tp_slice resource = tp_arena_printf(arena, "/%.*s%.*s", TP_ARG(a->name), TP_ARG(path));
	unsigned char digest[TP_SHA256_SIZE];
	const char *type = ask->op != TP_STORE_JOIN && ask->type != NULL ? ask->type : "";
	const char *blob_type = ask->op == TP_STORE_JOIN ? ask->type : "";
	char text[TP_BASE64_SIZE(TP_SHA256_SIZE) + 1] = "", length[24] = "", range[64] = "";

	for (unsigned i = 0; i < q->count; i++)
		resource = tp_arena_printf(arena, "%.*s\n%.*s:%.*s", TP_ARG(resource),
			TP_ARG(q->at[i].name), TP_ARG(q->at[i].value));
	if (ask->body.len != 0)
		snprintf(length, sizeof length, "%zu", ask->body.len);
	if (ask->last_byte == UINT64_MAX)
		snprintf(range, sizeof range, "bytes=%llu-", (unsigned long long)ask->first_byte);
	else if (ask->last_byte != 0)
		snprintf(range, sizeof range, "bytes=%llu-%llu", (unsigned long long)ask->first_byte,
			(unsigned long long)ask->last_byte);
	struct tp_slice to_sign = tp_arena_printf(arena,
		"%s\n\n\n%s\n\n%s\n\n\n%.*s\n\n\n%s\n%s%s%s%sx-ms-date:%.*s\nx-ms-version:2021-08-06\n%.*s",
		request->method, length, type, TP_ARG(ask->if_match), range,
		*blob_type != '\0' ? "x-ms-blob-content-type:" : "", blob_type,
		*blob_type != '\0' ? "\n" : "",
		ask->op == TP_STORE_WRITE ? "x-ms-blob-type:BlockBlob\n" : "", TP_ARG(date),
		TP_ARG(resource));

	tp_hmac_sha256(a->key, to_sign, digest);
	tp_base64_encode(digest, sizeof digest, text);
	tp_http_add(request,
		tp_arena_printf(arena, "Authorization: SharedKey %.*s:%s", TP_ARG(a->name), text).ptr);
}

static struct tp_slice
date_of(const struct tp_azure *a, struct tp_arena *arena)
{
	time_t now = time(NULL) + (time_t)a->ahead_s;
	struct tm utc;
	char text[64];

	gmtime_r(&now, &utc);
	strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc);
	return tp_arena_copy(arena, tp_slice_of(text));
}

static void
find_token(struct tp_azure *a, struct tp_arena *arena)
{
	if (a->token_known && !tp_expires_soon(a->token.expires_unix_s, time(NULL)))
		return;
	a->token_known = true;
	a->token = tp_azure_token_find(arena);
}

static enum tp_status
fill(struct tp_bucket *b, const struct tp_ask *ask, struct tp_arena *arena,
	struct tp_http_request *request, struct tp_err *err)
{
	struct tp_azure *a = azure_of(b);
	struct tp_query q = {.count = 0};
	struct tp_url url;
	struct tp_slice key = ask->op == TP_STORE_LIST ? TP_S("") : ask->key;

	if (a->endpoint.len == 0)
		return tp_fail_at(err, TP_ERR_USAGE, b->address.ptr, TP_NO_OFFSET,
			"which account: set AZURE_STORAGE_CONNECTION_STRING or AZURE_STORAGE_ACCOUNT");
	add_query(&q, ask, arena);
	struct tp_slice query = tp_query_text(arena, &q), date = date_of(a, arena);
	struct tp_slice bare = tp_arena_printf(arena, "%.*s/%.*s%s%.*s", TP_ARG(a->endpoint),
		TP_ARG(tp_url_encode(arena, b->name, false)), key.len != 0 ? "/" : "",
		TP_ARG(tp_url_encode(arena, key, true)));

	request->method = ask->op == TP_STORE_READ || ask->op == TP_STORE_LIST ? "GET"
		: ask->op == TP_STORE_DELETE                                       ? "DELETE"
																		   : "PUT";
	request->url = tp_arena_printf(arena, "%.*s%s%.*s%s%.*s", TP_ARG(bare),
		query.len != 0 || a->sas.len != 0 ? "?" : "", TP_ARG(query),
		query.len != 0 && a->sas.len != 0 ? "&" : "", TP_ARG(a->sas))
					   .ptr;
	tp_http_add(request, "x-ms-version: 2021-08-06");
	tp_store_header(request, arena, "x-ms-date", date);
	if (ask->op == TP_STORE_WRITE)
		tp_http_add(request, "x-ms-blob-type: BlockBlob");
	if (ask->op == TP_STORE_JOIN) { /* the type of the blob, not that of the list of its blocks */
		tp_store_header(request, arena, "x-ms-blob-content-type", tp_slice_of(ask->type));
		tp_http_add(request, "Content-Type:");
	} else {
		tp_store_type(request, arena, ask);
	}
	if (ask->if_match.len != 0)
		tp_store_header(request, arena, "If-Match", ask->if_match);
	if (a->sas.len != 0)
		return TP_OK;
	if (a->key.len == 0)
		find_token(a, b->arena);
	if (a->key.len != 0 && tp_url_split(bare, &url))
		sign(a, ask, url.path, &q, date, arena, request);
	else if (a->token.text.len != 0)
		tp_http_add(request,
			tp_arena_printf(arena, "Authorization: Bearer %.*s", TP_ARG(a->token.text)).ptr);
	return TP_OK;
}

static enum tp_status
page(struct tp_bucket *b, struct tp_slice body, struct tp_arena *arena, struct tp_page *p,
	struct tp_err *err)
{
	static const struct tp_xml_listing listing = {
		.store = "Azure's storage",
		.record = "Blob",
		.key = "Name",
		.size = "Content-Length",
		.time = "Last-Modified",
		.read_time = tp_time_of_http,
		.next = "NextMarker",
		.but = "Blobs",
	};

	return tp_xml_listing_page(&listing, b, body, arena, p, err);
}

static const char *
hint_of(const struct tp_azure *a, struct tp_slice code, struct tp_arena *arena)
{
	if (a->sas.len != 0)
		return "the shared access signature has expired, or does not allow this (reading needs r, listing "
			   "l, writing w)";
	if (a->key.len != 0)
		return "the account's key is wrong, or this machine's clock is";
	if (a->token.text.len != 0)
		return tp_arena_printf(arena, "%s may not do this (%.*s)", a->token.source, TP_ARG(code))
			.ptr;
	return "nothing to sign in with was found: give the address with its signature (?sv=…), or set "
		   "AZURE_STORAGE_CONNECTION_STRING";
}

static bool
refused(struct tp_bucket *b, const struct tp_http_reply *reply, struct tp_arena *arena,
	struct tp_refusal *refusal)
{
	struct tp_azure *a = b->own;
	bool denied = reply->status == 401 || reply->status == 403;
	int64_t said = tp_time_of_http(tp_http_header(reply, "date")) / 1000000000;
	int64_t off_s = said != 0 ? said - (int64_t)time(NULL) : 0;

	refusal->code = tp_arena_copy(arena, tp_http_header(reply, "x-ms-error-code"));
	refusal->hint = tp_slice_eq(refusal->code, TP_S("ContainerNotFound"))
		? "there is no container of this name"
		: denied ? hint_of(a, refusal->code, arena)
				 : NULL;
	/* A clock that is wrong by more than a quarter of an hour is not let in. */
	if (reply->status != 403 || a->key.len == 0 || a->ahead_s != 0 || llabs(off_s) < 60)
		return false;
	a->ahead_s = off_s;
	return true;
}

static bool
takes_parts(struct tp_bucket *b)
{
	(void)b;
	return true;
}

/* Blocks that are not joined go by themselves after a week, and are no part of a blob before. */
static void
join(FILE *out, const struct tp_slice *etags, unsigned count)
{
	struct tp_arena *arena = tp_arena_new();

	(void)etags;
	fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>", out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "<Latest>%s</Latest>", block_name(arena, i + 1));
	fputs("</BlockList>", out);
	tp_arena_free(arena);
}

const struct tp_store tp_store_azure = {
	.name = "Azure Blob Storage",
	.take = take,
	.fill = fill,
	.page = page,
	.refused = refused,
	.lists = true,
	.takes_parts = takes_parts,
	.join = join,
};
