/* Mapping files, reading pipes, and unpacking both. */
#include "io/blob.h"

#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct tp_blob {
	struct tp_slice bytes;
	bool mapped; /* else malloc'd */
	uint64_t stored_size;
	struct tp_err damage; /* status TP_OK: none */
};

static enum tp_status
read_all(int fd, const char *path, struct tp_slice *out, struct tp_err *err)
{
	char *data = NULL;
	size_t size = 0, capacity = 0;

	for (;;) {
		if (size == capacity) {
			capacity = capacity ? capacity * 2 : 1 << 16;
			char *more = capacity > TP_UNPACK_LIMIT ? NULL : realloc(data, capacity);

			if (more == NULL) {
				free(data);
				return tp_fail_at(
					err, TP_ERR_LIMIT, path, TP_NO_OFFSET, "too large to read into memory");
			}
			data = more;
		}
		ssize_t got = read(fd, data + size, capacity - size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(data);
			return tp_fail_at(err, TP_ERR_IO, path, size, "cannot read: %s", strerror(errno));
		}
		if (got == 0)
			break;
		size += (size_t)got;
	}
	*out = (struct tp_slice){data, size};
	return TP_OK;
}

static enum tp_status
load(struct tp_blob *b, int fd, const char *path, struct tp_err *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "cannot read: %s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "is a directory, not a file");
	if (S_ISREG(st.st_mode) && st.st_size > 0) {
		void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (map != MAP_FAILED) {
			b->bytes = (struct tp_slice){map, (size_t)st.st_size};
			b->mapped = true;
			return TP_OK;
		}
	}
	return read_all(fd, path, &b->bytes, err);
}

static void
drop_bytes(struct tp_blob *b)
{
	if (b->mapped)
		munmap((void *)b->bytes.ptr, b->bytes.len);
	else
		free((void *)b->bytes.ptr);
	b->bytes = (struct tp_slice){NULL, 0};
	b->mapped = false;
}

static void
unpack(struct tp_blob *b, enum tp_packing packing, const char *path)
{
	struct tp_slice unpacked;

	tp_unpack(packing, b->bytes, path, &unpacked, &b->damage);
	drop_bytes(b);
	b->bytes = unpacked;
}

struct tp_blob *
tp_blob_open_packed(const char *path, struct tp_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "cannot open: %s", strerror(errno));
		return NULL;
	}
	struct tp_blob *b = calloc(1, sizeof *b);
	enum tp_status status =
		b == NULL ? tp_fail(err, TP_ERR_LIMIT, "out of memory") : load(b, fd, path, err);

	if (!is_stdin)
		close(fd);
	if (status != TP_OK) {
		free(b);
		return NULL;
	}
	b->stored_size = b->bytes.len;
	return b;
}

struct tp_blob *
tp_blob_open(const char *path, struct tp_err *err)
{
	struct tp_blob *b = tp_blob_open_packed(path, err);
	enum tp_packing packing = b != NULL ? tp_packing_of(b->bytes) : TP_PACKING_NONE;

	if (packing != TP_PACKING_NONE)
		unpack(b, packing, path);
	return b;
}

struct tp_slice
tp_blob_bytes(const struct tp_blob *b)
{
	return b->bytes;
}

uint64_t
tp_blob_stored_size(const struct tp_blob *b)
{
	return b->stored_size;
}

const struct tp_err *
tp_blob_damage(const struct tp_blob *b)
{
	return b->damage.status == TP_OK ? NULL : &b->damage;
}

void
tp_blob_release(const struct tp_blob *b, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (b == NULL || !b->mapped)
		return;
	from -= from % page;
	to = to < b->bytes.len ? to - to % page : b->bytes.len;
	if (from < to)
		madvise((char *)b->bytes.ptr + from, to - from, MADV_DONTNEED);
}

void
tp_blob_close(struct tp_blob *b)
{
	if (b == NULL)
		return;
	drop_bytes(b);
	free(b);
}
