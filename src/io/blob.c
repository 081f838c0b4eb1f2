/* Reading files and pipes, at once or in pieces, and unpacking them. */
#include "io/blob.h"

#include "base/map.h"
#include "base/pages.h"
#include "base/pool.h"
#include "io/remote.h"
#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct tp_blob {
	char *path;
	struct tp_slice bytes; /* malloc'd */
	int fd;                /* of a file in pieces, until it is done; else −1 */
	bool in_pieces;
	bool is_packed; /* as stored, and not small */
	bool regular;   /* a file with a size */
	bool is_head;   /* the rest was not unpacked */
	uint64_t stored_size;
	struct timespec changed; /* when the file was last written to, as it was opened */
	pthread_mutex_t lock;    /* over damage while pieces are read */
	struct tp_err damage;    /* status TP_OK: none */
};

static enum tp_status
no_memory(const char *path, uint64_t size, struct tp_err *err)
{
	return tp_fail_at(err, TP_ERR_LIMIT, path, TP_NO_OFFSET,
		"too large to read into memory (%llu MiB); see --memory-limit",
		(unsigned long long)(size >> 20));
}

/* Of whatever says no size: a pipe, a terminal. */
static enum tp_status
read_to_end(struct tp_blob *b, int fd, struct tp_err *err)
{
	char *data = NULL;
	size_t size = 0, capacity = 0;

	for (;;) {
		if (size == capacity) {
			capacity = capacity ? capacity * 2 : 1 << 16;
			char *more = realloc(data, capacity);

			if (more == NULL) {
				free(data);
				return no_memory(b->path, capacity, err);
			}
			data = more;
		}
		ssize_t got = read(fd, data + size, capacity - size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(data);
			return tp_fail_at(err, TP_ERR_IO, b->path, size, "cannot read: %s", strerror(errno));
		}
		if (got == 0)
			break;
		size += (size_t)got;
	}
	/* Of thousands of empty files each would keep its room. */
	char *fit = realloc(data, size + 1);

	b->bytes = (struct tp_slice){fit != NULL ? fit : data, size};
	b->stored_size = size;
	return TP_OK;
}

/* Only the first damage is told. got: what reading at that place gave, ≤ 0. */
static void
note_damage(struct tp_blob *b, uint64_t at, ssize_t got)
{
	int reason = errno;

	pthread_mutex_lock(&b->lock);
	if (b->damage.status == TP_OK && got < 0)
		tp_fail_at(&b->damage, TP_ERR_IO, b->path, at, "cannot read: %s", strerror(reason));
	else if (b->damage.status == TP_OK)
		tp_fail_at(&b->damage, TP_ERR_FORMAT, b->path, at,
			"the file shrank while it was read: %llu of %llu bytes are left",
			(unsigned long long)at, (unsigned long long)b->stored_size);
	pthread_mutex_unlock(&b->lock);
}

/* What tp_blob_read does to a file. */
static size_t
read_piece(struct tp_blob *b, int fd, uint64_t at, char *to, size_t room)
{
	size_t size = 0;

	if (at >= b->stored_size)
		return 0;
	if (room > b->stored_size - at)
		room = (size_t)(b->stored_size - at);
	while (size < room) {
		ssize_t got = pread(fd, to + size, room - size, (off_t)(at + size));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			note_damage(b, at + size, got);
			break;
		}
		size += (size_t)got;
	}
	return size;
}

/* A large file in pieces, side by side: the system takes as long to give memory as to copy the bytes into it. */
struct piecewise {
	struct tp_blob *b;
	int fd;
	char *to;
	size_t size;
	size_t *got; /* of each piece */
};

enum { BESIDE_BYTES = 16 << 20 };

static void
read_one(void *with, size_t index)
{
	const struct piecewise *w = with;
	size_t at = index * BESIDE_BYTES, left = w->size - at;

	w->got[index] =
		read_piece(w->b, w->fd, at, w->to + at, left < BESIDE_BYTES ? left : BESIDE_BYTES);
}

/* How many bytes there are without a gap. */
static size_t
read_pieces(struct tp_blob *b, int fd, char *to, size_t size, struct tp_pool *pool)
{
	size_t pieces = (size + BESIDE_BYTES - 1) / BESIDE_BYTES, all = 0;
	size_t *got = calloc(pieces, sizeof *got);
	struct piecewise w = {b, fd, to, size, got};

	if (got == NULL || pieces < 2 || tp_pool_threads(pool) == 1) {
		free(got);
		return read_piece(b, fd, 0, to, size);
	}
	tp_pool_each(pool, pieces, read_one, &w);
	for (size_t i = 0; i < pieces && all == i * BESIDE_BYTES; i++)
		all += got[i];
	free(got);
	return all;
}

static enum tp_status
read_start(struct tp_blob *b, int fd, uint64_t size, struct tp_pool *pool, struct tp_err *err)
{
	char *data = malloc(size);

	if (data == NULL)
		return no_memory(b->path, size, err);
	tp_pages_prefer(data, size);
	b->bytes = (struct tp_slice){data, read_pieces(b, fd, data, size, pool)};
	return TP_OK;
}

