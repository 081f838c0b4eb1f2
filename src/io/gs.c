/* gs://: Google's JSON interface (https://cloud.google.com/storage/docs/json_api) with a token; with keys of HMAC the one that is as S3's. */
#include "base/arena.h"
#include "io/gs_token.h"
#include "io/http.h"
#include "io/json_texts.h"
#include "io/s3_bucket.h"
#include "io/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct gs {
	struct tp_s3 *hmac;       /* NULL: by tokens */
	struct tp_slice endpoint; /* "https://storage.googleapis.com" */
	struct tp_token token;
	const char *why_none;
	bool token_known;
};

static bool
take(struct tp_slice word, struct tp_arena *arena, struct tp_address *out)
{
	if (!tp_slice_starts(word, TP_S("gs://")))
		return false;
	struct tp_slice rest = tp_slice_from(word, strlen("gs://"));
	const char *slash = rest.len != 0 ? memchr(rest.ptr, '/', rest.len) : NULL;

	out->name = (struct tp_slice){rest.ptr, slash != NULL ? (size_t)(slash - rest.ptr) : rest.len};
	out->key = tp_slice_from(rest, out->name.len + 1);
	out->bucket = tp_arena_printf(arena, "gs://%.*s", TP_ARG(out->name));
	return out->name.len != 0;
}

static struct gs *
gs_of(struct tp_bucket *b)
{
	struct tp_slice access = tp_env("GS_ACCESS_KEY_ID"), secret = tp_env("GS_SECRET_ACCESS_KEY");
	struct tp_slice host = tp_env("STORAGE_EMULATOR_HOST");

	if (b->own != NULL)
		return b->own;
	struct gs *g = tp_new(b->arena, struct gs);

	b->own = g;
	if (access.len != 0 && secret.len != 0)
		g->hmac = tp_s3_of_google(b, access, secret);
	while (tp_slice_ends(host, TP_S("/")))
		host.len--;
	g->endpoint = host.len == 0           ? TP_S("https://storage.googleapis.com")
		: tp_slice_has(host, TP_S("://")) ? host
										  : tp_arena_printf(b->arena, "http://%.*s", TP_ARG(host));
	return g;
}

static void
find_token(struct gs *g, struct tp_arena *arena)
{
	bool emulated = tp_env("STORAGE_EMULATOR_HOST").len != 0;

	if (g->token_known && !tp_expires_soon(g->token.expires_unix_s, time(NULL)))
		return;
	g->token_known = true;
	if (!emulated || tp_env("GCE_METADATA_HOST").len != 0 ||
		tp_env("CLOUDSDK_AUTH_ACCESS_TOKEN").len != 0 ||
		tp_env("GOOGLE_APPLICATION_CREDENTIALS").len != 0)
		g->token = tp_gs_token_find(arena, &g->why_none);
}

static struct tp_slice
url_of(
	const struct tp_bucket *b, const struct gs *g, const struct tp_ask *ask, struct tp_arena *arena)
{
	struct tp_slice name = tp_url_encode(arena, b->name, false);
	struct tp_slice key = tp_url_encode(arena, ask->key, false);
	struct tp_query q = {.count = 0};

	switch (ask->op) {
	case TP_STORE_READ:
	case TP_STORE_DELETE:
		return tp_arena_printf(arena, "%.*s/storage/v1/b/%.*s/o/%.*s%s", TP_ARG(g->endpoint),
			TP_ARG(name), TP_ARG(key), ask->op == TP_STORE_READ ? "?alt=media" : "");
	case TP_STORE_WRITE:
		return tp_arena_printf(arena, "%.*s/upload/storage/v1/b/%.*s/o?uploadType=media&name=%.*s",
			TP_ARG(g->endpoint), TP_ARG(name), TP_ARG(key));
	case TP_STORE_LIST:
	case TP_STORE_BEGIN: /* one request for all, of up to 5 TB */
	case TP_STORE_PART:
	case TP_STORE_JOIN:
	case TP_STORE_GIVE_UP:
		break;
	}
	tp_query_add(&q, TP_S("fields"), TP_S("items(name,size,etag,updated),nextPageToken"));
	tp_query_add(&q, TP_S("maxResults"), tp_arena_printf(arena, "%u", ask->page_keys));
	tp_query_add(&q, TP_S("prefix"), ask->key);
	if (ask->page.len != 0)
		tp_query_add(&q, TP_S("pageToken"), ask->page);
	return tp_arena_printf(arena, "%.*s/storage/v1/b/%.*s/o?%.*s", TP_ARG(g->endpoint),
		TP_ARG(name), TP_ARG(tp_query_text(arena, &q)));
}

