/* What the outputs of all events share: whether there are any to write, and what of the report stands beside them. */
#ifndef TP_RENDER_EVENTS_ASKED_H
#define TP_RENDER_EVENTS_ASKED_H

#include "base/err.h"

struct tp_doc;
struct tp_finding;

/* TP_ERR_USAGE, with what to do, where the document has no events or they cannot be in one file. */
enum tp_status tp_events_asked(const struct tp_doc *doc, struct tp_err *err);

/* The open findings of a document, one after the other: begin with NULL; NULL behind the last. */
const struct tp_finding *tp_next_open_finding(
	const struct tp_doc *doc, const struct tp_finding *before);

#endif
