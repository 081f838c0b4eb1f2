/* Lines with editing, and completion of commands and options. */
#include "tfprof/edit.h"

#include "tfprof/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <editline/readline.h>

enum { LONGEST_BYTES = 1 << 20 };

/* What the line before the word asks for: a command at its start, values behind an option that has a list of them, else options. */
struct wanted {
	bool command;
	struct tp_slice option; /* whose values; empty: none */
	struct tp_slice before; /* of several, those that stand there: "micros,bytes," */
};

/* The last word of a text; the text is cut in front of it. */
static struct tp_slice
last_word(struct tp_slice *text)
{
	while (text->len != 0 && text->ptr[text->len - 1] == ' ')
		text->len--;
	const char *blank = text->len != 0 ? memrchr(text->ptr, ' ', text->len) : NULL;
	size_t start = blank != NULL ? (size_t)(blank + 1 - text->ptr) : 0;
	struct tp_slice word = tp_slice_from(*text, start);

	text->len = start;
	return word;
}

/* line: up to the word that is completed, which begins behind a blank or a comma. */
static struct wanted
what_is_wanted(struct tp_slice line)
{
	struct wanted w = {.command = line.len == 0};
	bool several;

	if (line.len != 0 && line.ptr[line.len - 1] == ',')
		w.before = last_word(&line);
	struct tp_slice option = last_word(&line);

	if (tp_tfprof_option_value(option, 0, &several).len != 0 && (w.before.len == 0 || several))
		w.option = option;
	return w;
}

static bool
stands_there(struct tp_slice before, struct tp_slice word)
{
	while (before.len != 0) {
		const char *comma = memchr(before.ptr, ',', before.len);
		size_t length = comma != NULL ? (size_t)(comma - before.ptr) : before.len;

		if (tp_slice_eq(word, (struct tp_slice){before.ptr, length}))
			return true;
		before = tp_slice_from(before, length + 1);
	}
	return false;
}

/* Empty: there are not so many. */
static struct tp_slice
nth_word(const struct wanted *w, unsigned nth)
{
	bool several;

	if (w->option.len != 0)
		return tp_tfprof_option_value(w->option, nth, &several);
	if (!w->command)
		return tp_tfprof_option_name(nth);
	return nth < TP_TFPROF_COMMANDS ? tp_tfprof_command_name(nth) : TP_S("");
}

/* libedit asks for one after the other, and has no place of ours for where we are. */
static _Thread_local struct wanted wanted;

static char *
next_completion(const char *text, int again)
{
	static _Thread_local unsigned nth;

	if (again == 0)
		nth = 0;
	for (struct tp_slice word; (word = nth_word(&wanted, nth++)).len != 0;) {
		if (tp_slice_starts(word, tp_slice_of(text)) && !stands_there(wanted.before, word))
			return strndup(word.ptr, word.len);
	}
	return NULL;
}

static char **
complete(const char *text, int start, int end)
{
	(void)end;
	wanted = what_is_wanted((struct tp_slice){rl_line_buffer, (size_t)start});
	return rl_completion_matches(text, next_completion);
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
	static char breaks[] = " ,";

	if (!terminal)
		return plain();
	rl_readline_name = "tpreport";
	rl_attempted_completion_function = complete;
	rl_basic_word_break_characters = breaks; /* which libedit goes by */
	return readline(prompt);
}

void
tp_tfprof_edit_keep(const char *line, bool terminal)
{
	if (terminal)
		add_history(line);
}
