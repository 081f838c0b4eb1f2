/* How much memory the program may take, and how it ends when that is not enough. The system keeps count: whatever asks for
 * memory, a library too, is refused beyond the limit. */
#ifndef TP_BASE_MEMORY_H
#define TP_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>

/* Sanitizers map terabytes that they never touch, and look only after what malloc gave out. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { TP_SANITIZED = true };
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { TP_SANITIZED = true };
#else
enum { TP_SANITIZED = false };
#endif
#else
enum { TP_SANITIZED = false };
#endif

/* The exit status of a program that ran out of memory: the input asks for more than there is, so it is of no use here. */
enum { TP_MEMORY_EXIT = 4 };

/* Starts the program again, or ends it, with a message: nothing sensible can be done without memory, and no caller has to ask. Safe in any thread. */
noreturn void tp_out_of_memory(void);

/* What the program does instead of ending where memory runs out: it starts anew, with less to do. */
struct tp_memory_again {
	char *const *argv, *const *environment; /* each ends with NULL */
	const char *told;                       /* with less of what: "without the timeline" */
};

/* From now on; NULL: it ends. The caller keeps it. */
void tp_memory_start_again(const struct tp_memory_again *how);

/* malloc, realloc and strdup that end the program so where there is no memory: for libraries that otherwise go on without what
 * they could not store. Their memory is freed with free. */
void *tp_memory_take(size_t size);
void *tp_memory_resize(void *memory, size_t size);
char *tp_memory_copy(const char *text);

/* What the machine and the control groups of this process allow, in bytes. UINT64_MAX: neither says. */
uint64_t tp_memory_allowed_bytes(void);

/* The limit that holds; UINT64_MAX: none. */
uint64_t tp_memory_limit_bytes(void);

/* Sets the limit; a lower one that the process was started with stays. Mapped files do not count. */
void tp_memory_limit(uint64_t limit_bytes);

#endif
