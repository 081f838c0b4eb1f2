/* Hosts: every host by itself, and which host or core is slower than the others. */
#ifndef TP_ANALYZE_HOSTS_H
#define TP_ANALYZE_HOSTS_H

#include "analyze/core/ctx.h"
#include "analyze/pod/side_by_side.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_precomputed;
struct tp_steps;
struct tp_doc;

struct tp_host_figures {
	const struct tp_profile *profile;
	uint32_t host;                /* index in it */
	const struct tp_steps *steps; /* its own; NULL: it has none, or no step is on all hosts */
	/* class compute of a mean step on the core that computes longest; NaN: cores have no steps */
	double core_compute_ps;
	uint32_t chips, cores;     /* GPUs: both the same */
	int64_t busy_ps, total_ps; /* over its devices with operations */
	int64_t duty_on_ps, duty_total_ps;
	uint64_t flops, hbm_bytes;
	double peak_flop_ps, busy_peak_flop_ps; /* Σ time × peak; 0: not known of every device */
	double peak_byte_ps, busy_peak_byte_ps;
	bool has_costs, has_flops; /* of some of its devices */
	const struct tp_precomputed
		*precomputed;       /* what its tool files say; NULL: events are there, or no file */
	struct tp_slice top_op; /* label of the operation with the most self time; empty: it has none */
	int64_t top_ps, self_ps; /* its self time, and that of all */
};

/* How far one is above the median of all. */
struct tp_straggler {
	/* of the host in tp_hosts, of the core in the profile's devices; TP_NONE: fewer than two */
	uint32_t index;
	double ps, median_ps;
	double times; /* ps over the median; NaN: there is none above 0 */
};

struct tp_hosts {
	struct tp_host_figures *hosts; /* one for each host of the profile */
	uint32_t count;
	double *core_compute_ps;  /* by device: class compute of a mean step; NaN: it has no steps */
	struct tp_straggler step; /* the host with the longest mean step */
	struct tp_straggler work; /* the core with the most compute in a mean step */
};

/* From these on the slowest is said to be slower than the others: what a step takes, and what a core computes. */
#define TP_STRAGGLER_STEP 1.05
#define TP_STRAGGLER_WORK 1.10

/* struct tp_hosts; never skipped */
extern const struct tp_pass tp_pass_hosts;

/* Registers figures of each host, of those that are known of all together. Tool files fill these in when all passes have
 * registered theirs: then it is called after that. */
void tp_hosts_each_metrics(
	const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc);

/* A row a host. */
void tp_hosts_table(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts,
	struct tp_slow slow, struct tp_doc *doc, struct tp_block *section);

/* A row for each step of each host (hosts_steps.c). */
void tp_hosts_steps(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_block *section);

/* What it says (hosts_present.c). */
void tp_hosts_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
