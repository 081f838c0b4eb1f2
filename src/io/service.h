/* Services that give keys and tokens to programs. */
#ifndef TP_IO_SERVICE_H
#define TP_IO_SERVICE_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_http_request;

/* Services of the machine are near, or not there: whoever is not in such a machine waits for nobody. */
enum { TP_SERVICE_CONNECT_MS = 1000 };

/* The body of an answer, good or not, in arena, and its status; 0: none came. */
struct tp_slice tp_service_answer(
	struct tp_arena *arena, struct tp_http_request *request, unsigned *status);

/* The body of a good answer; empty: there was none. */
struct tp_slice tp_service_ask(struct tp_arena *arena, struct tp_http_request *request);

/* What stands for the user in a request: "Authorization: Bearer …". */
struct tp_token {
	struct tp_slice text;   /* empty: there is none */
	int64_t expires_unix_s; /* 0: it lasts, or that is not known */
	const char *source;     /* for messages */
};

/* Whether keys or a token have to be looked for anew: within a minute. 0: they last. */
static inline bool
tp_expires_soon(int64_t expires_unix_s, int64_t now_unix_s)
{
	return expires_unix_s != 0 && expires_unix_s < now_unix_s + 60;
}

/* A token from an answer as OAuth has it: access_token, expires_in. */
struct tp_token tp_service_token(
	struct tp_arena *arena, struct tp_http_request *request, const char *source);

#endif
