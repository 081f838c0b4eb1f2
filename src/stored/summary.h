/* A summary (proto/summary.proto) back into a document. */
#ifndef TP_STORED_SUMMARY_H
#define TP_STORED_SUMMARY_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>

struct tp_arena;
struct tp_doc;

bool tp_is_summary(struct tp_slice head);

/* The document of a summary: its metrics, findings and tables, without charts. As tp_document_read. */
struct tp_doc *tp_summary_read(
	struct tp_slice bytes, const char *name, struct tp_arena *arena, struct tp_err *err);

#endif
