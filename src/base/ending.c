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

static const char *_Atomic leftover, *_Atomic workplace, *_Atomic said;
static atomic_uint workplace_parents;
static atomic_uint held;
static atomic_int asked; /* the signal; 0: none */

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

static void end(int number);

/* SA_RESETHAND: as soon as the handler returns, or at the next signal, the program ends as if it had none. */
static void
handle(int number)
{
	sigaction(number, &(struct sigaction){.sa_handler = end, .sa_flags = SA_RESETHAND}, NULL);
}

static void
end(int number)
{
	const char *text = is_fault(number) ? atomic_load(&said) : NULL;
	int why = errno; /* of what the signal came upon */

	if (!is_fault(number) && atomic_load(&held) != 0 && atomic_exchange(&asked, number) == 0) {
		handle(number);
		return;
	}
	tp_ending_remove_all();
	if (text != NULL) {
		if (write(STDERR_FILENO, text, strlen(text)) < 0)
			_exit(TP_MEMORY_EXIT);
		_exit(TP_MEMORY_EXIT);
	}
	raise(number);
	errno = why;
}

/* What is ignored (as SIGHUP under nohup) stays ignored. */
static void
watch(void)
{
	for (size_t i = 0; i < COUNT; i++) {
		struct sigaction old;

		if (sigaction(ending[i].number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			handle(ending[i].number);
	}
}

void
tp_ending_removes(const char *path)
{
	atomic_store(&leftover, path);
	if (path != NULL)
		watch();
}

void
tp_ending_removes_also(const char *path, unsigned parents)
{
	atomic_store(&workplace_parents, path != NULL ? parents : 0);
	atomic_store(&workplace, path);
	if (path != NULL)
		watch();
}

enum { MOST_DEPTH = 6 };

/* With all in it. What the C library has for this takes memory, which a handler must not. */
static void
remove_folder(int at, const char *path, unsigned depth)
{
	_Alignas(struct dirent64) char entries[4096];
	int folder = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t size;

	while (folder >= 0 && (size = getdents64(folder, entries, sizeof entries)) > 0) {
		for (ssize_t place = 0; place < size;) {
			const struct dirent64 *entry = (const struct dirent64 *)(entries + place);
			const char *name = entry->d_name;
			bool itself =
				name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));

			if (!itself && unlinkat(folder, name, 0) != 0 && errno == EISDIR && depth < MOST_DEPTH)
				remove_folder(folder, name, depth + 1);
			place += entry->d_reclen;
		}
	}
	if (folder >= 0)
		close(folder);
	unlinkat(at, path, AT_REMOVEDIR);
}

/* The folders around it that nobody else has put something into. */
static void
remove_parents(const char *path, unsigned count)
{
	char parent[4096];
	size_t length = strlen(path);

	if (length >= sizeof parent)
		return;
	memcpy(parent, path, length + 1);
	for (; count != 0; count--) {
		char *slash = strrchr(parent, '/');

		if (slash == NULL)
			return;
		*slash = '\0';
		rmdir(parent);
	}
}

/* Named until it is gone: a signal that comes in between removes the rest. */
static void
remove_named(const char *_Atomic *named)
{
	const char *path = atomic_load(named);

	if (path != NULL && unlink(path) != 0 && errno == EISDIR)
		remove_folder(AT_FDCWD, path, 0);
	atomic_store(named, NULL);
}

void
tp_ending_remove(void)
{
	remove_named(&leftover);
}

void
tp_ending_remove_also(void)
{
	const char *path = atomic_load(&workplace);

	remove_named(&workplace);
	if (path != NULL)
		remove_parents(path, atomic_exchange(&workplace_parents, 0));
}

void
tp_ending_remove_all(void)
{
	tp_ending_remove();
	tp_ending_remove_also();
}

void
tp_ending_says(const char *text)
{
	atomic_store(&said, text);
	if (text != NULL)
		watch();
}

void
tp_ending_hold(void)
{
	atomic_fetch_add(&held, 1);
	watch();
}

bool
tp_ending_is_asked(void)
{
	return atomic_load(&asked) != 0;
}

void
tp_ending_release(void)
{
	if (atomic_fetch_sub(&held, 1) == 1 && atomic_load(&asked) != 0)
		raise(atomic_load(&asked));
}
