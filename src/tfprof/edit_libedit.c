/* Lines with editing, and completion of commands and options. */
#include "tfprof/edit.h"

#include "tfprof/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <editline/readline.h>

enum { LONGEST_BYTES = 1 << 20 };

/* The nth word that may follow: a command at the start of the line, else an option. */
static struct tp_slice
nth_word(unsigned nth, bool first)
{
	if (!first)
		return tp_tfprof_option_name(nth);
	return nth < TP_TFPROF_COMMANDS ? tp_tfprof_command_name(nth) : TP_S("");
}

static char *
next_completion(const char *text, bool first, int again, unsigned *nth)
{
	if (again == 0)
		*nth = 0;
	for (struct tp_slice word; (word = nth_word((*nth)++, first)).len != 0;) {
		if (tp_slice_starts(word, tp_slice_of(text)))
			return strndup(word.ptr, word.len);
	}
	return NULL;
}

/* libedit asks for one after the other, and has no place of ours for where we are. */
static char *
next_command(const char *text, int again)
{
	static _Thread_local unsigned nth;

	return next_completion(text, true, again, &nth);
}

static char *
next_option(const char *text, int again)
{
	static _Thread_local unsigned nth;

	return next_completion(text, false, again, &nth);
}

static char **
complete(const char *text, int start, int end)
{
	(void)end;
	return rl_completion_matches(text, start == 0 ? next_command : next_option);
}

static char *
plain(void)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length = getline(&line, &room, stdin);

	if (length < 0 || length > LONGEST_BYTES) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}

char *
tp_tfprof_edit(const char *prompt, bool terminal)
{
	if (!terminal)
		return plain();
	rl_readline_name = "tpreport";
	rl_attempted_completion_function = complete;
	return readline(prompt);
}

void
tp_tfprof_edit_keep(const char *line, bool terminal)
{
	if (terminal)
		add_history(line);
}
