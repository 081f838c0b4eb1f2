/* What went wrong: a status, and a message that names the input and the place in it. */
#ifndef TP_BASE_ERR_H
#define TP_BASE_ERR_H

#include <stdint.h>

enum tp_status {
	TP_OK,
	TP_ABSENT,          /* what was asked for is not in the input; no fault of anybody */
	TP_ERR_USAGE,       /* the caller or the command line is wrong */
	TP_ERR_IO,          /* the system refused: no such file, no permission, disk full */
	TP_ERR_FORMAT,      /* the input is damaged or not what it says it is */
	TP_ERR_LIMIT,       /* the input asks for more than we are willing to hold */
	TP_ERR_UNSUPPORTED, /* understood, but nothing here can do it */
};

#define TP_NO_OFFSET UINT64_MAX

struct tp_err {
	enum tp_status status;
	char input[256]; /* file or other source; empty when the message is about none */
	uint64_t offset; /* byte in that input, or TP_NO_OFFSET */
	char text[512];  /* lower case, no full stop */
};

/* Fills err (which may be NULL) and returns status, so that `return tp_fail(…)` works. */
enum tp_status tp_fail(struct tp_err *err, enum tp_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
enum tp_status tp_fail_at(struct tp_err *err, enum tp_status status, const char *input,
	uint64_t offset, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Puts "WHERE: " before the message that err holds; returns its status. */
enum tp_status tp_while(struct tp_err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
