/* Asked some times, where somebody is there at all. */
#include "io/service.h"

#include "base/arena.h"
#include "io/http.h"
#include "io/json_texts.h"

#include <stdlib.h>
#include <time.h>

struct tp_slice
tp_service_answer(struct tp_arena *arena, struct tp_http_request *request, unsigned *status)
{
	struct tp_http_reply reply = {0};
	struct tp_retry retry = {0};
	struct tp_slice body = {"", 0};

	request->fd = -1;
	request->most_bytes = 1 << 20;
	do {
		if (tp_http_send(request, &reply, NULL) != TP_OK)
			break;
	} while (!reply.refused && tp_retry_again(&retry, &reply, false));
	*status = reply.whole ? reply.status : 0;
	if (reply.whole)
		body = tp_arena_copy(arena, tp_http_body(&reply));
	tp_http_free(&reply);
	return body;
}

struct tp_slice
tp_service_ask(struct tp_arena *arena, struct tp_http_request *request)
{
	unsigned status;
	struct tp_slice body = tp_service_answer(arena, request, &status);

	return status == 200 ? body : (struct tp_slice){"", 0};
}

struct tp_token
tp_service_token(struct tp_arena *arena, struct tp_http_request *request, const char *source)
{
	struct tp_json_text fields[] = {{"access_token", {"", 0}}, {"expires_in", {"", 0}}};

	tp_json_texts(arena, tp_service_ask(arena, request), fields, 2);
	long seconds = fields[1].value.len != 0 ? strtol(fields[1].value.ptr, NULL, 10) : 0;

	return (struct tp_token){.text = fields[0].value,
		.expires_unix_s = seconds > 0 ? (int64_t)time(NULL) + seconds : 0,
		.source = source};
}