static enum tp_status
fill(struct tp_bucket *b, const struct tp_ask *ask, struct tp_arena *arena,
	struct tp_http_request *request, struct tp_err *err)
{
	struct gs *g = gs_of(b);

	(void)err;
	if (g->hmac != NULL) {
		tp_s3_fill(b, g->hmac, ask, arena, request);
		return TP_OK;
	}
	find_token(g, b->arena);
	request->method = ask->op == TP_STORE_WRITE ? "POST"
		: ask->op == TP_STORE_DELETE            ? "DELETE"
												: "GET";
	request->url = url_of(b, g, ask, arena).ptr;
	tp_store_type(request, arena, ask);
	if (ask->op == TP_STORE_READ) /* as it is stored: what it holds is ours to unpack */
		tp_http_add(request, "Accept-Encoding: gzip");
	if (g->token.text.len != 0)
		request->headers[request->header_count++] =
			tp_arena_printf(arena, "Authorization: Bearer %.*s", TP_ARG(g->token.text)).ptr;
	return TP_OK;
}

struct seeing {
	struct tp_json_text fields[3];
	struct tp_page *page;
};

static void
see(void *with)
{
	struct seeing *v = with;
	struct tp_object_seen object = {
		.key = v->fields[0].value,
		.size_bytes = v->fields[1].value.len != 0 ? strtoull(v->fields[1].value.ptr, NULL, 10) : 0,
		.modified_unix_ns = tp_time_of_iso(v->fields[2].value),
	};

	v->page->see(v->page->with, &object);
}

static enum tp_status
page(struct tp_bucket *b, struct tp_slice body, struct tp_arena *arena, struct tp_page *p,
	struct tp_err *err)
{
	struct gs *g = gs_of(b);
	struct seeing v = {{{"name", {"", 0}}, {"size", {"", 0}}, {"updated", {"", 0}}}, p};
	struct tp_json_text next = {"nextPageToken", {"", 0}};

	if (g->hmac != NULL)
		return tp_s3_page(b, body, arena, p, err);
	if (!tp_json_list(arena, body, "items", v.fields, 3, see, &v))
		return tp_fail_at(err, TP_ERR_FORMAT, b->address.ptr, TP_NO_OFFSET,
			"the server's answer is not a listing of Google's storage: is the address right?");
	tp_json_texts(arena, body, &next, 1);
	p->next = next.value;
	return TP_OK;
}

static bool
refused(struct tp_bucket *b, const struct tp_http_reply *reply, struct tp_arena *arena,
	struct tp_refusal *refusal)
{
	struct gs *g = gs_of(b);
	bool again = false;

	*refusal = (struct tp_refusal){{"", 0}, NULL};
	if (g->hmac != NULL)
		return tp_s3_refused(b, g->hmac, reply, arena, refusal);
	if (reply->status != 401 && reply->status != 403)
		return false;
	if (reply->status == 401 && g->token.expires_unix_s != 0) {
		g->token.expires_unix_s = 1; /* before its time, perhaps */
		again = true;
	}
	if (g->token.text.len == 0)
		refusal->hint = g->why_none != NULL
			? g->why_none
			: "no token was found: export CLOUDSDK_AUTH_ACCESS_TOKEN=\"$(gcloud auth "
			  "print-access-token)\"";
	else if (reply->status == 401)
		refusal->hint =
			tp_arena_printf(arena, "the token of %s has expired or is wrong", g->token.source).ptr;
	else
		refusal->hint = tp_arena_printf(arena, "%s may not do this", g->token.source).ptr;
	return again;
}

static bool
takes_parts(struct tp_bucket *b)
{
	return gs_of(b)->hmac != NULL;
}

const struct tp_store tp_store_gs = {
	.name = "Google Cloud Storage",
	.take = take,
	.fill = fill,
	.page = page,
	.refused = refused,
	.lists = true,
	.takes_parts = takes_parts,
	.begun = tp_s3_begun,
	.join = tp_s3_join,
};
