/* Filling and extending error messages. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

static enum tp_status
fill(struct tp_err *err, enum tp_status status, const char *input, uint64_t offset,
	const char *format, va_list args)
{
	if (err == NULL)
		return status;
	err->status = status;
	err->offset = offset;
	snprintf(err->input, sizeof err->input, "%s", input);
	vsnprintf(err->text, sizeof err->text, format, args);
	return status;
}

enum tp_status
tp_fail(struct tp_err *err, enum tp_status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, status, "", TP_NO_OFFSET, format, args);
	va_end(args);
	return status;
}

enum tp_status
tp_fail_at(struct tp_err *err, enum tp_status status, const char *input, uint64_t offset,
	const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, status, input, offset, format, args);
	va_end(args);
	return status;
}

enum tp_status
tp_while(struct tp_err *err, const char *format, ...)
{
	char where[128];
	char text[sizeof err->text];
	va_list args;

	if (err == NULL)
		return TP_ERR_FORMAT;
	va_start(args, format);
	vsnprintf(where, sizeof where, format, args);
	va_end(args);
	snprintf(text, sizeof text, "%s: %.380s", where, err->text);
	snprintf(err->text, sizeof err->text, "%s", text);
	return err->status;
}
