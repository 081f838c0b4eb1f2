/* memfd_create for what is small, O_TMPFILE for what is not. */
#include "io/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_IN_MEMORY_BYTES = 8 << 20 };

/* Where the file system has no files without a name: one whose name goes at once. */
static int
open_unlinked(const char *folder)
{
	char path[4096];
	int length = snprintf(path, sizeof path, "%s/tpreport-XXXXXX", folder);

	if (length >= (int)sizeof path)
		return -1;
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	return fd;
}

const char *
tp_spool_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder != NULL && *folder != '\0' ? folder : "/tmp";
}

int
tp_spool_open(uint64_t size_bytes, struct tp_err *err)
{
	const char *folder = tp_spool_folder();
	int fd = -1;

	if (size_bytes <= MOST_IN_MEMORY_BYTES)
		fd = memfd_create("tpreport", MFD_CLOEXEC);
	if (fd < 0)
		fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = open_unlinked(folder);
	if (fd < 0)
		tp_fail_at(err, TP_ERR_IO, folder, TP_NO_OFFSET,
			"no temporary file can be made here: %s; TMPDIR names another folder", strerror(errno));
	return fd;
}
