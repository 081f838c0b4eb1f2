/* What a server answers to a call: lines of headers and trailers up to an empty one, then the body. */
#include "base/buf.h"
#include "io/grpc.h"

#include <stdlib.h>

static void
take_headers(struct tp_http_reply *reply, struct tp_slice *text)
{
	while (text->len != 0) {
		const char *end = memchr(text->ptr, '\n', text->len);
		size_t length = end != NULL ? (size_t)(end - text->ptr) + 1 : text->len;

		tp_http_take_header(reply, text->ptr, length);
		*text = tp_slice_from(*text, length);
		if (length == 1)
			return;
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const struct tp_grpc_call call = {.address = "10.0.0.2:8466", .method = "s/M", .fd = -1};
	struct tp_grpc_answer answer = {.reply = {.status = 200, .whole = true}};
	struct tp_slice text = {(const char *)data, size};
	struct tp_err err = {.status = TP_OK};
	uint64_t whole_bytes;

	take_headers(&answer.reply, &text);
	answer.reply.received = text.len;
	memcpy(tp_buf_room(&answer.reply.body, text.len, 1), text.ptr, text.len);
	tp_http_whole_size(&answer.reply, &whole_bytes);
	enum tp_status status = tp_grpc_read(&call, &answer, &err);
	struct tp_slice body = tp_http_body(&answer.reply), message = answer.message;

	/* The message lies within the body; without one there is a sentence, in one line, that begins with the address. */
	if (status == TP_OK &&
		(body.len < 5 || message.len > body.len - 5 || message.ptr != body.ptr + 5))
		abort();
	if (status != TP_OK &&
		(err.status != status || strcmp(err.input, call.address) != 0 || err.text[0] == '\0' ||
			strchr(err.text, '\n') != NULL))
		abort();
	tp_grpc_free(&answer);
	return 0;
}
