/* A hidden folder beside its place, which a rename puts there. */
#include "live/run_folder.h"

#include "base/arena.h"
#include "base/ending.h"
#include "io/list.h"
#include "io/sink.h"
#include "io/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct tp_run_folder {
	struct tp_arena *arena;
	pthread_mutex_t lock;    /* of the arena */
	const char *workplace;   /* the folder that is its own; NULL: it is in a log directory */
	unsigned made_count;     /* folders around it that were not there before */
	const char *root, *name; /* plugins/profile, the run's name */
	const char *session;     /* ".tpreport-" and the name */
	const char *path;        /* of it now */
	bool committed;
	int fd;
};

static enum tp_status
refuse(const char *path, int why, struct tp_err *err)
{
	return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "cannot be made: %s", strerror(why));
}

static const char *
print(struct tp_run_folder *f, const char *format, const char *a, const char *b)
{
	return tp_arena_printf(f->arena, format, a, b).ptr;
}

static enum tp_status
make(struct tp_run_folder *f, const char *path, struct tp_err *err)
{
	if (mkdir(path, 0777) == 0)
		f->made_count++;
	else if (errno != EEXIST)
		return refuse(path, errno, err);
	return TP_OK;
}

static enum tp_status
make_workplace(struct tp_run_folder *f, struct tp_err *err)
{
	const char *folder = getenv("TMPDIR");
	char *path = NULL;

	folder = folder != NULL && *folder != '\0' ? folder : "/tmp";
	path = (char *)(uintptr_t)print(f, "%s/tpreport-%s", folder, "XXXXXX");
	if (mkdtemp(path) == NULL)
		return refuse(path, errno, err);
	f->workplace = path;
	tp_ending_removes_also(f->workplace, 0);
	return TP_OK;
}

/* Of when the capture began, by the machine's clock and zone, as JAX and TensorFlow name theirs; another where that is taken. */
static enum tp_status
make_run(struct tp_run_folder *f, struct tp_err *err)
{
	char name[64];
	struct tm when;
	struct stat any;
	time_t now = time(NULL);
	enum { MOST_TRIES = 100 };

	localtime_r(&now, &when);
	size_t length = strftime(name, sizeof name, "%Y_%m_%d_%H_%M_%S", &when);

	for (unsigned i = 1; i < MOST_TRIES; i++) {
		if (i > 1)
			snprintf(name + length, sizeof name - length, "_%u", i);
		f->name = tp_arena_copy(f->arena, tp_slice_of(name)).ptr;
		f->session = print(f, "%s%s", TP_UNDER_WAY, name);
		f->path = print(f, "%s/%s", f->root, f->session);
		if (lstat(print(f, "%s/%s", f->root, f->name), &any) == 0)
			continue;
		if (f->workplace == NULL)
			tp_ending_removes_also(f->path, f->made_count);
		if (mkdir(f->path, 0777) == 0)
			return TP_OK;
		int why = errno;

		if (f->workplace == NULL)
			tp_ending_removes_also(NULL, 0);
		if (why != EEXIST)
			return refuse(f->path, why, err);
	}
	return refuse(f->path, EEXIST, err);
}

static enum tp_status
open_all(struct tp_run_folder *f, const char *logdir, struct tp_err *err)
{
	if (logdir == NULL && make_workplace(f, err) != TP_OK)
		return err->status;
	/* The report is of a job of this name. */
	logdir = logdir != NULL ? logdir : print(f, "%s/%s", f->workplace, "capture");
	if (make(f, logdir, err) != TP_OK)
		return err->status;
	char *real = realpath(logdir, NULL);

	if (real == NULL)
		return refuse(logdir, errno, err);
	f->root = print(f, "%s/%s", real, "plugins/profile");
	const char *plugins = print(f, "%s/%s", real, "plugins");

	free(real);
	if (make(f, plugins, err) != TP_OK || make(f, f->root, err) != TP_OK ||
		make_run(f, err) != TP_OK)
		return err->status;
	f->fd = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return f->fd >= 0 ? TP_OK : refuse(f->path, errno, err);
}

struct tp_run_folder *
tp_run_folder_open(const char *logdir, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_run_folder *f = tp_new(arena, struct tp_run_folder);

	sigset_t all, before;

	f->arena = arena;
	f->fd = -1;
	pthread_mutex_init(&f->lock, NULL);
	/* No signal between a folder and its being known for what is to be removed. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	enum tp_status status = open_all(f, logdir, err);

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (status == TP_OK)
		return f;
	tp_run_folder_close(f);
	return NULL;
}

const char *
tp_run_folder_root(const struct tp_run_folder *f)
{
	return f->root;
}

const char *
tp_run_folder_session(const struct tp_run_folder *f)
{
	return f->session;
}

struct tp_sink *
tp_run_folder_file(struct tp_run_folder *f, const char *name, struct tp_err *err)
{
	pthread_mutex_lock(&f->lock);
	const char *path = print(f, "%s/%s", f->path, name);

	pthread_mutex_unlock(&f->lock);
	return tp_sink_in(f->fd, name, path, err);
}

int
tp_run_folder_spool(struct tp_run_folder *f, struct tp_err *err)
{
	int fd = openat(f->fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : tp_spool_open(UINT64_MAX, err);
}

uint64_t
tp_run_folder_size(const struct tp_run_folder *f, const char *name)
{
	struct stat st;

	return fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode)
		? (uint64_t)st.st_size
		: 0;
}

void
tp_run_folder_clear(struct tp_run_folder *f)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;

	for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;)
		unlinkat(f->fd, entry->d_name, 0);
	if (entries != NULL)
		closedir(entries);
	else if (fd >= 0)
		close(fd);
}

const char *
tp_run_folder_commit(struct tp_run_folder *f, struct tp_err *err)
{
	const char *place = print(f, "%s/%s", f->root, f->name);

	if (renameat2(AT_FDCWD, f->path, AT_FDCWD, place, RENAME_NOREPLACE) != 0 &&
		(errno != EINVAL || rename(f->path, place) != 0)) {
		refuse(place, errno, err);
		return NULL;
	}
	if (f->workplace == NULL)
		tp_ending_removes_also(NULL, 0);
	f->committed = true;
	f->path = place;
	return place;
}

void
tp_run_folder_close(struct tp_run_folder *f)
{
	if (f == NULL)
		return;
	if (f->fd >= 0)
		close(f->fd);
	if (!f->committed || f->workplace != NULL)
		tp_ending_remove_also();
	pthread_mutex_destroy(&f->lock);
	tp_arena_free(f->arena);
}
