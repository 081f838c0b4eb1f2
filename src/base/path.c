/* Parts of a path. */
#include "base/path.h"

#include <string.h>
#include <strings.h>

struct tp_slice
tp_path_folder(struct tp_slice path)
{
	const char *slash = path.len ? memrchr(path.ptr, '/', path.len) : NULL;

	if (slash == NULL)
		return TP_S(".");
	return (struct tp_slice){path.ptr, slash == path.ptr ? 1 : (size_t)(slash - path.ptr)};
}

struct tp_slice
tp_path_name(struct tp_slice path)
{
	while (path.len > 1 && path.ptr[path.len - 1] == '/')
		path.len--;
	const char *slash = path.len ? memrchr(path.ptr, '/', path.len) : NULL;

	return slash == NULL ? path : tp_slice_from(path, (size_t)(slash - path.ptr) + 1);
}

bool
tp_path_has_suffix(struct tp_slice path, const char *suffix)
{
	size_t length = strlen(suffix);

	return path.len > length && strncasecmp(path.ptr + path.len - length, suffix, length) == 0;
}
