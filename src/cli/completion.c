/* `tpreport completion SHELL`: the script by which a shell completes the command line, and finds the man pages of a program that was
 * installed where `man` does not look, as pip does. */
#include "base/asset.h"
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/options.h"
#include "cli/terminal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An empty part of MANPATH stands for where `man` looks without it. */
#define ADD_AS_POSIX                                                                               \
	"case :${MANPATH-}: in\n"                                                                      \
	"*:\"$_tpreport_man\":*) ;;\n"                                                                 \
	"*) export MANPATH=\"${MANPATH-}:$_tpreport_man\" ;;\n"                                        \
	"esac\n"                                                                                       \
	"unset _tpreport_man\n"

static const struct shell {
	const char *name, *script;
	const char *man_of,
		*man_add; /* before and behind the folder of man pages: keep it, add it to MANPATH unless it is there */
} shells[] = {
	{"bash", "completions/tpreport.bash", "_tpreport_man=", ADD_AS_POSIX},
	{"zsh", "completions/_tpreport", "_tpreport_man=", ADD_AS_POSIX},
	{"fish", "completions/tpreport.fish", "set -l tpreport_man ",
		"set -q MANPATH; or set -gx MANPATH ''\ncontains -- $tpreport_man $MANPATH; or set -gxa MANPATH $tpreport_man\n"},
	{0},
};

void
tp_complete_shells(struct tp_slice prefix)
{
	for (const struct shell *s = shells; s->name != NULL; s++)
		tp_complete_offer(prefix, tp_slice_of(s->name), TP_S(""));
}

/* The folder of man pages beside the program's own, as cmake --install lays them out; false: there is none. */
static bool
man_folder(char folder[static PATH_MAX])
{
	static const char PAGE[] = "/man1/tpreport.1";
	char program[PATH_MAX], page[PATH_MAX + sizeof PAGE];

	if (realpath("/proc/self/exe", program) == NULL)
		return false;
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(program, '/');

		if (slash == NULL)
			return false;
		*slash = '\0';
	}
	/* MANPATH has no way to write a colon. */
	if (snprintf(folder, PATH_MAX, "%s/share/man", program) >= PATH_MAX ||
		strchr(folder, ':') != NULL)
		return false;
	snprintf(page, sizeof page, "%s%s", folder, PAGE);
	return access(page, R_OK) == 0;
}

/* As one word of each of these shells. */
static void
put_quoted(const char *text)
{
	putchar('\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			printf("'\\%c'", *text);
		else
			putchar(*text);
	}
	puts("'");
}

int
tp_command_completion(const struct tp_args *args)
{
	const char *const *words = tp_args_strings(&args->paths);
	char man[PATH_MAX];

	if (args->paths.count != 1) {
		tp_say("completion takes one shell: tpreport completion bash, zsh or fish");
		return TP_EXIT_USAGE;
	}
	for (const struct shell *s = shells; s->name != NULL; s++) {
		if (strcmp(s->name, words[0]) != 0)
			continue;
		const struct tp_asset *script = tp_asset_find(s->script);

		fwrite(script->data, 1, script->size, stdout);
		if (man_folder(man)) {
			printf("\n# The man pages of this program.\n%s", s->man_of);
			put_quoted(man);
			fputs(s->man_add, stdout);
		}
		return TP_EXIT_OK;
	}
	tp_say("no completions for %s; there are some for bash, zsh and fish", words[0]);
	return TP_EXIT_USAGE;
}
