/* Asking a store: signed anew each time, resumed where it broke off, and in one sentence why it did not work. */
#include "io/store.h"

#include "base/arena.h"
#include "io/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_LEARNT = 3, FEWEST_PAGE_KEYS = 50, LAST_MS = 5000 };

struct tp_slice
tp_env(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? tp_slice_of(value) : (struct tp_slice){"", 0};
}

void
tp_store_header(
	struct tp_http_request *r, struct tp_arena *arena, const char *name, struct tp_slice value)
{
	tp_http_add(r, tp_arena_printf(arena, "%s: %.*s", name, TP_ARG(value)).ptr);
}

void
tp_store_type(struct tp_http_request *r, struct tp_arena *arena, const struct tp_ask *ask)
{
	if (ask->type != NULL)
		tp_store_header(r, arena, "Content-Type", tp_slice_of(ask->type));
	else
		tp_http_add(r, "Content-Type:");
}

static int64_t
read_time(struct tp_slice text, const char *format)
{
	char copy[64];
	struct tm utc = {0};

	snprintf(copy, sizeof copy, "%.*s", TP_ARG(text));
	if (strptime(copy, format, &utc) == NULL)
		return 0;
	return (int64_t)timegm(&utc) * 1000000000;
}

int64_t
tp_time_of_iso(struct tp_slice text)
{
	return read_time(text, "%Y-%m-%dT%H:%M:%S");
}

int64_t
tp_time_of_http(struct tp_slice text)
{
	return read_time(text, "%a, %d %b %Y %H:%M:%S GMT");
}

static enum tp_status
fail_without_answer(const struct tp_http_reply *reply, const char *shown, struct tp_err *err)
{
	if (reply->fd_error != 0)
		return tp_fail_at(err, TP_ERR_IO, shown, TP_NO_OFFSET,
			"cannot keep what was fetched: %s; TMPDIR names the folder for large files",
			strerror(reply->fd_error));
	if (reply->refused)
		return tp_fail_at(err, TP_ERR_IO, shown, TP_NO_OFFSET,
			"cannot connect: %s; is the address right, and can this machine reach it?",
			reply->wrong);
	if (reply->untrusted)
		return tp_fail_at(err, TP_ERR_IO, shown, TP_NO_OFFSET,
			"the server's certificate is not trusted: %s; AWS_CA_BUNDLE names others",
			reply->wrong);
	return tp_fail_at(
		err, TP_ERR_IO, shown, TP_NO_OFFSET, "the connection kept breaking: %s", reply->wrong);
}

static enum tp_status
fail_with_answer(const struct tp_ask *ask, const struct tp_http_reply *reply,
	const struct tp_refusal *refusal, const char *shown, struct tp_err *err)
{
	struct tp_slice code = refusal->code;
	const char *open = code.len != 0 ? " (" : "", *close = code.len != 0 ? ")" : "";
	const char *hint = refusal->hint != NULL ? refusal->hint : "",
			   *colon = *hint != '\0' ? ": " : "";

	if (reply->status == 404 || reply->status == 410)
		return tp_fail_at(err, TP_ABSENT, shown, TP_NO_OFFSET, "not found%s%.*s%s%s%s", open,
			TP_ARG(code), close, colon, hint);
	if (reply->status == 401 || reply->status == 403)
		return tp_fail_at(err, TP_ERR_IO, shown, TP_NO_OFFSET, "access denied%s%.*s%s%s%s", open,
			TP_ARG(code), close, colon, hint);
	if (reply->status == 412 && ask->if_match.len != 0)
		return tp_fail_at(
			err, TP_ERR_IO, shown, TP_NO_OFFSET, "it was rewritten while it was read: try again");
	return tp_fail_at(err, TP_ERR_IO, shown, TP_NO_OFFSET,
		"the server answered HTTP %u%s%.*s%s%s%s", reply->status, open, TP_ARG(code), close, colon,
		hint);
}

