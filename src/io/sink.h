/* Where output goes: a file that appears whole or not at all, or a stream. */
#ifndef TP_IO_SINK_H
#define TP_IO_SINK_H

#include "base/err.h"
#include "base/slice.h"

struct tp_sink;

/* Opens path for writing; "-" is standard output. A file is written beside its place, without a name where the file system
 * allows that, and renamed by tp_sink_commit, so a failed or interrupted run leaves the old one and nothing else. NULL and err when it cannot be opened. */
struct tp_sink *tp_sink_open(const char *path, struct tp_err *err);

/* A new file in an open folder, for who sees to the folder; path is for messages. */
struct tp_sink *tp_sink_in(int folder, const char *name, const char *path, struct tp_err *err);

/* A sink that gathers bytes in memory; tp_sink_bytes gives them until it is closed. */
struct tp_sink *tp_sink_memory(void);
struct tp_slice tp_sink_bytes(const struct tp_sink *s);

/* A sink whose bytes go through a function, in pieces of any size. What that cannot do is its own to keep. */
struct tp_sink *tp_sink_through(void (*put)(void *to, const void *data, size_t size), void *to);

/* Buffered. An error is kept and reported by tp_sink_commit, so callers need not look at each write. */
void tp_sink_write(struct tp_sink *s, const void *data, size_t size);
void tp_sink_put(struct tp_sink *s, struct tp_slice text);
void tp_sink_puts(struct tp_sink *s, const char *text);
void tp_sink_printf(struct tp_sink *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Bytes written so far. */
size_t tp_sink_written(const struct tp_sink *s);

/* Flushes and renames. TP_ERR_IO when anything was not written. */
enum tp_status tp_sink_commit(struct tp_sink *s, struct tp_err *err);

/* Closes; without a commit before, removes the temporary file. NULL is allowed. */
void tp_sink_close(struct tp_sink *s);

#endif
