/* gRPC over the HTTP layer: five bytes before the message, the status in the trailers. */
#include "io/grpc.h"

#include "base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A flag that says whether the message is compressed, and its length, the highest byte first. */
enum { PREFIX_BYTES = 5 };

/* More for the answer than the server has, so that it is the server that says what came too late. */
enum { GRACE_MS = 5000 };

static const char *
name_of(int status)
{
	static const char *const names[] = {"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT",
		"DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
		"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
		"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"};

	return status >= 0 && (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0'
		: c >= 'a' && c <= 'f'  ? c - 'a' + 10
		: c >= 'A' && c <= 'F'  ? c - 'A' + 10
								: -1;
}

/* grpc-message: UTF-8, percent-encoded. Line ends become blanks: it is shown in a line. */
static void
decode(struct tp_slice text, char *out, size_t room)
{
	size_t length = 0;

	for (size_t i = 0; i < text.len && length + 1 < room; i++) {
		char c = text.ptr[i];

		if (c == '%' && i + 2 < text.len && hex_digit(text.ptr[i + 1]) >= 0 &&
			hex_digit(text.ptr[i + 2]) >= 0) {
			c = (char)(hex_digit(text.ptr[i + 1]) << 4 | hex_digit(text.ptr[i + 2]));
			i += 2;
		}
		out[length++] = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
	}
	out[length] = '\0';
}

/* In trailers, or where there is no message in the headers. */
static void
read_status(struct tp_grpc_answer *a)
{
	struct tp_slice status = tp_http_header(&a->reply, "grpc-status");
	char text[8];
	int number;

	a->status = TP_GRPC_NONE;
	snprintf(text, sizeof text, "%.*s", TP_ARG(status));
	if (sscanf(text, "%d", &number) == 1 && number >= 0)
		a->status = (enum tp_grpc_status)number;
	decode(tp_http_header(&a->reply, "grpc-message"), a->told, sizeof a->told);
}

/* curl 7.88 loses trailers behind which the connection is closed, as by a program that ends; errors come in headers, without a message.
 * Whether that is whole is seen by its length. */
static bool
is_message(const struct tp_http_reply *r)
{
	return r->whole && r->status == 200 && r->received >= PREFIX_BYTES &&
		tp_slice_starts(tp_http_header(r, "content-type"), TP_S("application/grpc"));
}

static enum tp_status
no_answer(const struct tp_grpc_call *call, const struct tp_http_reply *r, struct tp_err *err)
{
	if (r->fd_error != 0)
		return tp_fail_at(err, TP_ERR_IO, call->address, TP_NO_OFFSET,
			"the answer cannot be written: %s", strerror(r->fd_error));
	if (r->refused)
		return tp_fail_at(err, TP_ERR_IO, call->address, TP_NO_OFFSET,
			"no connection (%s): is the program running, and has it started its profiler at this port",
			r->wrong);
	if (r->late)
		return tp_fail_at(err, TP_ERR_IO, call->address, TP_NO_OFFSET,
			"no complete answer within %.3g s", (double)call->deadline_ms / 1000);
	if (r->status == 0)
		return tp_fail_at(err, TP_ERR_IO, call->address, TP_NO_OFFSET,
			"this port does not speak gRPC (%s)", r->wrong);
	if (!r->whole)
		return tp_fail_at(
			err, TP_ERR_IO, call->address, TP_NO_OFFSET, "the answer broke off: %s", r->wrong);
	return tp_fail_at(err, TP_ERR_IO, call->address, TP_NO_OFFSET,
		"this port does not speak gRPC (HTTP status %u)", r->status);
}

static enum tp_status
refused(const struct tp_grpc_call *call, const struct tp_grpc_answer *a, struct tp_err *err)
{
	const char *between = *a->told != '\0' ? ": " : "";

	if (a->status == TP_GRPC_DEADLINE)
		return tp_fail_at(err, TP_ERR_IO, call->address, TP_NO_OFFSET,
			"no answer within %.3g s%s%s", (double)call->deadline_ms / 1000, between, a->told);
	if (a->status == TP_GRPC_UNIMPLEMENTED)
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, call->address, TP_NO_OFFSET,
			"this server has no %s%s%s", call->method, between, a->told);
	return tp_fail_at(err, TP_ERR_IO, call->address, TP_NO_OFFSET, "gRPC status %d, %s%s%s",
		(int)a->status, name_of((int)a->status), between, a->told);
}

