/* Why a device of a PyTorch trace does nothing: each finding on idle time is shown a gap of its own cause. */
#ifndef TP_ANALYZE_TIMELINE_GAP_CAUSES_H
#define TP_ANALYZE_TIMELINE_GAP_CAUSES_H

#include "analyze/timeline/timeline.h"
#include "base/buf.h"

struct tp_interval;

struct tp_gap_causes {
	struct tp_stretch
		host; /* the longest in which the host launches nothing: it neither waits for input nor sets a device up */
	struct tp_stretch queued; /* the longest in which work is launched and has not begun */
};

/* Of a span. busy: when its device works, united. waits: when a thread of the host waits for input or sets a device up, as they come; they
 * are united here. Without PyTorch, or a device, there are none. */
struct tp_gap_causes tp_timeline_gap_causes(const struct tp_pass_ctx *ctx,
	const struct tp_timeline_found *t, const struct tp_timeline_span *span,
	const struct tp_interval *busy, size_t busy_count, struct tp_buf *waits);

/* The longest stretch of a span in which the device does not work and one of these intervals lasts; to_ps 0: there is none. */
struct tp_stretch tp_timeline_longest_idle_in(const struct tp_interval *list, size_t count,
	const struct tp_timeline_span *span, const struct tp_interval *busy, size_t busy_count);

#endif