/* Moves on by what came into the file; whether that was anything. */
static bool
resume(struct tp_ask *ask, const struct tp_http_reply *reply, uint64_t *furthest)
{
	uint64_t at = (reply->status == 206 ? ask->first_byte : 0) + reply->received;

	if (ask->op == TP_STORE_LIST && !reply->whole && ask->page_keys > FEWEST_PAGE_KEYS)
		ask->page_keys /= 2; /* a shorter answer may come through */
	if (ask->fd < 0 || (reply->status != 200 && reply->status != 206) || at <= *furthest)
		return false;
	*furthest = at;
	if (reply->status == 206)
		ask->first_byte = at;
	return true;
}

static enum tp_status
send_once(struct tp_bucket *b, const struct tp_ask *ask, struct tp_arena *arena,
	struct tp_http_reply *reply, struct tp_err *err)
{
	struct tp_http_request request = {.fd = ask->fd, .body = ask->body, .last = ask->last};

	if (ask->last)
		request.whole_ms = LAST_MS;
	if (ask->op == TP_STORE_READ) {
		request.most_bytes = ask->most_bytes;
		request.first_byte = ask->first_byte;
		request.last_byte = ask->last_byte;
	}
	pthread_mutex_lock(&b->lock);
	enum tp_status status = b->store->fill(b, ask, arena, &request, err);

	pthread_mutex_unlock(&b->lock);
	return status == TP_OK ? tp_http_send(&request, reply, err) : status;
}

/* An object without bytes has no part that could be sent. */
static bool
is_empty(const struct tp_http_reply *reply)
{
	uint64_t size_bytes;

	return reply->status == 416 && tp_http_whole_size(reply, &size_bytes) && size_bytes == 0;
}

static bool
is_good(const struct tp_http_reply *reply)
{
	return (reply->whole || reply->enough) &&
		((reply->status >= 200 && reply->status < 300) || is_empty(reply));
}

/* Whether a part ends where it was asked to, or with the object. */
static bool
ends_as_asked(const struct tp_ask *ask, const struct tp_http_reply *reply)
{
	uint64_t size_bytes, end = ask->first_byte + reply->received;

	return ask->op != TP_STORE_READ || reply->status != 206 || reply->enough ||
		end > ask->last_byte || ask->last_byte == UINT64_MAX ||
		(tp_http_whole_size(reply, &size_bytes) && end >= size_bytes);
}

/* Asks until nothing more helps; TP_OK: an answer is in reply, good or not. */
static enum tp_status
ask_again_and_again(struct tp_bucket *b, const struct tp_ask *asked, struct tp_arena *arena,
	struct tp_http_reply *reply, struct tp_refusal *refusal, struct tp_err *err)
{
	struct tp_ask ask = *asked;
	struct tp_retry retry = {0};
	uint64_t furthest = ask.first_byte;

	for (unsigned learnt = 0;;) {
		tp_arena_reset(arena);
		enum tp_status status = send_once(b, &ask, arena, reply, err);

		if (status != TP_OK)
			return status;
		if (is_good(reply) && ends_as_asked(&ask, reply))
			return TP_OK;
		bool progressed = resume(&ask, reply, &furthest);

		if (progressed && reply->status == 206 && ask.first_byte > ask.last_byte) {
			reply->whole = true;
			return TP_OK;
		}
		if (is_good(reply) ? progressed : !ask.last && tp_retry_again(&retry, reply, progressed))
			continue;
		if (is_good(reply))
			return tp_fail(err, TP_ERR_IO, "the server sends less than requested");
		if (!reply->whole)
			return TP_OK;
		pthread_mutex_lock(&b->lock);
		bool again = b->store->refused(b, reply, arena, refusal);

		pthread_mutex_unlock(&b->lock);
		if (!again || learnt++ == MOST_LEARNT)
			return TP_OK;
	}
}

enum tp_status
tp_store_ask(struct tp_bucket *b, const struct tp_ask *ask, const char *shown,
	struct tp_http_reply *reply, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_refusal refusal = {{"", 0}, NULL};
	enum tp_status status = ask_again_and_again(b, ask, arena, reply, &refusal, err);

	if (status != TP_OK && err != NULL && err->input[0] == '\0')
		snprintf(err->input, sizeof err->input, "%s", shown);
	if (status == TP_OK && !is_good(reply) && !reply->whole)
		status = fail_without_answer(reply, shown, err);
	else if (status == TP_OK && !is_good(reply))
		status = fail_with_answer(ask, reply, &refusal, shown, err);
	tp_arena_free(arena);
	return status;
}
