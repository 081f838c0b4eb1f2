/* Traces as JSON, for the reader of another kind of file that may hold them too. */
#ifndef TP_INGEST_TRACE_JSON_H
#define TP_INGEST_TRACE_JSON_H

#include "base/err.h"

struct tp_builder;
struct tp_source;

/* As a reader's read; in->bytes may be compressed. */
enum tp_status tp_trace_json_read(
	const struct tp_source *in, struct tp_builder *out, struct tp_err *err);

#endif
