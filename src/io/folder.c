/* Folders that take their place by a rename, as files do, or are sent to a store. */
#include "io/folder.h"

#include "base/arena.h"
#include "base/ending.h"
#include "base/map.h"
#include "io/folder_list.h"
#include "io/folder_remote.h"
#include "io/remote.h"
#include "io/sink.h"
#include "io/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct tp_folder {
	struct tp_arena *arena;
	const char *name, *target; /* for messages; where it shall be, links followed */
	const char *temporary;     /* what is written; NULL: it is in its place, or never was made */
	int fd;                    /* of it; -1: none */
	struct tp_sink *list;      /* of its files: a line each */
	bool remote; /* name is an address, and target a place of this machine that is never taken */
	struct tp_strings old; /* of an address: what was there */
};

static enum tp_status
refuse(const struct tp_folder *f, int why, struct tp_err *err)
{
	return tp_fail_at(err, TP_ERR_IO, f->name, TP_NO_OFFSET, "cannot write: %s", strerror(why));
}

/* Whether all in an open folder is in its list. */
static enum tp_status
check_entries(const struct tp_folder *f, DIR *entries, struct tp_err *err)
{
	struct tp_strings names;
	enum tp_status status = TP_OK;

	tp_strings_init(&names, f->arena);
	for (const char *const *own = (const char *const[]){".", "..", TP_FOLDER_LIST, NULL};
		 *own != NULL; own++)
		tp_intern(&names, tp_slice_of(*own));
	tp_folder_list_read(
		openat(dirfd(entries), TP_FOLDER_LIST, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), &names);
	uint32_t count = names.count;

	for (const struct dirent *entry; status == TP_OK && (entry = readdir(entries)) != NULL;) {
		tp_intern_copy(&names, tp_slice_of(entry->d_name));
		if (names.count != count)
			status = tp_fail_at(err, TP_ERR_IO, f->name, TP_NO_OFFSET,
				"holds %s, which tpreport did not write: give a new folder, or move that away",
				entry->d_name);
	}
	return status;
}

/* Whether what is at the target may be replaced. */
static enum tp_status
check_old(const struct tp_folder *f, struct tp_err *err)
{
	DIR *entries = opendir(f->target);

	if (entries == NULL && errno == ENOENT)
		return TP_OK;
	if (entries == NULL && errno == ENOTDIR)
		return tp_fail_at(err, TP_ERR_IO, f->name, TP_NO_OFFSET,
			"cannot write: this is a file, and tables are a folder of files");
	if (entries == NULL)
		return refuse(f, errno, err);
	enum tp_status status = check_entries(f, entries, err);

	closedir(entries);
	return status;
}

/* A path beside the target that nothing has. */
static const char *
path_beside(const struct tp_folder *f)
{
	uint32_t chance = 0;
	struct stat any;
	const char *path;

	do {
		if (getrandom(&chance, sizeof chance, 0) < 0)
			chance += (uint32_t)getpid();
		path = tp_arena_printf(f->arena, "%s.%08x", f->target, chance).ptr;
	} while (lstat(path, &any) == 0);
	return path;
}

