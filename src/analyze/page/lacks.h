/* What a report does not tell because the profile does not hold it, and how the next capture does. */
#ifndef TP_ANALYZE_LACKS_H
#define TP_ANALYZE_LACKS_H

#include "analyze/core/ctx.h"

/* How many such things there are. */
size_t tp_lacks_count(const struct tp_pass_ctx *ctx);

/* The list of them, where there are any: below the heading "Not in this profile, and how to capture it", shut when it is long. */
void tp_lacks_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
