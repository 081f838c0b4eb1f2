/* One call of a gRPC service and its one answer (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md): by HTTP/2 without
 * TLS, as profilers serve it. Blocking; several at a time by several threads. Knows no message. */
#ifndef TP_IO_GRPC_H
#define TP_IO_GRPC_H

#include "base/err.h"
#include "base/slice.h"
#include "io/http.h"

/* The statuses that matter here, by gRPC's numbers. NONE: no answer of a gRPC server came. */
enum tp_grpc_status {
	TP_GRPC_NONE = -1,
	TP_GRPC_OK = 0,
	TP_GRPC_UNKNOWN = 2,
	TP_GRPC_DEADLINE = 4,
	TP_GRPC_ALREADY_EXISTS = 6,
	TP_GRPC_UNIMPLEMENTED = 12,
	TP_GRPC_UNAVAILABLE = 14,
};

struct tp_grpc_call {
	const char *address;     /* "10.0.0.2:8466" */
	const char *method;      /* "tensorflow.ProfilerService/Profile" */
	struct tp_slice message; /* serialised */
	unsigned deadline_ms;    /* until the answer must be whole */
	int fd;                  /* an empty file where it goes; −1: into memory, 64 MiB at most */
};

struct tp_grpc_answer {
	enum tp_grpc_status status; /* may be a number that has no name here */
	char told[240];             /* what the server says to a status other than OK */
	struct tp_slice message;    /* valid until tp_grpc_free */
	struct tp_http_reply reply;
	void *mapped; /* of fd; NULL: none */
	size_t mapped_bytes;
};

/* Sends it and waits. Other than TP_OK where there is no message: err says why in a line that begins with the address. */
enum tp_status tp_grpc_send(
	const struct tp_grpc_call *call, struct tp_grpc_answer *answer, struct tp_err *err);

/* The second half of it: what the reply, which is in the answer, says and holds. */
enum tp_status tp_grpc_read(
	const struct tp_grpc_call *call, struct tp_grpc_answer *answer, struct tp_err *err);

void tp_grpc_free(struct tp_grpc_answer *answer);

#endif
