/* The first bytes of a file through whatever packs it. */
#include "io/peek.h"

#include "base/arena.h"
#include "io/remote.h"
#include "io/unpack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stored bytes that are enough to unpack the first: a block of zstd holds up to 128 KiB, and needs all of its own. */
enum { STORED_BYTES = 256 << 10 };

static struct tp_slice
start_of(struct tp_arena *arena, const char *path)
{
	struct stat st;
	char *start = tp_arena_alloc(arena, STORED_BYTES);

	if (tp_remote_is(path))
		return (struct tp_slice){start, tp_remote_head(path, start, STORED_BYTES)};
	int fd = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t length = fd < 0 ? 0 : pread(fd, start, STORED_BYTES, 0);

	if (fd >= 0)
		close(fd);
	return (struct tp_slice){start, length > 0 ? (size_t)length : 0};
}

struct tp_slice
tp_peek(struct tp_arena *arena, const char *path)
{
	struct tp_err err;
	struct tp_slice bytes = start_of(arena, path);
	enum tp_packing packing = tp_packing_of(bytes);

	if (packing == TP_PACKING_NONE) {
		bytes.len = bytes.len < TP_PEEK_BYTES ? bytes.len : TP_PEEK_BYTES;
		return bytes;
	}
	struct tp_unpacker *u = tp_unpacker_open(packing, bytes, path, &err);
	char *head = tp_arena_alloc(arena, TP_PEEK_BYTES);
	size_t length = 0;

	if (u != NULL)
		tp_unpacker_read(u, head, TP_PEEK_BYTES, &length, &err);
	tp_unpacker_close(u);
	return (struct tp_slice){head, length};
}

double
tp_peek_ratio(const char *path)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_slice stored = start_of(scratch, path);
	enum tp_packing packing = tp_packing_of(stored);
	struct tp_unpacker *u =
		packing != TP_PACKING_NONE ? tp_unpacker_open(packing, stored, path, NULL) : NULL;
	char *room = tp_arena_alloc(scratch, TP_PEEK_BYTES);
	size_t unpacked = 0, length = TP_PEEK_BYTES;
	struct tp_err err;

	while (u != NULL && length == TP_PEEK_BYTES &&
		tp_unpacker_read(u, room, TP_PEEK_BYTES, &length, &err) == TP_OK)
		unpacked += length;
	tp_unpacker_close(u);
	double ratio = unpacked > stored.len ? (double)unpacked / (double)stored.len : 1;

	tp_arena_free(scratch);
	return ratio;
}
