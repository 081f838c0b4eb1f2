/* One request to a server and its answer. Blocking; several at a time by several threads. Knows no store and no signature. */
#ifndef TP_IO_HTTP_H
#define TP_IO_HTTP_H

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { TP_HTTP_MOST_HEADERS = 24 };

struct tp_http_request {
	const char *method;                        /* "GET" */
	const char *url;                           /* as it is sent: percent-encoded */
	const char *headers[TP_HTTP_MOST_HEADERS]; /* "Name: value" */
	unsigned header_count;
	struct tp_slice body;      /* of PUT and POST */
	const char *user_password; /* "user:password" of basic authentication; NULL: none */
	const char *ca_file;       /* certificates in place of the system's; NULL: the system's */
	unsigned connect_ms;       /* until it is given up to connect; 0: ten seconds */
	/* Until the answer must be whole, however long nothing comes before; 0: as long as no minute passes without a byte. */
	unsigned whole_ms;
	bool insecure; /* the server's certificate is not looked at */
	bool follow;   /* redirects: only where no header is secret */
	bool direct;   /* by no proxy */
	bool last;     /* it is sent though the program is asked to end (base/ending.h) */
	bool http2;    /* HTTP/2 from the start, also without TLS, as gRPC has it */

	/* The bytes that are wished; last_byte is UINT64_MAX for all from first_byte on. Both 0: no range is asked for. */
	uint64_t first_byte, last_byte;
	/* Where the bytes of status 200 and 206 go, at the place that they have in the object; −1: into the reply. */
	int fd;
	uint64_t
		most_bytes; /* of the body; what is behind them is not waited for; 0: 64 MiB, and of what goes to fd all */
};

struct tp_http_reply {
	unsigned status;       /* 200; 0: none came */
	bool whole;            /* the answer came to its end */
	bool enough;           /* there is more than most_bytes, which are here */
	bool refused;          /* there is nobody to answer: not connected */
	bool late;             /* whole_ms are over */
	bool untrusted;        /* the server's certificate is not in order */
	int fd_error;          /* errno of writing to fd; 0: none */
	uint64_t received;     /* bytes of the body */
	struct tp_buf headers; /* of char: "name: value\n", names in lower case */
	struct tp_buf body;    /* of char */
	char wrong[160];       /* why it is not whole */
};

/* Adds a header, which lives as long as the request. One too many is left out: TP_HTTP_MOST_HEADERS are enough for all that we send. */
void tp_http_add(struct tp_http_request *r, const char *line);

/* Sends it and waits. The reply is filled anew, with its room used again; TP_ERR_UNSUPPORTED where there is no libcurl. Whatever
 * else happens is in the reply. */
enum tp_status tp_http_send(
	const struct tp_http_request *request, struct tp_http_reply *reply, struct tp_err *err);

/* Puts a line of an answer's headers into the reply, as it came; a status line empties it. */
void tp_http_take_header(struct tp_http_reply *reply, const char *line, size_t length);

/* The value of a header by its name in lower case; empty: the reply has none. Valid until the reply is filled anew. */
struct tp_slice tp_http_header(const struct tp_http_reply *reply, const char *name);

struct tp_slice tp_http_body(const struct tp_http_reply *reply);

/* How large the whole is of which the reply is a part or all: by Content-Range or Content-Length. False: it does not say. */
bool tp_http_whole_size(const struct tp_http_reply *reply, uint64_t *size_bytes);

void tp_http_free(struct tp_http_reply *reply);

/* From now on every request ends at once, in all threads: the program ends. */
void tp_http_stop(void);
bool tp_http_is_stopped(void);

/* Counts tries that brought nothing. */
struct tp_retry {
	unsigned tries;
};

/* Whether to send once more, after a pause: where the connection broke or the server says that it is busy (429, 500, 502,
 * 503, 504), some times. progressed: the try brought bytes that none before it had. */
bool tp_retry_again(struct tp_retry *retry, const struct tp_http_reply *reply, bool progressed);

#endif
