/* https:// and http://: files of any server, one by one. */
#include "base/arena.h"
#include "io/http.h"
#include "io/store.h"
#include "io/url.h"

static bool
take(struct tp_slice word, struct tp_arena *arena, struct tp_address *out)
{
	struct tp_url url;

	if (!tp_slice_starts(word, TP_S("https://")) && !tp_slice_starts(word, TP_S("http://")))
		return false;
	if (!tp_url_split(word, &url))
		return false;
	out->name = url.host;
	out->bucket = tp_arena_printf(arena, "%.*s://%.*s", TP_ARG(url.scheme), TP_ARG(url.host));
	out->key = tp_slice_from(url.path, 1);
	out->bucket_secret = url.user;
	out->secret = url.query;
	return true;
}

static enum tp_status
fill(struct tp_bucket *b, const struct tp_ask *ask, struct tp_arena *arena,
	struct tp_http_request *request, struct tp_err *err)
{
	(void)err;
	request->method = ask->op == TP_STORE_WRITE ? "PUT"
		: ask->op == TP_STORE_DELETE            ? "DELETE"
												: "GET";
	request->url = tp_arena_printf(arena, "%.*s/%.*s%s%.*s", TP_ARG(b->address), TP_ARG(ask->key),
		ask->secret.len != 0 ? "?" : "", TP_ARG(ask->secret))
					   .ptr;
	request->follow = true;
	if (b->secret.len != 0)
		request->user_password = tp_arena_copy(arena, tp_url_decode(arena, b->secret)).ptr;
	tp_store_type(request, arena, ask);
	if (ask->if_match.len != 0)
		tp_store_header(request, arena, "If-Match", ask->if_match);
	return TP_OK;
}

static enum tp_status
page(struct tp_bucket *b, struct tp_slice body, struct tp_arena *arena, struct tp_page *p,
	struct tp_err *err)
{
	(void)body, (void)arena, (void)p;
	return tp_fail_at(err, TP_ERR_UNSUPPORTED, b->address.ptr, TP_NO_OFFSET,
		"a web server has files, not folders");
}

static bool
refused(struct tp_bucket *b, const struct tp_http_reply *reply, struct tp_arena *arena,
	struct tp_refusal *refusal)
{
	bool denied = reply->status == 401 || reply->status == 403;

	(void)arena;
	refusal->code = (struct tp_slice){"", 0};
	refusal->hint = denied && b->secret.len == 0
		? "the address needs a signature that is still good, or user:password@ before the host"
		: NULL;
	return false;
}

const struct tp_store tp_store_web = {
	.name = "web",
	.take = take,
	.fill = fill,
	.page = page,
	.refused = refused,
};
