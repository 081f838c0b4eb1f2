/* The shell runs it; it ends with us. */
#include "io/command.h"

#include "base/arena.h"
#include "base/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* 'it'\''s' */
static struct tp_slice
quoted(struct tp_arena *arena, const char *word)
{
	struct tp_slice text = TP_S("'");

	for (const char *end; (end = strchr(word, '\'')) != NULL; word = end + 1)
		text = tp_arena_printf(arena, "%.*s%.*s'\\''", TP_ARG(text), (int)(end - word), word);
	return tp_arena_printf(arena, "%.*s%s'", TP_ARG(text), word);
}

static struct tp_slice
line_of(struct tp_arena *arena, const char *command, const char *word)
{
	struct tp_slice line = TP_S(""), with = quoted(arena, word);

	for (const char *at; (at = strstr(command, "{}")) != NULL; command = at + 2)
		line = tp_arena_printf(
			arena, "%.*s%.*s%.*s", TP_ARG(line), (int)(at - command), command, TP_ARG(with));
	return tp_arena_printf(arena, "%.*s%s", TP_ARG(line), command);
}

/* In the child; only what a signal handler may call is called here, for other threads may hold locks. */
static void
become(const char *line, int fd, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	int nothing = open("/dev/null", O_RDONLY);

	dup2(nothing, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

enum tp_status
tp_command_run(const char *command, const char *word, int fd, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	const char *line = line_of(arena, command, word).ptr;
	pid_t parent = getpid(), child = fork();
	int status = 0;

	if (child == 0)
		become(line, fd, parent);
	tp_arena_free(arena);
	if (child < 0)
		return tp_fail_at(
			err, TP_ERR_IO, word, TP_NO_OFFSET, "cannot run --fetch: %s", strerror(errno));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return TP_OK;
	if (WIFSIGNALED(status))
		return tp_fail_at(
			err, TP_ERR_IO, word, TP_NO_OFFSET, "--fetch was ended by signal %d", WTERMSIG(status));
	return tp_fail_at(err, TP_ERR_IO, word, TP_NO_OFFSET,
		"--fetch ended with status %d; what it says stands above", WEXITSTATUS(status));
}
