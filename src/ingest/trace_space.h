/* An XSpace made anew from a trace: profilers write their traces from an XSpace, so what a trace tells goes back into that
 * shape, and one reader knows what it means. What a profiler leaves out of traces (flows between threads, costs of
 * operations, programs, performance counters) is not there again. */
#ifndef TP_INGEST_TRACE_SPACE_H
#define TP_INGEST_TRACE_SPACE_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_builder;
struct tp_source;
struct tp_trace_space;

/* Texts are copied everywhere. */
struct tp_trace_space *tp_trace_space_new(void);
void tp_trace_space_free(struct tp_trace_space *s); /* NULL is allowed */

/* The names of a process (a plane: "/device:TPU:0") and of a thread (a line: "XLA Ops"). */
void tp_trace_process(struct tp_trace_space *s, uint64_t process, struct tp_slice name);
void tp_trace_thread(
	struct tp_trace_space *s, uint64_t process, uint64_t thread, struct tp_slice name);

/* Whether some process is named as the profilers of XLA and TensorFlow name theirs. */
bool tp_trace_space_is_named(struct tp_trace_space *s);

/* An argument of the event that comes next; what nobody would read is left out. */
void tp_trace_argument(struct tp_trace_space *s, struct tp_slice key, struct tp_slice value);
void tp_trace_event(struct tp_trace_space *s, uint64_t process, uint64_t thread,
	struct tp_slice name, int64_t start_ps, int64_t duration_ps);

/* Forgets the arguments: no event comes. */
void tp_trace_no_event(struct tp_trace_space *s);

uint64_t tp_trace_event_count(const struct tp_trace_space *s);

/* Everything into the builder, as the file `in`. FORMAT when no process is named as the profilers of XLA and TensorFlow
 * name them. Says what a trace does not tell, and when it has as many events as profilers write at most. */
enum tp_status tp_trace_space_read(struct tp_trace_space *s, const struct tp_source *in,
	struct tp_builder *out, struct tp_err *err);

#endif
