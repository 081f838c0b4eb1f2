/* Where in a step nothing says what runs. */
#ifndef TP_ANALYZE_TIMELINE_UNRECORDED_H
#define TP_ANALYZE_TIMELINE_UNRECORDED_H

#include "analyze/timeline/timeline.h"

/* The longest stretch of a span without an operation, a call or device work on the host and device whose steps are drawn: in it there are
 * functions of Python at most, and what is around all of the step. to_ps 0: none is worth a look, or steps hold no such time. */
struct tp_stretch tp_timeline_unrecorded(const struct tp_pass_ctx *ctx,
	const struct tp_timeline_found *t, const struct tp_timeline_span *span);

#endif
