/* What events were called with, as texts that are the same of many. */
#ifndef TP_ANALYZE_TIMELINE_ARGUMENTS_H
#define TP_ANALYZE_TIMELINE_ARGUMENTS_H

#include "analyze/timeline/timeline.h"
#include "base/buf.h"
#include "base/map.h"

struct tp_torch_lane;
struct tp_torch_trace;

struct tp_torch_line {
	const struct tp_torch_trace *trace;
	const struct tp_torch_lane *lane;
	uint32_t *of_attributes; /* of the trace: the index of each, from 1 on; 0: not known yet */
};

struct tp_arguments {
	const struct tp_pass_ctx *ctx;
	struct tp_strings texts; /* by index; the first is none */
	/* Of PyTorch the index of what an event refers to: of device work by what is said of it, of functions of Python by the caller's
	 * string; these from 1 on, 0: not known yet. */
	struct tp_map of_works;
	uint32_t *of_callers;
	struct tp_torch_line *torch; /* by line of the profile; NULL: no PyTorch trace */
};

void tp_arguments_init(struct tp_arguments *a, const struct tp_pass_ctx *ctx);

/* Index of the text of an event, 0: it has none. tag: a cursor into the line's tags, from 0 on. */
uint32_t tp_argument_of(
	struct tp_arguments *a, const struct tp_timeline_line *line, uint32_t event, size_t *tag);

/* All texts but the first, in ctx->keep. */
void tp_arguments_give(const struct tp_arguments *a, struct tp_timeline *out);

#endif