/* The answer as bytes in memory; those of a file are mapped: nobody else has it. */
static enum tp_status
take_bytes(const struct tp_grpc_call *call, struct tp_grpc_answer *a, struct tp_slice *bytes,
	struct tp_err *err)
{
	*bytes = tp_http_body(&a->reply);
	if (call->fd < 0 || a->reply.received == 0)
		return TP_OK;
	a->mapped_bytes = (size_t)a->reply.received;
	a->mapped = mmap(NULL, a->mapped_bytes, PROT_READ, MAP_PRIVATE, call->fd, 0);
	if (a->mapped == MAP_FAILED) {
		a->mapped = NULL;
		return tp_fail_at(err, TP_ERR_LIMIT, call->address, TP_NO_OFFSET,
			"the answer cannot be read: %s", strerror(errno));
	}
	*bytes = (struct tp_slice){a->mapped, a->mapped_bytes};
	return TP_OK;
}

static enum tp_status
unpack(const struct tp_grpc_call *call, struct tp_grpc_answer *a, struct tp_err *err)
{
	struct tp_slice bytes;
	uint64_t length = 0;

	if (take_bytes(call, a, &bytes, err) != TP_OK)
		return err->status;
	for (size_t i = 1; i < PREFIX_BYTES && i < bytes.len; i++)
		length = length << 8 | (unsigned char)bytes.ptr[i];
	if (bytes.len < PREFIX_BYTES || bytes.len - PREFIX_BYTES < length)
		return tp_fail_at(err, TP_ERR_FORMAT, call->address, TP_NO_OFFSET,
			"the answer is cut: %zu bytes of %llu", bytes.len,
			(unsigned long long)(PREFIX_BYTES + length));
	if (bytes.ptr[0] != 0)
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, call->address, TP_NO_OFFSET,
			"the answer is compressed, which was not asked for");
	a->message = (struct tp_slice){bytes.ptr + PREFIX_BYTES, (size_t)length};
	return TP_OK;
}

static void
put_prefix(unsigned char *at, size_t length)
{
	at[0] = 0;
	for (size_t i = 1; i < PREFIX_BYTES; i++)
		at[i] = (unsigned char)(length >> 8 * (PREFIX_BYTES - 1 - i));
}

enum tp_status
tp_grpc_read(const struct tp_grpc_call *call, struct tp_grpc_answer *answer, struct tp_err *err)
{
	if (answer->reply.whole)
		read_status(answer);
	if (answer->status == TP_GRPC_NONE && is_message(&answer->reply))
		answer->status = TP_GRPC_OK;
	if (answer->status == TP_GRPC_NONE)
		return no_answer(call, &answer->reply, err);
	return answer->status == TP_GRPC_OK ? unpack(call, answer, err) : refused(call, answer, err);
}

enum tp_status
tp_grpc_send(const struct tp_grpc_call *call, struct tp_grpc_answer *answer, struct tp_err *err)
{
	char url[512], timeout[48];
	struct tp_buf body = {0};
	struct tp_http_request r = {
		.method = "POST",
		.url = url,
		.http2 = true,
		.direct = true,
		.whole_ms = call->deadline_ms + GRACE_MS,
		.fd = call->fd,
	};

	*answer = (struct tp_grpc_answer){.status = TP_GRPC_NONE};
	snprintf(url, sizeof url, "http://%s/%s", call->address, call->method);
	snprintf(timeout, sizeof timeout, "grpc-timeout: %um", call->deadline_ms);
	tp_http_add(&r, "content-type: application/grpc");
	tp_http_add(&r, "te: trailers");
	tp_http_add(&r, timeout);
	/* Without it curl would name a type that gRPC does not know. */
	tp_http_add(&r, "Accept:");
	char *bytes = tp_buf_room(&body, PREFIX_BYTES + call->message.len, 1);

	put_prefix((unsigned char *)bytes, call->message.len);
	if (call->message.len != 0)
		memcpy(bytes + PREFIX_BYTES, call->message.ptr, call->message.len);
	r.body = (struct tp_slice){bytes, PREFIX_BYTES + call->message.len};
	enum tp_status status = tp_http_send(&r, &answer->reply, err);

	tp_buf_free(&body);
	return status == TP_OK ? tp_grpc_read(call, answer, err) : status;
}

void
tp_grpc_free(struct tp_grpc_answer *answer)
{
	if (answer->mapped != NULL)
		munmap(answer->mapped, answer->mapped_bytes);
	tp_http_free(&answer->reply);
	*answer = (struct tp_grpc_answer){.status = TP_GRPC_NONE};
}
