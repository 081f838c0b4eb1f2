/* Requests by libcurl's easy interface; a handle is used again, so that connections stay open. */
#include "io/http.h"

#include "base/ending.h"
#include "io/curl.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_HEADER_BYTES = 64 << 10, MOST_REDIRECTS = 5, STALLED_SECONDS = 60 };

static const size_t usual_most_bytes = (size_t)64 << 20;

/* Handles that no thread uses, and whether the program ends. */
static struct {
	pthread_mutex_t lock;
	CURL *free[32];
	unsigned count;
} handles = {.lock = PTHREAD_MUTEX_INITIALIZER};
static atomic_bool stopped;

struct exchange {
	const struct tp_curl *curl;
	CURL *easy;
	const struct tp_http_request *request;
	struct tp_http_reply *reply;
	const char *wrong; /* why we broke off; NULL: we did not */
};

void
tp_http_add(struct tp_http_request *r, const char *line)
{
	if (r->header_count < TP_HTTP_MOST_HEADERS)
		r->headers[r->header_count++] = line;
}

static void
append(struct tp_buf *b, const char *bytes, size_t size)
{
	if (b->count + size > b->capacity)
		tp_buf_reserve(b, 2 * (b->count + size), 1);
	if (size != 0)
		memcpy((char *)b->data + b->count, bytes, size);
	b->count += size;
}

/* A status line begins the headers of another answer: after a redirect, say. */
void
tp_http_take_header(struct tp_http_reply *reply, const char *line, size_t length)
{
	struct tp_buf *headers = &reply->headers;
	size_t start = headers->count;

	if (length > 5 && memcmp(line, "HTTP/", 5) == 0) {
		headers->count = 0;
		reply->body.count = 0;
		reply->received = 0;
		return;
	}
	while (length != 0 && isspace((unsigned char)line[length - 1]))
		length--;
	if (length == 0 || headers->count + length > MOST_HEADER_BYTES)
		return;
	append(headers, line, length);
	append(headers, "\n", 1);
	for (char *c = (char *)headers->data + start; *c != ':' && *c != '\n'; c++)
		*c = (char)tolower((unsigned char)*c);
}

static size_t
take_header(char *line, size_t one, size_t size, void *with)
{
	struct exchange *x = with;

	tp_http_take_header(x->reply, line, size * one);
	return size * one;
}

static bool
is_part(const struct exchange *x)
{
	return x->reply->status == 206;
}

/* Whether the part that comes is the one that was asked for. */
static bool
begins_as_asked(const struct exchange *x)
{
	struct tp_slice range = tp_http_header(x->reply, "content-range");
	char text[64];
	unsigned long long first;

	snprintf(text, sizeof text, "%.*s", TP_ARG(range));
	return sscanf(text, "bytes %llu-", &first) == 1 && first == x->request->first_byte;
}

static bool
write_all(struct exchange *x, const char *bytes, size_t size)
{
	uint64_t at = (is_part(x) ? x->request->first_byte : 0) + x->reply->received;

	for (size_t done = 0; done < size;) {
		ssize_t put = pwrite(x->request->fd, bytes + done, size - done, (off_t)(at + done));

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			x->reply->fd_error = put < 0 ? errno : EIO;
			return false;
		}
		done += (size_t)put;
	}
	return true;
}

/* How many more bytes of the body are wished. */
static uint64_t
room_left(const struct exchange *x, bool to_file)
{
	uint64_t most = x->request->most_bytes;

	if (most == 0 && to_file)
		return UINT64_MAX;
	most = most != 0 ? most : usual_most_bytes;
	return most > x->reply->received ? most - x->reply->received : 0;
}

static size_t
take_body(char *bytes, size_t one, size_t count, void *with)
{
	struct exchange *x = with;
	size_t size = one * count;
	long status = 0;

	x->curl->easy_get(x->easy, CURLINFO_RESPONSE_CODE, &status);
	x->reply->status = (unsigned)status;
	if (is_part(x) && x->reply->received == 0 && !begins_as_asked(x)) {
		x->wrong = "the server sent a different part than requested";
		return 0;
	}
	bool to_file = x->request->fd >= 0 && (status == 200 || status == 206);
	uint64_t room = room_left(x, to_file);
	size_t taken = size < room ? size : (size_t)room;

	if (to_file && !write_all(x, bytes, taken))
		return 0;
	if (!to_file)
		append(&x->reply->body, bytes, taken);
	x->reply->received += taken;
	x->reply->enough = taken < size;
	return taken;
}

