/* Read at once. */
#include "io/small_file.h"

#include "base/arena.h"

#include <stdio.h>

enum { MOST_BYTES = 1 << 20 };

struct tp_slice
tp_small_file(struct tp_arena *arena, const char *path)
{
	FILE *file = fopen(path, "re");
	char *bytes = file != NULL ? tp_arena_alloc(arena, MOST_BYTES) : NULL;
	size_t length = file != NULL ? fread(bytes, 1, MOST_BYTES, file) : 0;

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
