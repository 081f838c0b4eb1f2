/* A line a file. */
#include "io/folder_list.h"

#include "base/map.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

const char *const tp_folder_list_head = "tpreport made these files, and replaces them together:\n";

void
tp_folder_list_read(int fd, struct tp_strings *names)
{
	FILE *list = fd >= 0 ? fdopen(fd, "r") : NULL;
	char line[256];
	bool ours = list != NULL && fgets(line, sizeof line, list) != NULL &&
		strcmp(line, tp_folder_list_head) == 0;

	while (ours && fgets(line, sizeof line, list) != NULL)
		tp_intern_copy(names, (struct tp_slice){line, strcspn(line, "\n")});
	if (list != NULL)
		fclose(list);
	else if (fd >= 0)
		close(fd);
}
