/* A report's JSON back into the document that it was written from. */
#ifndef TP_STORED_DOCUMENT_H
#define TP_STORED_DOCUMENT_H

#include "base/err.h"
#include "base/slice.h"
#include "stored/stored.h"

struct tp_arena;
struct tp_doc;

/* The document in a report.json of this or an earlier version, or the part of it; json lives as long as the arena, in which the document is. NULL and err
 * (FORMAT) when it is none, is cut off, or says what no report says: the document that is returned has passed tp_doc_check. In the copy inside a
 * page or a PDF some rows may be left out: they are not in the document either. */
struct tp_doc *tp_document_read(struct tp_slice json, const char *name, enum tp_stored_part part,
	struct tp_arena *arena, struct tp_err *err);

/* The same of a tree that was read before. */
struct tp_node;
struct tp_doc *tp_document_of(
	struct tp_node *root, const char *name, struct tp_arena *arena, struct tp_err *err);

/* Whether a text begins as report.json does. */
bool tp_is_report_json(struct tp_slice head);

#endif
