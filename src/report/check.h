/* Proof that a document is sound before any renderer sees it. */
#ifndef TP_REPORT_CHECK_H
#define TP_REPORT_CHECK_H

#include "base/err.h"

struct tp_doc;

/* Ids unique and not empty, links lead somewhere, metric ids of tiles, spans and cells registered with the same value,
 * tables as wide as their columns, tree depths without gaps, charts with finite values ≥ 0, sections nested as their
 * roles allow and no deeper than 6, all text valid UTF-8. TP_ERR_FORMAT with the place when not: a fault of ours. */
enum tp_status tp_doc_check(const struct tp_doc *doc, struct tp_err *err);

#endif
