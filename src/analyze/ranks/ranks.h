/* Ranks side by side, of summaries that were merged: which are there, how long their steps took, their operators and memory together. */
#ifndef TP_ANALYZE_RANKS_H
#define TP_ANALYZE_RANKS_H

#include "analyze/core/ctx.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_block;
struct tp_doc;

/* What of a job was to be merged. */
struct tp_rank_range {
	int64_t first, last;
};
struct tp_merge_wish {
	const struct tp_rank_range
		*ranges; /* numbers that there should be; none: those of the job's size */
	size_t range_count;
	const struct tp_slice *failed; /* files that could not be used */
	size_t failed_count;
	size_t most_calls; /* collectives of all ranks that a report is made of; 0: as usual */
	uint64_t again;    /* ranks that stand in several files, and differ: one of them counts */
};

/* An operator over all ranks. */
struct tp_rank_operator {
	struct tp_slice name;
	uint64_t calls;
	int64_t host_self_ps, device_self_ps;
	int64_t
		more_ps; /* host and device time that ranks may have left out, whose lists end before: at most */
	uint32_t found; /* ranks in whose list it stands */
};

struct tp_ranks {
	uint32_t count; /* traces */
	int64_t size;   /* of the job, as asked for or as the ranks say; -1: not known */
	uint64_t missing_count;
	struct tp_slice missing;            /* "3, 7, 12–15"; cut where it is long */
	struct tp_rank_operator *operators; /* by device, else host time */
	size_t operator_count;
	struct tp_rank_operator rest, all;       /* what lists left out; everything */
	bool on_device;                          /* an operator's device work took time */
	bool device_work;                        /* some was recorded */
	int64_t peak_bytes, peak_reserved_bytes; /* of the device with most; -1: not recorded */
	uint32_t peak_trace;                     /* whose it is */
	uint32_t steps_left_out;                 /* by summaries, at the end of each rank */
};

/* struct tp_ranks */
extern const struct tp_pass tp_pass_ranks;

void tp_ranks_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* Accelerators count before the host's memory. -1: not recorded. */
int64_t tp_rank_peak_bytes(const struct tp_pass_ctx *ctx, uint32_t trace);

#endif
