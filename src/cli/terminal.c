/* What is asked of a terminal, and what is said on it, with nothing in it that it would obey. */
#include "cli/terminal.h"

#include "base/diag.h"
#include "base/err.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

unsigned
tp_terminal_columns(int fd)
{
	struct winsize size;

	return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool
tp_terminal_colour(int fd)
{
	const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");

	return isatty(fd) && (none == NULL || *none == '\0') && kind != NULL &&
		strcmp(kind, "dumb") != 0;
}

void
tp_put_safe(FILE *out, struct tp_slice text, const char *sign)
{
	size_t length;

	for (; text.len != 0; text = tp_slice_from(text, length)) {
		if (tp_utf8_shown(tp_utf8_next(text, &length)))
			fwrite(text.ptr, 1, length, out);
		else
			fputs(sign, out);
	}
}

void
tp_say_safe(struct tp_slice text)
{
	tp_put_safe(stderr, text, "?");
}

static void
say(const char *level, struct tp_slice input, uint64_t offset, struct tp_slice text, uint64_t count)
{
	fprintf(stderr, "tpreport: %s", level);
	if (input.len != 0) {
		tp_say_safe(input);
		fputs(": ", stderr);
	}
	if (offset != TP_NO_OFFSET)
		fprintf(stderr, "at byte %llu: ", (unsigned long long)offset);
	tp_say_safe(text);
	if (count > 1)
		fprintf(stderr, " (%llu times)", (unsigned long long)count);
	fputc('\n', stderr);
}

void
tp_tell(const char *format, ...)
{
	char text[5000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	tp_say_safe(tp_slice_of(text));
	fputc('\n', stderr);
}

void
tp_say(const char *format, ...)
{
	char text[5000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	say("", TP_S(""), TP_NO_OFFSET, tp_slice_of(text), 1);
}

void
tp_say_err(const struct tp_err *err)
{
	say("", tp_slice_of(err->input), err->offset, tp_slice_of(err->text), 1);
}

void
tp_say_diag(const struct tp_diag *diag)
{
	say(diag->level == TP_DIAG_NOTE ? "note: " : "warning: ", diag->input, diag->offset, diag->text,
		diag->count);
}
