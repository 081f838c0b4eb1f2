/* What the outputs of all events share: whether there are any to write. */
#ifndef TP_RENDER_EVENTS_ASKED_H
#define TP_RENDER_EVENTS_ASKED_H

#include "base/err.h"

struct tp_doc;

/* TP_ERR_USAGE, with what to do, where the document has no events or they cannot be in one file. */
enum tp_status tp_events_asked(const struct tp_doc *doc, struct tp_err *err);

#endif
