/* A handler has no other way to know what to do than variables of the whole program. */
#include "base/ending.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const char *_Atomic leftover, *_Atomic said;

static const struct {
	int number;
	bool fault;
} ending[] = {
	{SIGHUP, false},
	{SIGINT, false},
	{SIGQUIT, false},
	{SIGPIPE, false},
	{SIGTERM, false},
	{SIGXCPU, false},
	{SIGXFSZ, false},
	{SIGABRT, true},
	{SIGBUS, true},
	{SIGFPE, true},
	{SIGILL, true},
	{SIGSEGV, true},
	{SIGTRAP, true},
};

enum { COUNT = sizeof ending / sizeof *ending };

static bool
is_fault(int number)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (ending[i].number == number)
			return ending[i].fault;
	}
	return false;
}

static void
end(int number)
{
	const char *text = is_fault(number) ? atomic_load(&said) : NULL;

	tp_ending_remove();
	if (text != NULL) {
		if (write(STDERR_FILENO, text, strlen(text)) < 0)
			_exit(TP_MEMORY_EXIT);
		_exit(TP_MEMORY_EXIT);
	}
	/* SA_RESETHAND: as soon as this returns, the program ends as if it had no handler. */
	raise(number);
}

/* What is ignored (as SIGHUP under nohup) stays ignored. */
static void
watch(void)
{
	for (size_t i = 0; i < COUNT; i++) {
		struct sigaction old, ours = {.sa_handler = end, .sa_flags = SA_RESETHAND};

		if (sigaction(ending[i].number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(ending[i].number, &ours, NULL);
	}
}

void
tp_ending_removes(const char *path)
{
	atomic_store(&leftover, path);
	if (path != NULL)
		watch();
}

/* With the files in it. What the C library has for this takes memory, which a handler must not. */
static void
remove_folder(const char *path)
{
	_Alignas(struct dirent64) char entries[4096];
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ssize_t size;

	while (folder >= 0 && (size = getdents64(folder, entries, sizeof entries)) > 0) {
		for (ssize_t at = 0; at < size;) {
			const struct dirent64 *entry = (const struct dirent64 *)(entries + at);

			unlinkat(folder, entry->d_name, 0); /* refused for . and .. */
			at += entry->d_reclen;
		}
	}
	if (folder >= 0)
		close(folder);
	rmdir(path);
}

/* Named until it is gone: a signal that comes in between removes the rest. */
void
tp_ending_remove(void)
{
	const char *path = atomic_load(&leftover);

	if (path != NULL && unlink(path) != 0 && errno == EISDIR)
		remove_folder(path);
	atomic_store(&leftover, NULL);
}

void
tp_ending_says(const char *text)
{
	atomic_store(&said, text);
	if (text != NULL)
		watch();
}
