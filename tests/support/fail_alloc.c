/* An allocator that fails when it is told to, for programs that are linked with it. TPREPORT_FAIL_AT: the number of the call, from
 * 1, that gets no memory; TPREPORT_FAIL_ALL: all that follow get none either. TPREPORT_ALLOCATIONS: a file for the number of
 * calls. Whoever calls, a library too, meets these functions first. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *memory, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);

static unsigned long calls, fails_at;
static int fails_all;

static int
fails(void)
{
	unsigned long call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);

	return fails_at != 0 && (call == fails_at || (fails_all && call > fails_at));
}

void *
malloc(size_t size)
{
	return fails() ? NULL : REAL(malloc)(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails() ? NULL : REAL(calloc)(count, size);
}

void *
realloc(void *memory, size_t size)
{
	return fails() ? NULL : REAL(realloc)(memory, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : REAL(memalign)(alignment, size);
}

int
posix_memalign(void **memory, size_t alignment, size_t size)
{
	*memory = fails() ? NULL : REAL(memalign)(alignment, size);
	return *memory == NULL && size != 0 ? ENOMEM : 0;
}

/* Calls count from main on. */
__attribute__((constructor)) static void
read_wish(void)
{
	const char *at = getenv("TPREPORT_FAIL_AT");

	fails_all = getenv("TPREPORT_FAIL_ALL") != NULL;
	calls = 0;
	fails_at = at != NULL ? strtoul(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void
write_calls(void)
{
	const char *name = getenv("TPREPORT_ALLOCATIONS");
	int fd = name != NULL ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	fails_at = 0;
	if (fd >= 0) {
		dprintf(fd, "%lu\n", calls);
		close(fd);
	}
}
