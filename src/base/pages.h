/* Large blocks of memory: few large pages where many small ones would be touched one by one, which the kernel has to give out
 * and to clear each. */
#ifndef TP_BASE_PAGES_H
#define TP_BASE_PAGES_H

#include <stddef.h>

/* The size of a large page on most processors; a block of it is one when the kernel has one. */
enum { TP_PAGES_LARGE = 2 << 20 };

/* TP_PAGES_LARGE zeroed bytes, aligned to that; given back to the kernel by tp_pages_free. The program ends with a message
 * when memory is exhausted. */
void *tp_pages_new(void);
void tp_pages_free(void *block);

/* Asks for large pages within memory that will be used as a whole; costs nothing where there are none. */
void tp_pages_prefer(void *memory, size_t size);

#endif
