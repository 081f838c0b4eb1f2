/* The longest operations of two steps that are drawn side by side. */
#ifndef TP_ANALYZE_TIMELINE_LONGEST_H
#define TP_ANALYZE_TIMELINE_LONGEST_H

#include "analyze/timeline/timeline.h"

struct tp_block;
struct tp_doc;
struct tp_timeline_longest;

/* On the device that is drawn, in ctx->keep; NULL: not two steps are drawn, or no device worked in them. */
const struct tp_timeline_longest *tp_timeline_find_longest(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t);

/* As a table of the section. measured_as_drawn: the windows are as long as their steps (tp_timeline_same_length). */
void tp_timeline_present_longest(const struct tp_pass_ctx *ctx, const struct tp_timeline_longest *l,
	const struct tp_timeline *t, struct tp_slice device, bool measured_as_drawn, struct tp_doc *doc,
	struct tp_block *section);

#endif
