/* The limit is the kernel's for private writable memory (RLIMIT_DATA, getrlimit(2)). Whoever finds that there is no more has no other
 * way to know what to do then than a variable of the whole program. */
#include "base/memory.h"

#include "base/cgroup.h"
#include "base/ending.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

uint64_t
tp_memory_limit_bytes(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX
																				  : limit.rlim_cur;
}

static const struct tp_memory_again *_Atomic again;

void
tp_memory_start_again(const struct tp_memory_again *how)
{
	atomic_store(&again, how);
}

/* No stream: its lock may be held by whoever was interrupted, and what others have not written yet is not whole. */
static bool
say(const char *limit, const char *then)
{
	char text[256];
	int length = snprintf(text, sizeof text, "tpreport: out of memory: %s%s\n", limit, then);

	return write(STDERR_FILENO, text, (size_t)length) >= 0;
}

/* Threads run out of memory together: the first of them sees to the end, the others wait for it. */
static void
wait_for_the_first(void)
{
	static atomic_flag first = ATOMIC_FLAG_INIT;

	while (atomic_flag_test_and_set(&first))
		pause();
}

void
tp_out_of_memory(void)
{
	wait_for_the_first();
	const struct tp_memory_again *how = atomic_exchange(&again, NULL);
	char limit[80] = "", then[120];
	uint64_t most = tp_memory_limit_bytes();

	tp_ending_remove_all();
	if (how != NULL) {
		if (most != UINT64_MAX)
			snprintf(
				limit, sizeof limit, "the limit is %llu MiB: ", (unsigned long long)(most >> 20));
		snprintf(then, sizeof then, "starting again, %s", how->told);
		(void)say(limit, then);
		execve("/proc/self/exe", how->argv, how->environment);
	}
	if (most != UINT64_MAX)
		snprintf(limit, sizeof limit, "the limit is %llu MiB: raise it with --memory-limit, or ",
			(unsigned long long)(most >> 20));
	(void)say(limit, "report fewer files (--host, --worker, --span)");
	_exit(TP_MEMORY_EXIT);
}

/* Of size 0 NULL is no failure. */
static void *
given(void *memory, size_t size)
{
	if (memory == NULL && size != 0)
		tp_out_of_memory();
	return memory;
}

void *
tp_memory_take(size_t size)
{
	return given(malloc(size), size);
}

void *
tp_memory_resize(void *memory, size_t size)
{
	return given(realloc(memory, size), size);
}

char *
tp_memory_copy(const char *text)
{
	return given(strdup(text), 1);
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The number in a file; UINT64_MAX where there is no file, or "max" in it. */
static uint64_t
number_in(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long long number;
	bool read = file != NULL && fscanf(file, "%llu", &number) == 1;

	if (file != NULL)
		fclose(file);
	return read ? number : UINT64_MAX;
}

static void
look(void *with, const char *folder, int version)
{
	uint64_t *least = with;
	char path[4200];

	snprintf(
		path, sizeof path, "%s/%s", folder, version == 2 ? "memory.max" : "memory.limit_in_bytes");
	*least = lesser(*least, number_in(path));
}

static uint64_t
group_limit(void)
{
	uint64_t least = UINT64_MAX;

	tp_cgroup_each("", "memory", look, &least);
	return least;
}

uint64_t
tp_memory_allowed_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	uint64_t machine =
		pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;

	return lesser(machine, group_limit());
}

void
tp_memory_limit(uint64_t limit_bytes)
{
	struct rlimit limit;

	/* Under sanitizers no limit can be set. */
	if (TP_SANITIZED || getrlimit(RLIMIT_DATA, &limit) != 0 || limit_bytes >= limit.rlim_cur)
		return;
	limit.rlim_cur = limit_bytes;
	(void)setrlimit(RLIMIT_DATA, &limit);
}
