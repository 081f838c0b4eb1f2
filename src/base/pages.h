/* Large blocks of memory: few large pages where many small ones would be touched one by one, which the kernel has to give out
 * and to clear each. */
#ifndef TP_BASE_PAGES_H
#define TP_BASE_PAGES_H

#include <stddef.h>

/* The size of a large page on most processors; a block of it is one when the kernel has one. */
enum { TP_PAGES_LARGE = 2 << 20 };

/* What to take for so many bytes: large pages to the end where that is at most a quarter more, else as many as asked for. One large page
 * is cleared in the time of some 80 faults of the 512 that its small pages would take. */
size_t tp_pages_whole(size_t size);

/* So many zeroed bytes, aligned to TP_PAGES_LARGE; given back to the kernel by tp_pages_free, with the same size. The program ends with
 * a message when memory is exhausted. */
void *tp_pages_new(size_t size);
void tp_pages_free(void *block, size_t size);

/* Asks for large pages within memory that will be used as a whole; costs nothing where there are none. */
void tp_pages_prefer(void *memory, size_t size);

#endif