static enum tp_status
make_beside(struct tp_folder *f, struct tp_err *err)
{
	struct stat old;
	mode_t mode = stat(f->target, &old) == 0 ? (old.st_mode & 0777) | S_IRWXU : 0;

	f->temporary = path_beside(f);
	tp_ending_removes(f->temporary);
	if (mkdir(f->temporary, 0777) != 0 || (mode != 0 && chmod(f->temporary, mode) != 0))
		return refuse(f, errno, err);
	f->fd = open(f->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return f->fd >= 0 ? TP_OK : refuse(f, errno, err);
}

static enum tp_status
start_list(struct tp_folder *f, struct tp_err *err)
{
	f->list = tp_sink_in(f->fd, TP_FOLDER_LIST, f->name, err);
	if (f->list == NULL)
		return err->status;
	tp_sink_puts(f->list, tp_folder_list_head);
	return TP_OK;
}

struct tp_folder *
tp_folder_open(const char *path, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_folder *f = tp_new(arena, struct tp_folder);
	char *real = realpath(path, NULL);

	f->arena = arena;
	f->fd = -1;
	f->name = tp_arena_copy(arena, tp_slice_of(path)).ptr;
	f->remote = tp_remote_is(path);
	if (f->remote)
		f->target = tp_arena_printf(arena, "%s/tpreport", tp_spool_folder()).ptr;
	else
		f->target = tp_arena_copy(arena, tp_slice_of(real != NULL ? real : path)).ptr;
	free(real);
	if (f->remote)
		tp_strings_init(&f->old, arena);
	enum tp_status status =
		f->remote ? tp_folder_remote_check(arena, path, &f->old, err) : check_old(f, err);

	if (status == TP_OK && make_beside(f, err) == TP_OK && start_list(f, err) == TP_OK)
		return f;
	tp_folder_close(f);
	return NULL;
}

struct tp_sink *
tp_folder_file(struct tp_folder *f, const char *name, struct tp_err *err)
{
	tp_sink_printf(f->list, "%s\n", name);
	return tp_sink_in(f->fd, name, tp_arena_printf(f->arena, "%s/%s", f->name, name).ptr, err);
}

/* The bytes of a file in the folder; free them. errno says why there are none. */
static char *
read_file(const struct tp_folder *f, const char *name, size_t *size)
{
	int fd = openat(f->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat stat;
	char *bytes = NULL;
	ssize_t got = 0;

	if (fd >= 0 && fstat(fd, &stat) == 0 && (bytes = malloc((size_t)stat.st_size + 1)) != NULL) {
		for (*size = 0; *size < (size_t)stat.st_size; *size += (size_t)got) {
			got = read(fd, bytes + *size, (size_t)stat.st_size - *size);
			if (got <= 0)
				break;
		}
	}
	if (fd >= 0)
		close(fd);
	if (got < 0) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

enum tp_status
tp_folder_each(struct tp_folder *f,
	void (*see)(void *with, const char *name, struct tp_slice bytes), void *with,
	struct tp_err *err)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
	enum tp_status status = entries != NULL ? TP_OK : refuse(f, errno, err);

	for (const struct dirent *entry; status == TP_OK && (entry = readdir(entries)) != NULL;) {
		size_t size;

		if (*entry->d_name == '.')
			continue;
		char *bytes = read_file(f, entry->d_name, &size);

		if (bytes == NULL)
			status = refuse(f, errno, err);
		else
			see(with, tp_arena_printf(f->arena, "%s/%s", f->name, entry->d_name).ptr,
				(struct tp_slice){bytes, size});
		free(bytes);
	}
	if (entries != NULL)
		closedir(entries);
	else if (fd >= 0)
		close(fd);
	return status;
}

/* A folder with files cannot be replaced by a rename: it makes room, and comes back when the new one cannot take its place. No signal
 * that asks the program to end comes between. errno of what failed, or 0. */
static int
exchange(struct tp_folder *f)
{
	const char *aside = path_beside(f);
	sigset_t all, before;
	int why = 0;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (rename(f->target, aside) != 0) {
		why = errno;
	} else if (rename(f->temporary, f->target) != 0) {
		why = errno;
		rename(aside, f->target);
	} else {
		tp_ending_removes(aside);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (why == 0)
		tp_ending_remove();
	return why;
}

enum tp_status
tp_folder_commit(struct tp_folder *f, struct tp_err *err)
{
	int why = 0;

	if (tp_sink_commit(f->list, err) != TP_OK)
		return err->status;
	if (f->remote)
		return tp_folder_remote_put(f->fd, f->name, &f->old, err);
	if (rename(f->temporary, f->target) != 0)
		why = errno == ENOTEMPTY || errno == EEXIST ? exchange(f) : errno;
	if (why != 0)
		return refuse(f, why, err);
	tp_ending_removes(NULL);
	f->temporary = NULL;
	return TP_OK;
}

void
tp_folder_close(struct tp_folder *f)
{
	if (f == NULL)
		return;
	tp_sink_close(f->list);
	if (f->fd >= 0)
		close(f->fd);
	if (f->temporary != NULL)
		tp_ending_remove();
	tp_arena_free(f->arena);
}
