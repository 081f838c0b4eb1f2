/* GPU kernels: how each was launched, how long it took, whether it used the matrix units. */
#ifndef TP_ANALYZE_KERNELS_H
#define TP_ANALYZE_KERNELS_H

#include "analyze/core/ctx.h"
#include "analyze/facts/kernel_launch.h"
#include "analyze/facts/occupancy.h"
#include "analyze/facts/tensor_core.h"
#include "report/doc.h"

struct tp_buf;

/* A mean, weighted by time. */
struct tp_weighted {
	double sum;       /* of value × time */
	int64_t known_ps; /* time for which the value is known */
};

/* All calls of a kernel that were launched alike, for the same operation where the profile says for which. */
struct tp_kernel_row {
	struct tp_slice name, short_name;
	struct tp_slice shown; /* the short name, with what tells it from other kernels that have it */
	struct tp_kernel_launch launch; /* occupancy: of the first call */
	/* of tf_op, without its type; tells rows apart; empty: not recorded */
	struct tp_slice framework_op;
	struct tp_slice op,
		op_type; /* what the first call worked on: the same, or an HLO instruction; or empty */
	bool several_ops, several_types; /* the calls worked on others as well, of other types */
	enum tp_tensor_core tensor_core;
	bool eligible; /* the operation could use tensor cores */
	uint64_t calls;
	int64_t total_ps, min_ps, max_ps;
	uint32_t device;               /* of the first call */
	bool kinds_differ;             /* other calls ran on another kind of GPU */
	struct tp_occupancy occupancy; /* worked out */
	double blocks_per_sm;          /* blocks of the grid over multiprocessors; NaN: not known */
	/* Of PyTorch traces. */
	bool achieved;        /* occupancy is the achieved one, at most the theoretical */
	uint64_t no_call;     /* calls that were launched before the trace began */
	uint64_t untold;      /* calls that do not say what launched them */
	uint64_t graph_calls; /* calls that a launch of a CUDA graph started */
	struct tp_weighted occupancy_by_time;
};

/* All calls of a kernel, however launched. */
struct tp_kernel_total {
	struct tp_slice name, short_name, shown; /* as of a row */
	enum tp_tensor_core tensor_core;
	bool eligible; /* an operation that it worked on could use tensor cores */
	uint64_t calls;
	int64_t total_ps, min_ps, max_ps;
	size_t launches; /* rows: different launches and operations */
	struct tp_weighted occupancy, blocks_per_sm;
};

/* Kernels of the same short name together: what a reader takes for one. */
struct tp_kernel_sum {
	struct tp_slice short_name;
	struct tp_slice name; /* of the first */
	bool several;         /* they have other names as well */
	int64_t total_ps;
};

/* Copies and fills of one kind. */
struct tp_copy_row {
	struct tp_slice kind;     /* "host to device" */
	struct tp_slice from, to; /* kinds of memory; empty: not stated */
	uint64_t calls, bytes;
	bool has_bytes; /* of each of them */
	int64_t total_ps;
};

struct tp_kernels {
	struct tp_kernel_row *rows; /* by total time, descending, then name and launch */
	size_t count;
	struct tp_kernel_sum *sums; /* by total time, descending, then name */
	size_t sum_count;
	struct tp_kernel_total *totals; /* by total time, descending, then name */
	size_t total_count;
	uint64_t calls;
	int64_t total_ps;                  /* Σ durations; streams may overlap */
	int64_t tensor_ps;                 /* of kernels that used tensor cores */
	int64_t unused_ps;                 /* of operations that could, in kernels that did not */
	int64_t untold_ps;                 /* … in kernels whose names do not tell */
	enum tp_tensor_cores tensor_cores; /* of the devices that ran kernels */
	bool ops_known;           /* the profile says for at least one kernel what it worked on */
	double occupancy;         /* mean, weighted by time; NaN: known for none */
	int64_t known_ps;         /* time of the kernels whose occupancy is known */
	size_t occupancy_differs; /* rows where the profile states another than is worked out */
	int64_t launch_ps;        /* median of the host's launch calls; 0: not recorded */
	uint64_t short_calls;     /* kernels that ran shorter than that, those of graphs not counted */
	int64_t short_loss_ps;    /* Σ of how much shorter */
	bool torch;               /* from PyTorch traces: operations are its operators */
	uint64_t graph_calls,
		graph_launches;         /* kernels that CUDA graphs started, and launches of graphs */
	struct tp_copy_row *copies; /* by time, descending */
	size_t copy_count;
};

/* Drivers round; beyond this the stated and the worked-out occupancy differ. */
#define TP_OCCUPANCY_TOLERANCE 0.01

/* Occupancy of a kernel: as the profile states it, else as worked out; NaN: not known. */
double tp_kernel_occupancy(const struct tp_kernel_row *row);

/* NaN: known of none. */
double tp_weighted_mean(const struct tp_weighted *w);
void tp_weighted_add(struct tp_weighted *w, double value, int64_t ps); /* NaN: not known */

/* struct tp_kernels */
extern const struct tp_pass tp_pass_kernels;

/* NCCL's and RCCL's communicate. */
bool tp_kernel_is_collective(struct tp_slice name);

/* Parts of the analysis: rows (kernel_rows.c), copies, with their table (copies.c). */
void tp_kernels_collect(const struct tp_pass_ctx *ctx, struct tp_kernels *k);
/* Adds to out (int64_t) how long calls took that launched a kernel of a PyTorch trace, evenly picked, at most some `most`; a graph's
 * kernels share one call, and are left out. Counts launches of graphs. */
void tp_kernels_sample_torch(
	const struct tp_pass_ctx *ctx, struct tp_kernels *k, size_t most, struct tp_buf *out);
void tp_copies_collect(const struct tp_pass_ctx *ctx, struct tp_kernels *k);
void tp_copies_present(const struct tp_pass_ctx *ctx, const struct tp_kernels *k,
	struct tp_doc *doc, struct tp_block *section);

/* What it says (kernels_present.c). */
void tp_kernels_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
