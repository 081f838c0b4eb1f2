/* What cores send each other: channels (a send on one core, a receive on another) and collectives. */
#ifndef TP_ANALYZE_POD_TRAFFIC_H
#define TP_ANALYZE_POD_TRAFFIC_H

#include "analyze/pod/pod.h"

/* A channel in one step: means over its occurrences there. */
struct tp_pod_link_step {
	uint32_t step;
	size_t occurrences;
	double latency_ps, delay_ps, receive_ps; /* as of the link */
	bool clocks_differ;
};

/* One channel between two cores. Times are means over occurrences in the steps that count. */
struct tp_pod_link {
	int64_t channel;
	uint32_t source, target;       /* units */
	struct tp_slice send, receive; /* HLO names */
	uint64_t bytes;                /* without padding */
	size_t occurrences;
	/* from the beginning of the send to the end of the receive, by the host's clock */
	double latency_ps;
	double delay_ps;   /* what the receiver waited before the send began */
	double receive_ps; /* how long its receive took */
	/* some receive ended before its send began: hosts do not agree on the time */
	bool clocks_differ;
	const struct tp_pod_link_step *steps; /* by step; those with occurrences */
	size_t step_count;
};

/* A collective of a program. */
struct tp_pod_collective {
	struct tp_slice name, shape;
	bool has_ids;
	size_t occurrences; /* on all cores */
	double mean_ps;     /* a step and core */
	double fastest_ps;  /* likewise, if all were as fast as the fastest core */
	double bytes;       /* of the result; NaN: its shape is not known */
};

struct tp_pod_traffic {
	struct tp_pod_link *links; /* with occurrences; the slowest first */
	size_t link_count;
	size_t silent;                         /* channels of the programs that no event is of */
	struct tp_pod_collective *collectives; /* the longest first */
	size_t collective_count;
	bool precomputed;        /* from a tool file: what is not in it is NaN or empty */
	struct tp_slice damaged; /* why a program could not be read; empty: none */
};

/* Of a pod of cores. Lives in ctx->keep. */
const struct tp_pod_traffic *tp_pod_find_traffic(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod);

double tp_pod_median_latency_ps(const struct tp_pod_traffic *t, struct tp_arena *scratch);

/* Writes the parts on channels and collectives, where there are any. */
void tp_pod_traffic_present(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	struct tp_doc *doc, struct tp_block *section);

#endif
