/* Sinks: a file appears whole or not at all, and nothing else is left behind. */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/memory.h"
#include "io/sink.h"

struct place {
	char folder[64], path[80];
};

static int
set_up(void **state)
{
	struct place *p = calloc(1, sizeof *p);

	strcpy(p->folder, "/tmp/tp-sink-XXXXXX");
	if (mkdtemp(p->folder) == NULL)
		return -1;
	snprintf(p->path, sizeof p->path, "%s/report", p->folder);
	*state = p;
	return 0;
}

static void
remove_all(const char *folder)
{
	DIR *dir = opendir(folder);
	char path[400];

	for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		if (e->d_name[0] != '.')
			unlink(path);
	}
	closedir(dir);
	rmdir(folder);
}

static int
tear_down(void **state)
{
	struct place *p = *state;

	remove_all(p->folder);
	free(p);
	return 0;
}

static int
files_in(const char *folder)
{
	DIR *dir = opendir(folder);
	int count = 0;

	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count - 2;
}

static struct tp_slice
content(const char *path)
{
	static char buf[256];
	FILE *f = fopen(path, "r");

	if (f == NULL)
		return TP_S("(none)");
	size_t len = fread(buf, 1, sizeof buf, f);

	fclose(f);
	return (struct tp_slice){buf, len};
}

static void
write_file(const char *path, const char *text)
{
	struct tp_sink *s = tp_sink_open(path, NULL);

	assert_non_null(s);
	tp_sink_puts(s, text);
	assert_int_equal(tp_sink_commit(s, NULL), TP_OK);
	tp_sink_close(s);
}

static void
committed_file_is_there_alone(void **state)
{
	struct place *p = *state;
	struct tp_sink *s = tp_sink_open(p->path, NULL);

	tp_sink_puts(s, "a");
	tp_sink_put(s, TP_S("b"));
	tp_sink_printf(s, "%d", 3);
	tp_sink_write(s, "\0", 1);
	assert_int_equal(tp_sink_commit(s, NULL), TP_OK);
	tp_sink_close(s);
	assert_int_equal(content(p->path).len, 4);
	assert_memory_equal(content(p->path).ptr, "ab3\0", 4);
	assert_int_equal(files_in(p->folder), 1);
}

static void
file_appears_only_with_the_commit(void **state)
{
	struct place *p = *state;
	struct tp_sink *s = tp_sink_open(p->path, NULL);

	tp_sink_puts(s, "half");
	assert_text(content(p->path), "(none)");
	tp_sink_commit(s, NULL);
	tp_sink_close(s);
	assert_text(content(p->path), "half");
}

static void
run_without_a_commit_leaves_the_old_file_and_nothing_else(void **state)
{
	struct place *p = *state;

	write_file(p->path, "old");
	struct tp_sink *s = tp_sink_open(p->path, NULL);

	tp_sink_puts(s, "new");
	tp_sink_close(s);
	assert_text(content(p->path), "old");
	assert_int_equal(files_in(p->folder), 1);
}

static void
failed_write_is_reported_by_the_commit(void **state)
{
	struct place *p = *state;
	struct tp_err err;

	/* /dev/full refuses every byte; a sink writes to it in place. */
	if (access("/dev/full", W_OK) != 0)
		skip();
	struct tp_sink *s = tp_sink_open("/dev/full", &err);

	assert_non_null(s);
	tp_sink_puts(s, p->path);
	assert_int_equal(tp_sink_commit(s, &err), TP_ERR_IO);
	assert_string_equal(err.text, "cannot write: No space left on device");
	tp_sink_close(s);
}

static void
folder_that_is_not_there_is_refused(void **state)
{
	struct place *p = *state;
	struct tp_err err;
	char path[120];

	snprintf(path, sizeof path, "%s/no/such/report", p->folder);
	assert_null(tp_sink_open(path, &err));
	assert_int_equal(err.status, TP_ERR_IO);
	assert_string_equal(err.input, path);
}

static void
folder_is_no_file(void **state)
{
	struct place *p = *state;
	struct tp_err err;

	assert_null(tp_sink_open(p->folder, &err));
	assert_int_equal(err.status, TP_ERR_IO);
}