static enum tp_status
load(struct tp_blob *b, int fd, struct tp_blob_wish wish, struct tp_err *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return tp_fail_at(
			err, TP_ERR_IO, b->path, TP_NO_OFFSET, "cannot read: %s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return tp_fail_at(err, TP_ERR_IO, b->path, TP_NO_OFFSET, "is a directory, not a file");
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return read_to_end(b, fd, err);
	b->regular = true;
	b->stored_size = (uint64_t)st.st_size;
	b->changed = st.st_mtim;
	if (wish.most_bytes != 0 && b->stored_size > wish.most_bytes)
		return tp_fail_at(err, TP_ERR_LIMIT, b->path, TP_NO_OFFSET,
			"larger than the limit of %llu MiB for its kind",
			(unsigned long long)(wish.most_bytes >> 20));
	if (wish.form == TP_BLOB_WHOLE || b->stored_size <= TP_BLOB_HEAD_BYTES)
		return read_start(b, fd, b->stored_size, wish.pool, err);
	if (read_start(b, fd, TP_BLOB_HEAD_BYTES, NULL, err) != TP_OK)
		return err->status;
	b->in_pieces = tp_packing_of(b->bytes) == TP_PACKING_NONE;
	if (b->in_pieces)
		return TP_OK;
	free((void *)b->bytes.ptr);
	b->bytes = (struct tp_slice){NULL, 0};
	b->is_packed = wish.form == TP_BLOB_STORED;
	return read_start(b, fd, b->stored_size, wish.pool, err);
}

/* The first bytes in memory of their own; NULL when nothing can be unpacked. */
static struct tp_slice
unpack_head(struct tp_blob *b, enum tp_packing packing)
{
	enum { ENOUGH_BYTES = 4096 };
	struct tp_err err;
	struct tp_unpacker *u = tp_unpacker_open(packing, b->bytes, b->path, &err);
	char *head = malloc(ENOUGH_BYTES);
	size_t size = 0;

	if (u != NULL && head != NULL)
		tp_unpacker_read(u, head, ENOUGH_BYTES, &size, &err);
	tp_unpacker_close(u);
	return (struct tp_slice){head, size};
}

static void
unpack(struct tp_blob *b, enum tp_packing packing, struct tp_blob_wish wish)
{
	struct tp_slice unpacked = {NULL, 0};
	struct tp_err err = {.status = TP_OK};

	if (wish.begins != NULL)
		unpacked = unpack_head(b, packing);
	b->is_head = unpacked.len != 0 && !wish.begins(unpacked);
	if (!b->is_head) {
		free((void *)unpacked.ptr);
		tp_unpack(packing, b->bytes, b->path, wish.most_bytes, wish.pool, &unpacked, &err);
	}
	if (b->damage.status == TP_OK)
		b->damage = err;
	free((void *)b->bytes.ptr);
	b->bytes = unpacked;
}

/* Whether the file is another than it was: one that only grew is not, for jobs write on while they run. */
static void
look_for_change(struct tp_blob *b, int fd)
{
	struct stat st;

	if (!b->regular || b->damage.status != TP_OK || fstat(fd, &st) != 0)
		return;
	uint64_t size = (uint64_t)st.st_size;

	if (size < b->stored_size)
		tp_fail_at(&b->damage, TP_ERR_FORMAT, b->path, size,
			"the file shrank while it was read: %llu of %llu bytes are left",
			(unsigned long long)size, (unsigned long long)b->stored_size);
	else if (size == b->stored_size &&
		(st.st_mtim.tv_sec != b->changed.tv_sec || st.st_mtim.tv_nsec != b->changed.tv_nsec))
		tp_fail_at(&b->damage, TP_ERR_FORMAT, b->path, TP_NO_OFFSET,
			"the file was written to while it was read: its parts may be inconsistent");
}

static struct tp_blob *
new_blob(const char *path)
{
	struct tp_blob *b = calloc(1, sizeof *b);
	char *copy = strdup(path);

	if (b == NULL || copy == NULL) {
		free(copy);
		free(b);
		return NULL;
	}
	b->path = copy;
	b->fd = -1;
	pthread_mutex_init(&b->lock, NULL);
	return b;
}

/* −1 and err when it cannot be opened. */
static int
open_path(const char *path, struct tp_err *err)
{
	if (tp_remote_is(path))
		return tp_remote_open(path, err);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "cannot open: %s", strerror(errno));
	return fd;
}

