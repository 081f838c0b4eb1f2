/* Sinks over stdio: a file that is renamed when it is whole, a stream, or memory. */
#include "io/sink.h"

#include "base/arena.h"
#include "base/ending.h"
#include "base/memory.h"
#include "base/path.h"
#include "io/remote.h"
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct tp_sink {
	struct tp_arena *arena; /* holds the sink itself and its paths */
	FILE *stream;           /* NULL after the commit of a file */
	const char *target;     /* file to replace; NULL: the stream is all there is */
	const char *temporary;  /* name of what is written beside it; NULL: it has none yet */
	const char *name;       /* for messages */
	void (*put)(void *to, const void *data, size_t size); /* of tp_sink_through */
	void *to;
	bool in_memory; /* or through a function of the program: only memory for it can fail */
	bool remote;    /* the target is an address; the stream is a place without a name */
	char *memory;   /* of open_memstream */
	size_t memory_size;
	size_t written;
	int error; /* errno of the first failure */
};

static struct tp_sink *
new_sink(const char *name)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_sink *s = tp_new(arena, struct tp_sink);

	s->arena = arena;
	s->name = tp_arena_copy(arena, tp_slice_of(name)).ptr;
	return s;
}

static struct tp_sink *
refuse(struct tp_sink *s, struct tp_err *err)
{
	int why = errno;

	tp_fail_at(err, TP_ERR_IO, s->name, TP_NO_OFFSET, "cannot write: %s", strerror(why));
	tp_sink_close(s);
	return NULL;
}

/* Standard output keeps its descriptor for whoever writes next. */
static void
open_stdout(struct tp_sink *s)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	s->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (s->stream == NULL && fd >= 0) {
		close(fd);
		errno = EBADF; /* open, but not for writing */
	}
}

/* How the kernel shows an open file: the way to give a name to one without. */
static const char *
path_of_descriptor(struct tp_sink *s, int fd)
{
	return tp_arena_printf(s->arena, "/proc/self/fd/%d", fd).ptr;
}

/* A file without a name vanishes with the program, whatever ends it. -1 where the file system has none (NFS, say), or no
 * /proc would give it a name later. */
static int
open_unnamed(struct tp_sink *s)
{
	const char *folder = tp_arena_copy(s->arena, tp_path_folder(tp_slice_of(s->target))).ptr;
	int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);

	if (fd >= 0 && access(path_of_descriptor(s, fd), F_OK) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Gives the file without a name one beside the target, or makes a new file there where `unnamed` is < 0. Returns what
 * linkat or open returned. Only a file with a name can replace another (linkat cannot), and a name is what a signal leaves
 * behind. */
static int
name_beside(struct tp_sink *s, int unnamed)
{
	int result = -1, most_tries = 100;

	errno = EEXIST;
	while (result < 0 && errno == EEXIST && most_tries-- > 0) {
		uint32_t chance = 0;

		if (getrandom(&chance, sizeof chance, 0) < 0)
			chance = (uint32_t)getpid() + (uint32_t)most_tries;
		s->temporary = tp_arena_printf(s->arena, "%s.%08x", s->target, chance).ptr;
		tp_ending_removes(s->temporary);
		result = unnamed < 0 ? open(s->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666)
							 : linkat(AT_FDCWD, path_of_descriptor(s, unnamed), AT_FDCWD,
								   s->temporary, AT_SYMLINK_FOLLOW);
	}
	if (result < 0) {
		tp_ending_removes(NULL);
		s->temporary = NULL;
	}
	return result;
}

/* A link is followed, so that it stays one and what it leads to is replaced. */
static void
open_beside(struct tp_sink *s, const char *path, const struct stat *old)
{
	char *real = old ? realpath(path, NULL) : NULL;

	s->target = tp_arena_copy(s->arena, tp_slice_of(real ? real : path)).ptr;
	free(real);
	int fd = open_unnamed(s);

	if (fd < 0)
		fd = name_beside(s, -1);
	if (fd < 0)
		return;
	if (old == NULL || fchmod(fd, old->st_mode & 0777) == 0)
		s->stream = fdopen(fd, "w");
	if (s->stream == NULL)
		close(fd);
}

static struct tp_sink *
open_remote(struct tp_sink *s, struct tp_err *err)
{
	int fd = tp_spool_open(UINT64_MAX, err);

	s->remote = true;
	s->stream = fd >= 0 ? fdopen(fd, "w+") : NULL;
	if (s->stream != NULL)
		return s;
	if (fd >= 0)
		close(fd);
	tp_sink_close(s);
	return NULL;
}

/* Sends what is written. */
static enum tp_status
send(struct tp_sink *s, struct tp_err *err)
{
	struct stat st;
	size_t size = fstat(fileno(s->stream), &st) == 0 ? (size_t)st.st_size : 0;
	void *bytes = size != 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fileno(s->stream), 0) : NULL;

	if (bytes == MAP_FAILED)
		return tp_fail_at(
			err, TP_ERR_IO, s->name, TP_NO_OFFSET, "cannot write: %s", strerror(errno));
	enum tp_status status = tp_remote_write(s->name, (struct tp_slice){bytes, size}, err);

	if (size != 0)
		munmap(bytes, size);
	return status;
}

