/* Large pages through madvise: what the kernel does by itself only where it was set up to. */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/memory.h"

void
tp_pages_prefer(void *memory, size_t size)
{
	uintptr_t most = TP_PAGES_LARGE - 1;
	uintptr_t start = ((uintptr_t)memory + most) & ~most, end = ((uintptr_t)memory + size) & ~most;

	if (end > start)
		(void)madvise((void *)start, end - start, MADV_HUGEPAGE);
}

void *
tp_pages_new(void)
{
	size_t size = TP_PAGES_LARGE, most = size - 1;
	char *area = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		tp_out_of_memory();
	/* What lies before and behind the aligned block goes again. */
	size_t before = (size - ((uintptr_t)area & most)) & most;

	if (before != 0)
		munmap(area, before);
	munmap(area + before + size, size - before);
	tp_pages_prefer(area + before, size);
	return area + before;
}

void
tp_pages_free(void *block)
{
	munmap(block, TP_PAGES_LARGE);
}
