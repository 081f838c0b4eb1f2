/* The shell runs it; it ends with us. */
#include "io/command.h"

#include "base/arena.h"
#include "base/slice.h"
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct tp_slice
tp_command_quoted(struct tp_arena *arena, const char *word)
{
	struct tp_slice text = TP_S("'");

	for (const char *end; (end = strchr(word, '\'')) != NULL; word = end + 1)
		text = tp_arena_printf(arena, "%.*s%.*s'\\''", TP_ARG(text), (int)(end - word), word);
	return tp_arena_printf(arena, "%.*s%s'", TP_ARG(text), word);
}

static struct tp_slice
line_of(struct tp_arena *arena, const char *command, const char *word)
{
	struct tp_slice line = TP_S(""), with = tp_command_quoted(arena, word);

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

/* False, and errno: it cannot be run. */
static bool
run(const char *line, int fd, int *status)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		become(line, fd, parent);
	if (child < 0)
		return false;
	while (waitpid(child, status, 0) < 0 && errno == EINTR)
		;
	return true;
}

enum tp_status
tp_command_run(const char *command, const char *word, int fd, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	int status = 0;
	bool ran = run(line_of(arena, command, word).ptr, fd, &status);

	tp_arena_free(arena);
	if (!ran)
		return tp_fail_at(
			err, TP_ERR_IO, word, TP_NO_OFFSET, "cannot run --fetch: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return TP_OK;
	if (WIFSIGNALED(status))
		return tp_fail_at(
			err, TP_ERR_IO, word, TP_NO_OFFSET, "--fetch was ended by signal %d", WTERMSIG(status));
	return tp_fail_at(err, TP_ERR_IO, word, TP_NO_OFFSET,
		"--fetch ended with status %d; what it says stands above", WEXITSTATUS(status));
}

struct tp_slice
tp_command_output(struct tp_arena *arena, const char *command)
{
	enum { MOST_BYTES = 1 << 20 };
	int fd = tp_spool_open(MOST_BYTES, NULL), status = 0;
	struct tp_slice text = {"", 0};
	struct stat st;

	if (fd < 0)
		return text;
	if (run(command, fd, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
		fstat(fd, &st) == 0 && st.st_size <= MOST_BYTES) {
		char *bytes = tp_arena_alloc(arena, (size_t)st.st_size + 1);
		ssize_t got = pread(fd, bytes, (size_t)st.st_size, 0);

		text = (struct tp_slice){bytes, got > 0 ? (size_t)got : 0};
	}
	close(fd);
	return text;
}
