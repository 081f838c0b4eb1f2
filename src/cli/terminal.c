/* What is asked of a terminal, and text that it cannot obey. */
#include "cli/terminal.h"

#include "base/utf8.h"

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