static int
look_whether_stopped(void *with, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	const struct tp_http_request *r = with;

	(void)a, (void)b, (void)c, (void)d;
	return atomic_load(&stopped) || (tp_ending_is_asked() && !r->last);
}

static CURL *
take_handle(const struct tp_curl *curl)
{
	CURL *easy = NULL;

	pthread_mutex_lock(&handles.lock);
	if (handles.count != 0)
		easy = handles.free[--handles.count];
	pthread_mutex_unlock(&handles.lock);
	return easy != NULL ? easy : curl->easy_init();
}

static void
give_handle(const struct tp_curl *curl, CURL *easy)
{
	curl->easy_reset(easy);
	pthread_mutex_lock(&handles.lock);
	bool kept = handles.count < sizeof handles.free / sizeof *handles.free;

	if (kept)
		handles.free[handles.count++] = easy;
	pthread_mutex_unlock(&handles.lock);
	if (!kept)
		curl->easy_cleanup(easy);
}

static bool
set_version(struct exchange *x)
{
	long version = x->request->http2 ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_1_1;

	return x->curl->easy_set(x->easy, CURLOPT_HTTP_VERSION, version) == CURLE_OK;
}

static void
set_transport(struct exchange *x)
{
	const struct tp_http_request *r = x->request;
	CURLcode (*set)(CURL *, CURLoption, ...) = x->curl->easy_set;

	set(x->easy, CURLOPT_NOSIGNAL, 1L);
	/* The newer names of these take text, and older libraries do not have them. */
	set(x->easy, (CURLoption)(CURLOPTTYPE_LONG + 181), (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
	set(x->easy, (CURLoption)(CURLOPTTYPE_LONG + 182), (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
	/* curl 7.88 finds fault with the second request to a gRPC server on a connection that was kept. */
	set(x->easy, CURLOPT_FRESH_CONNECT, r->http2 ? 1L : 0L);
	set(x->easy, CURLOPT_FORBID_REUSE, r->http2 ? 1L : 0L);
	set(x->easy, CURLOPT_TCP_KEEPALIVE, 1L);
	set(x->easy, CURLOPT_CONNECTTIMEOUT_MS, r->connect_ms != 0 ? (long)r->connect_ms : 10000L);
	set(x->easy, CURLOPT_TIMEOUT_MS, (long)r->whole_ms);
	set(x->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
	set(x->easy, CURLOPT_LOW_SPEED_TIME, r->whole_ms != 0 ? 0L : (long)STALLED_SECONDS);
	set(x->easy, CURLOPT_BUFFERSIZE, 512L << 10);
	set(x->easy, CURLOPT_FOLLOWLOCATION, r->follow ? 1L : 0L);
	set(x->easy, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTS);
	set(x->easy, CURLOPT_PATH_AS_IS, 1L);
	set(x->easy, CURLOPT_USERAGENT, "tpreport/" TP_VERSION);
	set(x->easy, CURLOPT_NOPROGRESS, 0L);
	set(x->easy, CURLOPT_XFERINFOFUNCTION, look_whether_stopped);
	set(x->easy, CURLOPT_XFERINFODATA, r);
	if (r->direct)
		set(x->easy, CURLOPT_NOPROXY, "*");
	if (r->insecure) {
		set(x->easy, CURLOPT_SSL_VERIFYPEER, 0L);
		set(x->easy, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (r->ca_file != NULL)
		set(x->easy, CURLOPT_CAINFO, r->ca_file);
	if (r->user_password != NULL)
		set(x->easy, CURLOPT_USERPWD, r->user_password);
}

static void
set_request(struct exchange *x, struct curl_slist *headers, char range[static 64])
{
	const struct tp_http_request *r = x->request;
	CURLcode (*set)(CURL *, CURLoption, ...) = x->curl->easy_set;

	set(x->easy, CURLOPT_URL, r->url);
	set(x->easy, CURLOPT_HTTPHEADER, headers);
	set(x->easy, CURLOPT_HEADERFUNCTION, take_header);
	set(x->easy, CURLOPT_HEADERDATA, x);
	set(x->easy, CURLOPT_WRITEFUNCTION, take_body);
	set(x->easy, CURLOPT_WRITEDATA, x);
	if (strcmp(r->method, "GET") != 0) {
		set(x->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body.len);
		set(x->easy, CURLOPT_POSTFIELDS, r->body.len != 0 ? r->body.ptr : "");
		set(x->easy, CURLOPT_CUSTOMREQUEST, r->method);
	}
	if (r->first_byte == 0 && r->last_byte == 0)
		return;
	if (r->last_byte == UINT64_MAX)
		snprintf(range, 64, "%llu-", (unsigned long long)r->first_byte);
	else
		snprintf(range, 64, "%llu-%llu", (unsigned long long)r->first_byte,
			(unsigned long long)r->last_byte);
	set(x->easy, CURLOPT_RANGE, range);
}

static void
tell(struct exchange *x, CURLcode code)
{
	struct tp_http_reply *reply = x->reply;
	long status = 0;

	x->curl->easy_get(x->easy, CURLINFO_RESPONSE_CODE, &status);
	reply->status = (unsigned)status;
	reply->whole = code == CURLE_OK;
	reply->refused = code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
		code == CURLE_COULDNT_RESOLVE_PROXY;
	reply->late = code == CURLE_OPERATION_TIMEDOUT;
	reply->untrusted = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
	if (!reply->whole)
		snprintf(reply->wrong, sizeof reply->wrong, "%s",
			x->wrong != NULL ? x->wrong : x->curl->easy_strerror(code));
}

enum tp_status
tp_http_send(const struct tp_http_request *request, struct tp_http_reply *reply, struct tp_err *err)
{
	struct exchange x = {.curl = tp_curl(err), .request = request, .reply = reply};
	struct curl_slist *headers = NULL;
	char range[64];

	if (x.curl == NULL)
		return TP_ERR_UNSUPPORTED;
	*reply = (struct tp_http_reply){.headers = reply->headers, .body = reply->body};
	reply->headers.count = reply->body.count = 0;
	x.easy = take_handle(x.curl);
	/* Nobody waits for us to ask first whether the body is wanted. */
	headers = x.curl->slist_append(NULL, "Expect:");
	for (unsigned i = 0; i < request->header_count && headers != NULL; i++)
		headers = x.curl->slist_append(headers, request->headers[i]);
	if (x.easy == NULL || headers == NULL)
		return tp_fail(err, TP_ERR_LIMIT, "out of memory");
	bool able = set_version(&x);

	set_transport(&x);
	set_request(&x, headers, range);
	if (able)
		tell(&x, x.curl->easy_perform(x.easy));
	give_handle(x.curl, x.easy);
	x.curl->slist_free_all(headers);
	return able
		? TP_OK
		: tp_fail(err, TP_ERR_UNSUPPORTED,
			  "the libcurl that is installed has no HTTP/2, which profilers speak: install one that has "
			  "(curl --version names it)");
}

struct tp_slice
tp_http_header(const struct tp_http_reply *reply, const char *name)
{
	struct tp_slice left = {reply->headers.data, reply->headers.count};
	size_t length = strlen(name);

	while (left.len != 0) {
		const char *end = memchr(left.ptr, '\n', left.len);
		struct tp_slice line = {left.ptr, (size_t)(end - left.ptr)};

		if (line.len > length && line.ptr[length] == ':' && memcmp(line.ptr, name, length) == 0) {
			line = tp_slice_from(line, length + 1);
			while (line.len != 0 && *line.ptr == ' ')
				line = tp_slice_from(line, 1);
			return line;
		}
		left = tp_slice_from(left, line.len + 1);
	}
	return (struct tp_slice){"", 0};
}

struct tp_slice
tp_http_body(const struct tp_http_reply *reply)
{
	return (struct tp_slice){reply->body.data, reply->body.count};
}

bool
tp_http_whole_size(const struct tp_http_reply *reply, uint64_t *size_bytes)
{
	struct tp_slice value = tp_http_header(reply, "content-range");
	unsigned long long size;
	char text[96];

	snprintf(text, sizeof text, "%.*s", TP_ARG(value));
	const char *slash = strchr(text, '/');

	if (slash == NULL && reply->status == 206)
		return false;
	if (slash == NULL) {
		value = tp_http_header(reply, "content-length");
		snprintf(text, sizeof text, "/%.*s", TP_ARG(value));
		slash = text;
	}
	if (sscanf(slash, "/%llu", &size) != 1)
		return false;
	*size_bytes = size;
	return true;
}

void
tp_http_free(struct tp_http_reply *reply)
{
	tp_buf_free(&reply->headers);
	tp_buf_free(&reply->body);
}

bool
tp_http_is_stopped(void)
{
	return atomic_load(&stopped) || tp_ending_is_asked();
}

void
tp_http_stop(void)
{
	const struct tp_curl *curl;

	atomic_store(&stopped, true);
	pthread_mutex_lock(&handles.lock);
	curl = handles.count != 0 ? tp_curl(NULL) : NULL;
	while (handles.count != 0)
		curl->easy_cleanup(handles.free[--handles.count]);
	pthread_mutex_unlock(&handles.lock);
}
