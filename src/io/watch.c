/* inotify for what this machine writes, the clock for what others do, signalfd for the end. */
#include "io/watch.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A file that somebody holds open but has written nothing to for so long counts as written. */
enum { OPEN_SETTLES = 15, LOOK_MS = 5000, MOST_FOLDERS = 4096 };

enum {
	FILE_EVENTS = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE,
};

struct folder {
	int number; /* of inotify */
	const char *path;
};

struct tp_watch {
	struct tp_arena *arena; /* holds it, and the paths of folders */
	const char *path;
	unsigned settle_ms;
	int events, signals;
	struct tp_buf folders;    /* struct folder */
	struct tp_buf open;       /* uint64_t: files that were written to and not yet closed */
	int64_t last_ms, told_ms; /* of the last event; what it was when the caller was last told */
	bool over;
	sigset_t before;
};

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct folder *
folder_of(const struct tp_watch *w, int number)
{
	struct folder *f = w->folders.data;

	for (size_t i = 0; i < w->folders.count; i++) {
		if (f[i].number == number)
			return &f[i];
	}
	return NULL;
}

/* A folder that cannot be watched is looked at by the clock. */
static void
add_folders(struct tp_watch *w, const char *path, unsigned depth)
{
	enum { MOST_DEPTH = 32 };
	int number = inotify_add_watch(w->events, path, FILE_EVENTS | IN_ONLYDIR);

	if (number < 0 || depth > MOST_DEPTH || w->folders.count >= MOST_FOLDERS)
		return;
	struct folder *known = folder_of(w, number);

	if (known == NULL)
		known = tp_buf_new(&w->folders, struct folder);
	if (known->path == NULL || strcmp(known->path, path) != 0)
		*known = (struct folder){number, tp_arena_copy(w->arena, tp_slice_of(path)).ptr};
	DIR *entries = opendir(path);

	for (const struct dirent *e; entries != NULL && (e = readdir(entries)) != NULL;) {
		char below[PATH_MAX];

		if (e->d_name[0] == '.' ||
			(e->d_type != DT_DIR && e->d_type != DT_UNKNOWN && e->d_type != DT_LNK))
			continue;
		if (snprintf(below, sizeof below, "%s/%s", path, e->d_name) < (int)sizeof below)
			add_folders(w, below, depth + 1);
	}
	if (entries != NULL)
		closedir(entries);
}

static void
mark(struct tp_watch *w, uint64_t file, bool open)
{
	uint64_t *files = w->open.data;
	size_t i = 0;

	while (i < w->open.count && files[i] != file)
		i++;
	if (open && i == w->open.count)
		TP_PUSH(&w->open, uint64_t, file);
	else if (!open && i < w->open.count)
		files[i] = files[--w->open.count];
}

/* Event files grow as long as the job runs. */
static bool
is_passed_over(const char *name)
{
	return name[0] == '.' || strstr(name, ".tfevents.") != NULL;
}

static void
take_event(struct tp_watch *w, const struct inotify_event *e)
{
	char path[PATH_MAX];
	const struct folder *f = folder_of(w, e->wd);

	if ((e->mask & IN_Q_OVERFLOW) != 0) {
		w->open.count = 0;
		w->last_ms = now_ms();
		add_folders(w, w->path, 0);
		return;
	}
	if (e->len == 0 || f == NULL || is_passed_over(e->name))
		return;
	w->last_ms = now_ms();
	if ((e->mask & IN_ISDIR) != 0) {
		if ((e->mask & (IN_CREATE | IN_MOVED_TO)) != 0 &&
			snprintf(path, sizeof path, "%s/%s", f->path, e->name) < (int)sizeof path)
			add_folders(w, path, 0);
		return;
	}
	uint64_t file = tp_hash_pair((uint64_t)e->wd, tp_hash_here(tp_slice_of(e->name)));

	mark(w, file, (e->mask & (IN_MODIFY | IN_CLOSE_WRITE)) == IN_MODIFY);
}

