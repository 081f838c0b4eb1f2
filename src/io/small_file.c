/* Read and written at once. */
#include "io/small_file.h"

#include "base/arena.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 };

/* What is no plain file (a pipe, say) does not tell. */
static size_t
most_bytes(FILE *file)
{
	struct stat st;
	bool tells = fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode) && st.st_size != 0;

	return tells && st.st_size < MOST_BYTES ? (size_t)st.st_size : MOST_BYTES;
}

struct tp_slice
tp_small_file(struct tp_arena *arena, const char *path)
{
	FILE *file = fopen(path, "re");
	size_t most = file != NULL ? most_bytes(file) : 0;
	char *bytes = file != NULL ? tp_arena_alloc(arena, most + 1) : NULL;
	size_t length = file != NULL ? fread(bytes, 1, most, file) : 0;

	if (file != NULL)
		fclose(file);
	return (struct tp_slice){length != 0 ? bytes : "", length};
}

struct tp_slice
tp_small_line(struct tp_arena *arena, const char *path)
{
	struct tp_slice text = tp_small_file(arena, path);
	const char *end = text.len != 0 ? memchr(text.ptr, '\n', text.len) : NULL;

	text.len = end != NULL ? (size_t)(end - text.ptr) : text.len;
	while (text.len != 0 && (unsigned char)text.ptr[text.len - 1] <= ' ')
		text.len--;
	return text;
}

bool
tp_small_file_write(struct tp_arena *arena, const char *path, struct tp_slice text)
{
	char *beside = (char *)tp_arena_printf(arena, "%s.XXXXXX", path).ptr;
	int fd = mkostemp(beside, O_CLOEXEC);

	if (fd < 0)
		return false;
	bool whole = write(fd, text.ptr, text.len) == (ssize_t)text.len && fsync(fd) == 0;

	whole &= close(fd) == 0;
	if (whole && rename(beside, path) == 0)
		return true;
	unlink(beside);
	return false;
}