static void
link_stays_a_link(void **state)
{
	struct place *p = *state;
	char other[120];
	struct stat st;

	snprintf(other, sizeof other, "%s/other", p->folder);
	write_file(other, "old");
	assert_int_equal(symlink("other", p->path), 0);
	write_file(p->path, "new");
	assert_text(content(other), "new");
	assert_int_equal(lstat(p->path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void
new_file_has_the_usual_mode(void **state)
{
	struct place *p = *state;
	struct stat st;
	mode_t mask = umask(022);

	write_file(p->path, "x");
	umask(mask);
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

static void
replaced_file_keeps_its_mode(void **state)
{
	struct place *p = *state;
	struct stat st;

	write_file(p->path, "old");
	assert_int_equal(chmod(p->path, 0600), 0);
	write_file(p->path, "new");
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

/* Without /proc a file without a name can have none later, so it has one from the start. */
static bool
hide_proc(void)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("none", "/proc", "tmpfs", 0, NULL) == 0;
}

enum { NOT_ALLOWED = 77 };

enum { OUT_OF_MEMORY = 0 };

/* A process that writes half a file and is ended by the signal, or for lack of memory; what it ended with, as waitpid says. */
static int
interrupted(const char *path, int with_signal, bool without_proc)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		if (without_proc && !hide_proc())
			_exit(NOT_ALLOWED);
		if (with_signal != OUT_OF_MEMORY)
			signal(with_signal, SIG_DFL);
		struct tp_sink *s = tp_sink_open(path, NULL);

		if (s != NULL)
			tp_sink_puts(s, "half");
		if (with_signal == OUT_OF_MEMORY)
			tp_out_of_memory();
		raise(with_signal);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void
interrupted_run_leaves_the_old_file_and_nothing_else(void **state)
{
	static const int signals[] = {
		SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGABRT, SIGBUS, SIGSEGV, OUT_OF_MEMORY};
	struct place *p = *state;

	for (int without_proc = 0; without_proc < 2; without_proc++) {
		for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
			unlink(p->path);
			for (int old = 0; old < 2; old++) {
				int status = interrupted(p->path, signals[i], without_proc);

				if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_ALLOWED)
					skip();
				if (signals[i] == OUT_OF_MEMORY)
					assert_true(WIFEXITED(status) && WEXITSTATUS(status) == TP_MEMORY_EXIT);
				else
					assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
				assert_int_equal(files_in(p->folder), old);
				write_file(p->path, "old");
			}
			assert_text(content(p->path), "old");
		}
	}
}

/* What a library does for lack of memory while it draws. */
static void
fault_of_a_library_is_told(void **state)
{
	static const int signals[] = {SIGABRT, SIGSEGV, SIGTRAP};
	struct place *p = *state;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		int status, fd = open(p->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			dup2(fd, STDERR_FILENO);
			signal(signals[i], SIG_DFL);
			tp_ending_says("the library gave up\n");
			raise(signals[i]);
			_exit(0);
		}
		close(fd);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == TP_MEMORY_EXIT);
		assert_text(content(p->path), "the library gave up\n");
	}
}

static void
file_appears_whole_without_proc_too(void **state)
{
	struct place *p = *state;
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		if (!hide_proc())
			_exit(NOT_ALLOWED);
		for (int i = 0; i < 2; i++) {
			struct tp_sink *s = tp_sink_open(p->path, NULL);

			tp_sink_puts(s, "whole");
			if (files_in(p->folder) != 1 + i || tp_sink_commit(s, NULL) != TP_OK)
				_exit(1);
			tp_sink_close(s);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_ALLOWED)
		skip();
	assert_int_equal(status, 0);
	assert_text(content(p->path), "whole");
	assert_int_equal(files_in(p->folder), 1);
}

static void
dash_is_standard_output_and_stays_open(void **state)
{
	struct place *p = *state;

	fflush(stdout);
	int keep = dup(STDOUT_FILENO);
	int file = open(p->path, O_WRONLY | O_CREAT, 0600);

	dup2(file, STDOUT_FILENO);
	write_file("-", "one ");
	write_file("-", "two");
	dup2(keep, STDOUT_FILENO);
	close(keep);
	close(file);
	assert_text(content(p->path), "one two");
}

static void
memory_gathers_bytes(void **state)
{
	struct tp_sink *s = tp_sink_memory();

	(void)state;
	assert_int_equal(tp_sink_bytes(s).len, 0);
	tp_sink_puts(s, "abc");
	assert_text(tp_sink_bytes(s), "abc");
	tp_sink_puts(s, "def");
	assert_int_equal(tp_sink_commit(s, NULL), TP_OK);
	assert_text(tp_sink_bytes(s), "abcdef");
	tp_sink_close(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(committed_file_is_there_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(file_appears_only_with_the_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			run_without_a_commit_leaves_the_old_file_and_nothing_else, set_up, tear_down),
		cmocka_unit_test_setup_teardown(failed_write_is_reported_by_the_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(folder_that_is_not_there_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(folder_is_no_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(link_stays_a_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(new_file_has_the_usual_mode, set_up, tear_down),
		cmocka_unit_test_setup_teardown(replaced_file_keeps_its_mode, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			interrupted_run_leaves_the_old_file_and_nothing_else, set_up, tear_down),
		cmocka_unit_test_setup_teardown(fault_of_a_library_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(file_appears_whole_without_proc_too, set_up, tear_down),
		cmocka_unit_test_setup_teardown(dash_is_standard_output_and_stays_open, set_up, tear_down),
		cmocka_unit_test(memory_gathers_bytes),
	};

	return RUN(tests);
}