struct tp_sink *
tp_sink_open(const char *path, struct tp_err *err)
{
	struct tp_sink *s = new_sink(path);
	struct stat old;

	if (tp_remote_is(path))
		return open_remote(s, err);
	bool exists = stat(path, &old) == 0;

	if (strcmp(path, "-") == 0) {
		s->name = "standard output";
		open_stdout(s);
	} else if (exists && S_ISDIR(old.st_mode)) {
		errno = EISDIR;
	} else if (exists && !S_ISREG(old.st_mode)) {
		s->stream = fopen(path, "we"); /* /dev/null, a pipe: nothing to replace */
	} else {
		open_beside(s, path, exists ? &old : NULL);
	}
	return s->stream ? s : refuse(s, err);
}

struct tp_sink *
tp_sink_in(int folder, const char *name, const char *path, struct tp_err *err)
{
	struct tp_sink *s = new_sink(path);
	int fd = openat(folder, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);

	s->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (s->stream == NULL && fd >= 0)
		close(fd);
	return s->stream ? s : refuse(s, err);
}

struct tp_sink *
tp_sink_memory(void)
{
	struct tp_sink *s = new_sink("memory");

	s->in_memory = true;
	s->stream = open_memstream(&s->memory, &s->memory_size);
	if (s->stream == NULL)
		tp_out_of_memory();
	return s;
}

struct tp_slice
tp_sink_bytes(const struct tp_sink *s)
{
	if (s->stream != NULL && fflush(s->stream) != 0)
		tp_out_of_memory();
	return (struct tp_slice){s->memory, s->memory_size};
}

static ssize_t
put_through(void *sink, const char *data, size_t size)
{
	struct tp_sink *s = sink;

	s->put(s->to, data, size);
	return (ssize_t)size;
}

struct tp_sink *
tp_sink_through(void (*put)(void *to, const void *data, size_t size), void *to)
{
	struct tp_sink *s = new_sink("memory");

	s->in_memory = true;
	s->put = put;
	s->to = to;
	s->stream = fopencookie(s, "w", (cookie_io_functions_t){.write = put_through});
	if (s->stream == NULL)
		tp_out_of_memory();
	return s;
}

static void
keep_error(struct tp_sink *s)
{
	if (s->in_memory)
		tp_out_of_memory();
	if (s->error == 0)
		s->error = errno ? errno : EIO;
}

void
tp_sink_write(struct tp_sink *s, const void *data, size_t size)
{
	s->written += size;
	/* A sink is one thread's. */
	if (size != 0 && fwrite_unlocked(data, 1, size, s->stream) != size)
		keep_error(s);
}

void
tp_sink_put(struct tp_sink *s, struct tp_slice text)
{
	tp_sink_write(s, text.ptr, text.len);
}

void
tp_sink_puts(struct tp_sink *s, const char *text)
{
	tp_sink_write(s, text, strlen(text));
}

void
tp_sink_printf(struct tp_sink *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int size = vfprintf(s->stream, format, args);

	va_end(args);
	if (size < 0)
		keep_error(s);
	else
		s->written += (size_t)size;
}

size_t
tp_sink_written(const struct tp_sink *s)
{
	return s->written;
}

/* Puts what is written in the place of the target. */
static void
replace(struct tp_sink *s)
{
	if (s->error == 0 && s->temporary == NULL && name_beside(s, fileno(s->stream)) < 0)
		keep_error(s);
	if (fclose(s->stream) != 0)
		keep_error(s);
	s->stream = NULL;
	if (s->error == 0 && rename(s->temporary, s->target) != 0)
		keep_error(s);
	if (s->error == 0) {
		tp_ending_removes(NULL);
		s->temporary = NULL;
	}
}

enum tp_status
tp_sink_commit(struct tp_sink *s, struct tp_err *err)
{
	if (fflush(s->stream) != 0)
		keep_error(s);
	if (s->target != NULL)
		replace(s);
	if (s->error == 0)
		return s->remote ? send(s, err) : TP_OK;
	return tp_fail_at(
		err, TP_ERR_IO, s->name, TP_NO_OFFSET, "cannot write: %s", strerror(s->error));
}

void
tp_sink_close(struct tp_sink *s)
{
	if (s == NULL)
		return;
	if (s->stream != NULL)
		fclose(s->stream);
	if (s->temporary != NULL) {
		unlink(s->temporary);
		tp_ending_removes(NULL);
	}
	free(s->memory);
	tp_arena_free(s->arena);
}