static void
take_events(struct tp_watch *w)
{
	_Alignas(struct inotify_event) char bytes[16384];
	ssize_t size;

	while ((size = read(w->events, bytes, sizeof bytes)) > 0) {
		for (ssize_t at = 0; at < size;) {
			const struct inotify_event *e = (const struct inotify_event *)(bytes + at);

			take_event(w, e);
			at += (ssize_t)(sizeof *e + e->len);
		}
	}
}

/* True: it asks the program to end. */
static bool
take_signals(struct tp_watch *w)
{
	struct signalfd_siginfo what;

	while (read(w->signals, &what, sizeof what) == (ssize_t)sizeof what)
		w->over |= what.ssi_signo != SIGCHLD;
	return w->over;
}

struct tp_watch *
tp_watch_open(const char *path, unsigned settle_ms, struct tp_err *err)
{
	struct stat st;
	sigset_t ours;

	if (stat(path, &st) != 0) {
		tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "%s", strerror(errno));
		return NULL;
	}
	if (!S_ISDIR(st.st_mode)) {
		tp_fail_at(err, TP_ERR_USAGE, path, TP_NO_OFFSET,
			"this is a file, and what is watched is a folder");
		return NULL;
	}
	struct tp_arena *arena = tp_arena_new();
	struct tp_watch *w = tp_new(arena, struct tp_watch);

	w->arena = arena;
	w->path = path;
	w->settle_ms = settle_ms;
	w->last_ms = now_ms();
	w->told_ms = w->last_ms - 1;
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, &w->before);
	w->signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
	w->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (w->events >= 0)
		add_folders(w, path, 0);
	return w;
}

/* How long until it is settled; 0: it is. */
static int64_t
left_ms(const struct tp_watch *w)
{
	int64_t settle = (int64_t)w->settle_ms * (w->open.count != 0 ? OPEN_SETTLES : 1);
	int64_t left = w->last_ms + settle - now_ms();

	return left > 0 ? left : 0;
}

bool
tp_watch_wait(struct tp_watch *w, bool *by_clock)
{
	int64_t begin = now_ms();

	while (!take_signals(w)) {
		take_events(w);
		bool written = w->last_ms != w->told_ms, late = now_ms() - begin >= LOOK_MS;
		int64_t left = left_ms(w);

		if ((written || late) && left == 0) {
			*by_clock = !written;
			w->told_ms = w->last_ms;
			return true;
		}
		int64_t wait_ms = written || late ? left : begin + LOOK_MS - now_ms();
		struct pollfd fds[] = {
			{.fd = w->signals, .events = POLLIN}, {.fd = w->events, .events = POLLIN}};

		poll(fds, 2, wait_ms > 0 ? (int)wait_ms : 1);
	}
	return false;
}

/* A child of a program that is killed must not go on. */
static void
run_apart(const struct tp_watch *w, int (*work)(void *with), void *with)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	close(w->events);
	close(w->signals);
	sigprocmask(SIG_SETMASK, &w->before, NULL);
	int status = work(with);

	fflush(stdout);
	_exit(status);
}

int
tp_watch_apart(struct tp_watch *w, int (*work)(void *with), void *with)
{
	int status = 0;

	fflush(stdout);
	pid_t child = fork();

	if (child < 0)
		return -1;
	if (child == 0)
		run_apart(w, work, with);
	for (bool told = false; waitpid(child, &status, WNOHANG) == 0;) {
		struct pollfd fd = {.fd = w->signals, .events = POLLIN};

		if (take_signals(w) && !told) {
			kill(child, SIGTERM);
			told = true;
		}
		poll(&fd, 1, 100);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool
tp_watch_is_over(const struct tp_watch *w)
{
	return w->over;
}

void
tp_watch_close(struct tp_watch *w)
{
	if (w == NULL)
		return;
	tp_buf_free(&w->folders);
	tp_buf_free(&w->open);
	if (w->events >= 0)
		close(w->events);
	if (w->signals >= 0)
		close(w->signals);
	sigprocmask(SIG_SETMASK, &w->before, NULL);
	tp_arena_free(w->arena);
}