struct tp_blob *
tp_blob_open_as(const char *path, struct tp_blob_wish wish, struct tp_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open_path(path, err);

	if (fd < 0)
		return NULL;
	struct tp_blob *b = new_blob(path);
	/* Standard input may be a file, of which others have read the beginning. */
	enum tp_status status = b == NULL ? tp_fail(err, TP_ERR_LIMIT, "out of memory")
		: is_stdin                    ? read_to_end(b, fd, err)
									  : load(b, fd, wish, err);

	if (b != NULL && b->in_pieces && status == TP_OK) {
		b->fd = fd;
		return b;
	}
	if (status == TP_OK)
		look_for_change(b, fd);
	if (!is_stdin)
		close(fd);
	if (status != TP_OK) {
		tp_blob_close(b);
		return NULL;
	}
	enum tp_packing packing = tp_packing_of(b->bytes);

	if (packing != TP_PACKING_NONE && wish.form != TP_BLOB_STORED)
		unpack(b, packing, wish);
	return b;
}

struct tp_blob *
tp_blob_open(const char *path, struct tp_err *err)
{
	return tp_blob_open_as(path, (struct tp_blob_wish){.form = TP_BLOB_WHOLE}, err);
}

struct tp_slice
tp_blob_bytes(const struct tp_blob *b)
{
	return b->bytes;
}

bool
tp_blob_in_pieces(const struct tp_blob *b)
{
	return b->in_pieces;
}

bool
tp_blob_is_head(const struct tp_blob *b)
{
	return b->is_head;
}

uint64_t
tp_blob_size(const struct tp_blob *b)
{
	return b->in_pieces ? b->stored_size : b->bytes.len;
}

uint64_t
tp_blob_stored_size(const struct tp_blob *b)
{
	return b->stored_size;
}

size_t
tp_blob_read(struct tp_blob *b, uint64_t at, void *to, size_t room)
{
	if (b->fd >= 0)
		return read_piece(b, b->fd, at, to, room);
	struct tp_slice left = at < b->bytes.len ? tp_slice_from(b->bytes, (size_t)at) : TP_S("");

	if (room > left.len)
		room = left.len;
	if (room != 0)
		memcpy(to, left.ptr, room);
	return room;
}

/* From now on it is as a file in pieces is: whoever wants all of it reads it anew. */
static void
keep_head(struct tp_blob *b)
{
	char *head = b->bytes.len > TP_BLOB_HEAD_BYTES
		? realloc((void *)b->bytes.ptr, TP_BLOB_HEAD_BYTES)
		: NULL;

	if (head == NULL)
		return;
	b->bytes = (struct tp_slice){head, TP_BLOB_HEAD_BYTES};
	b->in_pieces = true;
}

void
tp_blob_done(struct tp_blob *b)
{
	if (b->is_packed && !b->in_pieces)
		keep_head(b);
	if (b->fd < 0)
		return;
	look_for_change(b, b->fd);
	close(b->fd);
	b->fd = -1;
}

enum { PIECE_BYTES = 1 << 16 };

/* To be read from its beginning, whatever its reader does with it; NULL where the file cannot be opened again or is another
 * by now. Given back with close_again. */
static struct tp_blob *
open_again(struct tp_blob *b)
{
	if (!b->in_pieces)
		return b;
	struct tp_blob *again =
		tp_blob_open_as(b->path, (struct tp_blob_wish){.form = TP_BLOB_STORED}, NULL);

	if (again != NULL && again->stored_size == b->stored_size)
		return again;
	tp_blob_close(again);
	return NULL;
}

static void
close_again(struct tp_blob *again, const struct tp_blob *b)
{
	if (again != b)
		tp_blob_close(again);
}

uint64_t
tp_blob_print(struct tp_blob *b)
{
	struct tp_blob *again = open_again(b);
	uint64_t size = again != NULL ? tp_blob_size(b) : 0, print = size;

	for (uint64_t at = 0; at < size; at += PIECE_BYTES) {
		char piece[PIECE_BYTES];
		size_t length = tp_blob_read(again, at, piece, sizeof piece);

		print = tp_hash_pair(print, tp_hash_here((struct tp_slice){piece, length}));
	}
	close_again(again, b);
	return print;
}

bool
tp_blob_same(struct tp_blob *a, struct tp_blob *b)
{
	struct tp_blob *of_a = open_again(a), *of_b = open_again(b);
	bool same = of_a != NULL && of_b != NULL && tp_blob_size(a) == tp_blob_size(b);

	for (uint64_t at = 0; same && at < tp_blob_size(a); at += PIECE_BYTES) {
		char piece_a[PIECE_BYTES], piece_b[PIECE_BYTES];
		size_t size = tp_blob_read(of_a, at, piece_a, sizeof piece_a);

		same = size != 0 && tp_blob_read(of_b, at, piece_b, sizeof piece_b) == size &&
			memcmp(piece_a, piece_b, size) == 0;
	}
	close_again(of_a, a);
	close_again(of_b, b);
	return same;
}

const struct tp_err *
tp_blob_damage(const struct tp_blob *b)
{
	return b->damage.status == TP_OK ? NULL : &b->damage;
}

void
tp_blob_close(struct tp_blob *b)
{
	if (b == NULL)
		return;
	tp_blob_done(b);
	pthread_mutex_destroy(&b->lock);
	free((void *)b->bytes.ptr);
	free(b->path);
	free(b);
}
