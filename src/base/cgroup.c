/* /proc/self/cgroup has a line "0::/group" (version 2), or "4:memory:/group" (version 1). */
#include "base/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Within a container the group's own folder is often the root, so that one is asked too. */
static void
look_up(const char *root, const char *below, char *group, int version,
	void (*look)(void *with, const char *folder, int version), void *with)
{
	for (;;) {
		char folder[4096];
		char *slash = strrchr(group, '/');

		if (snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s%s", root, below, group) <
			(int)sizeof folder)
			look(with, folder, version);
		if (slash == NULL)
			return;
		*slash = '\0';
	}
}

/* Whether the list, with commas between, has the word. */
static bool
names(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at != NULL; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}

void
tp_cgroup_each(const char *root, const char *controller,
	void (*look)(void *with, const char *folder, int version), void *with)
{
	char line[4096], path[4096], below[256];

	snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
	FILE *file = fopen(path, "re");

	while (file != NULL && fgets(line, sizeof line, file) != NULL) {
		char *controllers = strchr(line, ':');
		char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;

		if (group == NULL)
			continue;
		*group++ = '\0';
		controllers++;
		group[strcspn(group, "\n")] = '\0';
		if (*controllers == '\0') {
			look_up(root, "", group, 2, look, with);
		} else if (names(controllers, controller)) {
			/* Mounted at the names together; where alone, a link of that name leads there. */
			snprintf(below, sizeof below, "/%s", controller);
			look_up(root, below, group, 1, look, with);
		}
	}
	if (file != NULL)
		fclose(file);
}
