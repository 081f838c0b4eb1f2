/* Large pages through madvise: what the kernel does by itself only where it was set up to. */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/memory.h"

/* munmap takes whole pages, which have up to so many bytes: 4 KiB on x86, 64 KiB on some ARM. */
enum { WHOLE = 64 << 10 };

void
tp_pages_prefer(void *memory, size_t size)
{
	uintptr_t most = TP_PAGES_LARGE - 1;
	uintptr_t start = ((uintptr_t)memory + most) & ~most, end = ((uintptr_t)memory + size) & ~most;

	if (end > start)
		(void)madvise((void *)start, end - start, MADV_HUGEPAGE);
}

size_t
tp_pages_whole(size_t size)
{
	size_t most = TP_PAGES_LARGE - 1, whole = (size + most) & ~most;

	return whole - size <= size / 4 ? whole : size;
}

/* munmap and mmap count whole pages. */
static size_t
mapped(size_t size)
{
	return (size + WHOLE - 1) & ~(size_t)(WHOLE - 1);
}

void *
tp_pages_new(size_t size)
{
	size_t most = TP_PAGES_LARGE - 1, whole = mapped(size);
	char *area = mmap(
		NULL, whole + TP_PAGES_LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		tp_out_of_memory();
	/* What lies before and behind the aligned block goes again. */
	size_t before = (TP_PAGES_LARGE - ((uintptr_t)area & most)) & most;

	if (before != 0)
		munmap(area, before);
	munmap(area + before + whole, TP_PAGES_LARGE - before);
	tp_pages_prefer(area + before, whole);
	return area + before;
}

void
tp_pages_free(void *block, size_t size)
{
	munmap(block, mapped(size));
}
