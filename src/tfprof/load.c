/* By the names of files, as ProfileContext gives them. */
#include "tfprof/load.h"

#include "base/arena.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* 100 of "profile_100", perhaps compressed; -1 for other names. */
static long long
step_of(const char *name)
{
	const char *prefix = "profile_";
	char *end;

	if (strncmp(name, prefix, strlen(prefix)) != 0 || name[strlen(prefix)] < '0' ||
		name[strlen(prefix)] > '9')
		return -1;
	long long step = strtoll(name + strlen(prefix), &end, 10);

	return *end == '\0' || strcmp(end, ".gz") == 0 || strcmp(end, ".zst") == 0 ? step : -1;
}

enum tp_status
tp_tfprof_dump_path(
	const char *path, struct tp_arena *arena, struct tp_slice *dump, struct tp_err *err)
{
	struct stat info;
	long long most = -1;

	*dump = tp_slice_of(path);
	if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
		return TP_OK;
	DIR *folder = opendir(path);

	if (folder == NULL)
		return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "%s", strerror(errno));
	for (struct dirent *e; (e = readdir(folder)) != NULL;) {
		if (step_of(e->d_name) <= most)
			continue;
		most = step_of(e->d_name);
		*dump = tp_arena_printf(arena, "%s/%s", path, e->d_name);
	}
	closedir(folder);
	if (most >= 0)
		return TP_OK;
	return tp_fail_at(err, TP_ABSENT, path, TP_NO_OFFSET,
		"the folder holds no tfprof dump (a file called profile_100 or the like)");
}
