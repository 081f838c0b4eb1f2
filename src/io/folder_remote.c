/* Stores have objects, not folders: what makes some of them one is the list, which comes last. */
#include "io/folder_remote.h"

#include "base/arena.h"
#include "base/ending.h"
#include "base/map.h"
#include "io/folder_list.h"
#include "io/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
path_in(struct tp_arena *arena, const char *path, struct tp_slice name)
{
	return tp_arena_printf(arena, "%s/%.*s", path, TP_ARG(name)).ptr;
}

enum tp_status
tp_folder_remote_check(
	struct tp_arena *arena, const char *path, struct tp_strings *old, struct tp_err *err)
{
	struct tp_file_list there;
	size_t length = strlen(path) + 1;
	enum tp_status status = tp_remote_below(arena, path, &there, err);

	if (status != TP_OK)
		return status;
	tp_intern(old, TP_S(TP_FOLDER_LIST));
	if (there.count != 0)
		tp_folder_list_read(tp_remote_open(path_in(arena, path, TP_S(TP_FOLDER_LIST)), NULL), old);
	for (size_t i = 0; i < there.count; i++) {
		struct tp_slice name = tp_slice_from(there.paths[i], length);

		if (tp_strings_find(old, name) == TP_MAP_NONE)
			return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET,
				"holds %.*s, which tpreport did not write: give a new folder, or move that away",
				TP_ARG(name));
	}
	return TP_OK;
}

static enum tp_status
send_file(int folder, struct tp_slice name, const char *path, struct tp_err *err)
{
	char file[256];
	struct stat st;
	int fd;

	snprintf(file, sizeof file, "%.*s", TP_ARG(name));
	fd = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	size_t size = fd >= 0 && fstat(fd, &st) == 0 ? (size_t)st.st_size : 0;
	void *bytes = size != 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	enum tp_status status = fd < 0 || bytes == MAP_FAILED
		? tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "cannot write: %s", strerror(errno))
		: tp_remote_write(path, (struct tp_slice){bytes, size}, err);

	if (size != 0 && bytes != MAP_FAILED)
		munmap(bytes, size);
	if (fd >= 0)
		close(fd);
	return status;
}

enum tp_status
tp_folder_remote_put(int folder, const char *path, const struct tp_strings *old, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	enum tp_status status = TP_OK;
	struct tp_strings names;
	uint32_t sent = 1; /* 0 is the empty text */

	tp_strings_init(&names, arena);
	tp_folder_list_read(openat(folder, TP_FOLDER_LIST, O_RDONLY | O_CLOEXEC), &names);
	tp_intern(&names, TP_S(TP_FOLDER_LIST));
	tp_ending_hold();
	for (; sent < names.count && status == TP_OK; sent++) {
		struct tp_slice name = tp_string(&names, sent);

		status = send_file(folder, name, path_in(arena, path, name), err);
	}
	for (uint32_t i = 1; i < sent && status != TP_OK; i++)
		tp_remote_remove(path_in(arena, path, tp_string(&names, i)));
	for (uint32_t i = 1; i < old->count && status == TP_OK; i++) {
		if (tp_strings_find(&names, tp_string(old, i)) == TP_MAP_NONE)
			tp_remote_remove(path_in(arena, path, tp_string(old, i)));
	}
	tp_ending_release();
	tp_arena_free(arena);
	return status;
}
