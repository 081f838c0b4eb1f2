/* Lines as they come. */
#include "tfprof/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No command is longer; what is, is none. */
enum { LONGEST_BYTES = 1 << 20 };

char *
tp_tfprof_edit(const char *prompt, bool terminal)
{
	char *line = NULL;
	size_t room = 0;

	if (terminal) {
		fputs(prompt, stdout);
		fflush(stdout);
	}
	ssize_t length = getline(&line, &room, stdin);

	if (length < 0 || length > LONGEST_BYTES) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}

void
tp_tfprof_edit_keep(const char *line, bool terminal)
{
	(void)line;
	(void)terminal;
}
