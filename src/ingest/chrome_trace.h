/* Chrome traces, for the reader of other files in the same JSON. */
#ifndef TP_INGEST_CHROME_TRACE_H
#define TP_INGEST_CHROME_TRACE_H

#include "base/err.h"

struct tp_builder;
struct tp_source;

/* As a reader's read, of a file that no other reader knows. */
enum tp_status tp_chrome_trace_read(
	const struct tp_source *in, struct tp_builder *out, struct tp_err *err);

#endif
