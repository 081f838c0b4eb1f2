/* Ranks side by side, of summaries that were merged: which are there, how long their steps took, their operators and memory together. */
#ifndef TP_ANALYZE_RANKS_H
#define TP_ANALYZE_RANKS_H

#include "analyze/core/ctx.h"
#include "base/slice.h"

#include <stdint.h>

struct Tp__Rank;
struct tp_block;
struct tp_diags;
struct tp_doc;
struct tp_profile;

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
	const struct tp_diags *also; /* what was met before the merge; may be NULL */
	struct tp_slice name, run;   /* of the report; empty: as of merged files */
};

/* An operator over all ranks, or an operation of XLA. */
struct tp_rank_operator {
	struct tp_slice name;
	struct tp_slice program; /* of an operation; empty: none, or it has no name */
	uint64_t program_id;
	uint64_t calls;
	int64_t host_self_ps, device_self_ps;
	int64_t
		more_ps; /* host and device time that ranks may have left out, whose lists end before: at most */
	uint32_t found; /* ranks in whose list it stands */
};

struct tp_ranks {
	uint32_t count; /* traces, or hosts */
	bool hosts;     /* of XLA's profiler */
	int64_t size;   /* of the job, as asked for or as the ranks say; -1: not known */
	uint64_t missing_count;
	struct tp_slice missing;            /* "3, 7, 12–15"; cut where it is long */
	struct tp_rank_operator *operators; /* by device, else host time */
	size_t operator_count;
	int64_t
		least_listed_ps; /* what an operator takes at most that stands in no list, over all ranks */
	struct tp_rank_operator rest, all;       /* what lists left out; everything */
	bool on_device;                          /* an operator's device work took time */
	bool device_work;                        /* some was recorded */
	int64_t peak_bytes, peak_reserved_bytes; /* of the device with most; -1: not recorded */
	uint32_t peak_rank;                      /* whose it is */
	int64_t planned_bytes;   /* of hosts: the largest plan of a program; -1: none is in a profile */
	uint32_t steps_left_out; /* by summaries, at the end of each rank */
};

/* struct tp_ranks */
extern const struct tp_pass tp_pass_ranks;

/* Of it, where ranks are hosts of XLA's profiler: their operations together. */
extern const struct tp_pass tp_pass_ranks_operations;

/* Ranks of the profile: PyTorch traces, or hosts of XLA's profiler; what is given of each, by its number. */
uint32_t tp_rank_count(const struct tp_profile *p);
const struct Tp__Rank *tp_rank_given(const struct tp_profile *p, uint32_t number);

void tp_ranks_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* The table of operators; and a section that has it, for hosts (ranks_operators.c). */
void tp_ranks_operators(const struct tp_pass_ctx *ctx, const struct tp_ranks *r, struct tp_doc *doc,
	struct tp_block *section);
void tp_ranks_present_operations(
	const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* Hosts of XLA's profiler side by side: a map of every step, and a table; and what passes over their operations register elsewhere
 * (ranks_hosts.c). */
void tp_ranks_hosts(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);
void tp_ranks_hosts_metrics(
	const struct tp_pass_ctx *ctx, const struct tp_ranks *r, struct tp_doc *doc);

/* The map that both draw: the time of each step of each rank. */
struct tp_rank_steps {
	size_t ranks;
	size_t (*count)(const struct tp_pass_ctx *ctx, size_t rank); /* of steps */
	struct tp_slice (*name)(const struct tp_pass_ctx *ctx, size_t rank);
	/* In ms; its name */
	double (*step)(const struct tp_pass_ctx *ctx, size_t rank, size_t step, struct tp_slice *name);
};
void tp_ranks_map(const struct tp_pass_ctx *ctx, const struct tp_rank_steps *steps,
	struct tp_doc *doc, struct tp_block *section);

/* Accelerators count before the host's memory. planned: of programs' plans, else of what was measured. -1: not recorded. */
int64_t tp_rank_peak_bytes(const struct tp_pass_ctx *ctx, uint32_t rank, bool planned);

#endif
