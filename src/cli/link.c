/* The path of a file as another folder sees it. */
#include "cli/link.h"

#include "base/arena.h"
#include "base/path.h"

#include <stdlib.h>

/* Without links and dots; of what is not there as it was given. */
static struct tp_slice
real(struct tp_slice folder, struct tp_arena *arena)
{
	char *path = realpath(tp_arena_copy(arena, folder).ptr, NULL);
	struct tp_slice found = path != NULL ? tp_arena_copy(arena, tp_slice_of(path)) : folder;

	free(path);
	return found;
}

/* How far both paths are the same, folder by folder: "/a/b" of "/a/b/c" and "/a/bc" is "/a". */
static size_t
common(struct tp_slice a, struct tp_slice b)
{
	size_t same = 0;

	for (size_t i = 0; i <= a.len && i <= b.len; i++) {
		bool a_ends = i == a.len || a.ptr[i] == '/', b_ends = i == b.len || b.ptr[i] == '/';

		if (a_ends && b_ends)
			same = i;
		if (i == a.len || i == b.len || a.ptr[i] != b.ptr[i])
			break;
	}
	return same;
}

struct tp_slice
tp_path_from(struct tp_slice folder, struct tp_slice path, struct tp_arena *arena)
{
	struct tp_slice from = real(folder, arena), to = real(tp_path_folder(path), arena);
	struct tp_slice up = TP_S("");

	if (from.ptr[0] != '/' || to.ptr[0] != '/')
		return path;
	from.len -= from.len == 1;
	to.len -= to.len == 1;
	size_t same = common(from, to);

	for (size_t i = same; i < from.len; i++) {
		if (from.ptr[i] == '/')
			up = tp_arena_printf(arena, "%.*s../", TP_ARG(up));
	}
	struct tp_slice down = tp_slice_from(to, same < to.len ? same + 1 : to.len);

	return tp_arena_printf(arena, "%.*s%.*s%s%.*s", TP_ARG(up), TP_ARG(down),
		down.len != 0 ? "/" : "", TP_ARG(tp_path_name(path)));
}

/* What stands for itself in a link. */
static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		(c != '\0' && strchr("-._~/", c) != NULL);
}

struct tp_slice
tp_link_from(struct tp_slice folder, struct tp_slice path, struct tp_arena *arena)
{
	static const char digits[] = "0123456789ABCDEF";

	if (!tp_path_has_suffix(path, ".html") && !tp_path_has_suffix(path, ".htm") &&
		!tp_path_has_suffix(path, ".pdf"))
		return TP_S("");
	struct tp_slice seen = tp_path_from(folder, path, arena);
	char *link = tp_arena_alloc(arena, 3 * seen.len), *at = link;

	for (size_t i = 0; i < seen.len; i++) {
		unsigned char c = (unsigned char)seen.ptr[i];

		if (is_plain(seen.ptr[i])) {
			*at++ = seen.ptr[i];
			continue;
		}
		*at++ = '%';
		*at++ = digits[c >> 4];
		*at++ = digits[c & 15];
	}
	return (struct tp_slice){link, (size_t)(at - link)};
}
