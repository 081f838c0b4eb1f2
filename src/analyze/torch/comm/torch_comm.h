/* Communication between the workers of a PyTorch job: how much of it computation hides, what is data transfer and what is
 * waiting for others, each operation of each process group, the workers' clocks, and which worker the others wait for.
 *
 * Communication is the device time of collective kernels, or, where a trace has none (gloo, CPU), the host's spans of
 * collectives (torch_role.h). A collective is matched over the workers by process group, operation and place in the order.
 * Formulas: torch-tb-profiler (communication.py, overall_parser.py: get_communication_overlap, wait_time). The differences
 * are listed in torch_comm_present.c. */
#ifndef TP_ANALYZE_TORCH_COMM_H
#define TP_ANALYZE_TORCH_COMM_H

#include "analyze/core/ctx.h"
#include "analyze/core/intervals.h"
#include "model/profile.h"

#include <stdint.h>

struct tp_torch_comm_names;
struct tp_torch_correlation;
struct tp_torch_trace;
struct tp_torch_trace_steps;

/* Parts of a mean step; the first four sum to it, the next four to its communication (overlapped and not). */
enum tp_torch_comm_part {
	TP_TORCH_COMM_COMPUTATION, /* kernels (without any: operators), and no communication meanwhile */
	TP_TORCH_COMM_OVERLAP,     /* both */
	TP_TORCH_COMM_EXPOSED,     /* communication, and no computation meanwhile */
	TP_TORCH_COMM_OTHER,       /* neither */
	TP_TORCH_COMM_TRANSFER,    /* the fastest worker's time of the same collective */
	TP_TORCH_COMM_SYNC,        /* the rest of collectives that were matched: waiting */
	TP_TORCH_COMM_UNMATCHED,   /* in collectives whose other workers are not known */
	TP_TORCH_COMM_BARRIER,     /* in barriers, which move no data */
	TP_TORCH_COMM_PART_COUNT
};

/* By how many bytes cross the busiest link, for n workers and s bytes: nccl-tests, doc/PERFORMANCE.md. */
enum tp_torch_comm_kind {
	TP_TORCH_COMM_REDUCES, /* all_reduce: 2 (n − 1) / n × s */
	TP_TORCH_COMM_SCATTERS, /* reduce_scatter, all_to_all, scatter: (n − 1) / n × s, s what goes in */
	TP_TORCH_COMM_GATHERS,    /* all_gather, gather: the same, s what comes out */
	TP_TORCH_COMM_ROOTED,     /* broadcast, reduce: s */
	TP_TORCH_COMM_POINT,      /* send, recv: s; two workers of the group alone */
	TP_TORCH_COMM_IS_BARRIER, /* moves no data */
	TP_TORCH_COMM_MIXED,      /* several at once, or a name that is not known */
};

struct tp_torch_comm_op {
	struct tp_slice name; /* "all_reduce", or as written */
	enum tp_torch_comm_kind kind;
};

/* What a group is called whose trace names neither the group nor its backend. */
#define TP_TORCH_COMM_UNNAMED TP_S("?")

/* A process group, as far as the traces tell: where they do not, all of a backend is one. */
struct tp_torch_comm_group {
	struct tp_slice key;   /* unique */
	struct tp_slice name;  /* "default_pg", "0 of [0, 1]", "nccl" */
	struct tp_slice ranks; /* "[0, 1]"; may be empty */
	int64_t size;          /* -1: not recorded */
};

/* One collective as one worker saw it. */
struct tp_torch_comm_call {
	uint32_t op, group;          /* index into ops, groups */
	int64_t start_ps, end_ps;    /* of what is measured: kernels, or the host's span */
	int64_t order_ps;            /* by this calls stand in order: when the host asked for it */
	int64_t host_ps;             /* length of the host's span; -1: there is none */
	uint32_t first, count;       /* its ranges; none: it has no kernel in the trace */
	int64_t in_bytes, out_bytes; /* of this worker; -1: not recorded */
	int64_t away_bytes;          /* of an all-to-all: those that cross its link; -1: not recorded */
	int64_t asked_ps; /* of a send or receive: when the operator began that asks for it */
	int64_t from, to; /* of a send or receive: ranks of the job; -1: not told */
	/* of one that was asked for in a group: the call whose kernel carries it; else TP_NONE */
	uint32_t through;
	uint32_t
		match;     /* index into matches; TP_NONE: of none. Of what carries others: one of theirs */
	bool launched; /* the trace tells when the host asked for it */
	bool carries;  /* sends and receives */
};

/* One collective over the workers. */
struct tp_torch_comm_match {
	uint32_t first, count; /* its calls in tp_torch_comm.matched */
};

/* Who and which, of a match. */
struct tp_torch_comm_member {
	uint32_t trace, call;
};

/* All messages from one worker to another, by process group. */
struct tp_torch_comm_pair {
	uint32_t group;
	int64_t from, to;                 /* ranks of the job */
	uint32_t from_trace, to_trace;    /* the first of each; TP_NONE: not in the report */
	uint64_t sends, receives;         /* asked for */
	uint64_t matched, grouped, sized; /* of those matched: carried with others; with their size … */
	double bytes;                     /* … and that */
	/* Of those matched, each kernel (or host's span) counted once. */
	double send_ps, receive_ps, transfer_ps;
	double sender_waits_ps, receiver_waits_ps; /* for the other to begin */
};

/* Sums over the calls of one operation and group, of one worker or of all. */
struct tp_torch_comm_sum {
	uint32_t op, group, trace; /* trace: TP_NONE for all of them */
	uint64_t calls;
	uint64_t measured, matched;         /* calls with kernels or spans; those matched */
	uint64_t grouped;                   /* carried by another's kernel */
	uint64_t sized;                     /* calls whose bytes are told … */
	double bytes;                       /* … and those; of this worker's own data */
	double latency_ps;                  /* covered by its ranges */
	double transfer_ps;                 /* of matched calls, likewise */
	double calls_ps, calls_transfer_ps; /* Σ over calls, whether they overlap or not */
	double host_ps;                     /* covered by the host's spans */
	uint64_t host_calls;
	double bus_bytes, bus_ps, bus_transfer_ps; /* of calls whose size, group and time are known */
	double bus_matched_bytes;
};

/* Of one trace. */
struct tp_torch_comm_trace {
	struct tp_torch_comm_call *calls; /* in order of order_ps */
	uint32_t call_count;
	struct tp_interval *ranges; /* of calls; sorted by start within each */
	int64_t *transfer_ps;       /* by range; of those matched */
	uint32_t range_count;
	bool on_device;                              /* calls are measured by their kernels */
	double (*step_ps)[TP_TORCH_COMM_PART_COUNT]; /* by step */
	double sum_ps[TP_TORCH_COMM_PART_COUNT];     /* of all steps */
	double mean_ps[TP_TORCH_COMM_PART_COUNT];    /* NaN: no step */
	uint32_t steps;
	uint64_t moving, matched; /* calls that move data, and those of them that are matched */
	bool split_known;         /* transfer and sync are figures */
	/* Its clock against the median of the span's workers, by ends of the same collectives. NaN: not known. */
	double clock_ps, clock_spread_ps;
	uint64_t clock_count;
	uint32_t clock_part; /* traces with the same are in line with each other */
	bool clock_used;     /* for stragglers; not where all are on one host */
	/* Within the traces' steps. */
	uint64_t joined, came_last; /* matches with others, and those where it came last */
	double others_wait_ps;      /* Σ of the mean wait of the others for it */
	double lead_ps;             /* Σ of what it came after the last but one */
	double own_wait_ps;         /* Σ of its waits for the last */
};

struct tp_torch_comm {
	struct tp_torch_comm_trace *traces; /* by trace */
	uint32_t trace_count;
	struct tp_torch_comm_op *ops;
	uint32_t op_count;
	struct tp_torch_comm_group *groups;
	uint32_t group_count;
	struct tp_torch_comm_match *matches; /* one that was taken back has no calls */
	size_t match_count;
	struct tp_torch_comm_member *matched; /* of all matches */
	struct tp_torch_comm_pair *pairs;     /* those that wait longest first */
	size_t pair_count;
	struct tp_torch_comm_sum *sums; /* over all traces, the longest first */
	size_t sum_count;
	struct tp_torch_comm_sum *each; /* by trace, then as sums */
	size_t each_count;
	uint64_t calls, measured, unmatched;
	uint64_t messages, lone; /* sends and receives; lone: not matched */
	int64_t world_size;      /* the largest told; -1: none */
	uint32_t workers;        /* in the report */
	/* over the workers of the steps that the report's mean step is of; NaN: none */
	double mean_ps[TP_TORCH_COMM_PART_COUNT];
	bool split_known;
	/* What of the class of collectives is waiting, at most: for the last worker, and all of barriers, which move nothing; mean over workers.
	 * Of a mean step; NaN: not known. By step of the report; NULL: not known of each */
	double wait_mean_ps;
	const double *wait_ps;
	uint32_t straggler; /* trace with the largest lead; TP_NONE: no match of several workers */
	double straggler_lead_ps, straggler_wait_ps; /* a step */
	double step_mean_ps; /* the first four parts together: the workers' own */
	/* how wrong clocks may be that messages put in line: the most of one link */
	double clock_link_ps;
	bool one_host;  /* all traces name one host */
	bool on_device; /* some trace's calls are measured by their kernels */
	/* kernels were launched, and none recorded: what the host spends in collectives is launching them */
	bool unrecorded;
};

/* struct tp_torch_comm */
extern const struct tp_pass tp_pass_torch_comm;

static inline const struct tp_torch_comm_call *
tp_torch_comm_call_of(const struct tp_torch_comm *c, const struct tp_torch_comm_member *m)
{
	return &c->traces[m->trace].calls[m->call];
}

/* Whether a match is a message; one that was taken back is none. */
static inline bool
tp_torch_comm_is_message(const struct tp_torch_comm *c, const struct tp_torch_comm_match *m)
{
	if (m->count == 0)
		return false;
	const struct tp_torch_comm_call *call = tp_torch_comm_call_of(c, &c->matched[m->first]);

	return call->from >= 0 && call->to >= 0;
}

/* Of a message: one side of it. A kernel begins when it does; the host's span of gloo begins only after it asked for the
 * transfer, which by then may be over, so that of a span the operator around its start counts. */
struct tp_torch_comm_side {
	uint32_t trace;
	const struct tp_torch_comm_call *call; /* that carries it */
	int64_t begin_ps, end_ps;
};
struct tp_torch_comm_sides {
	struct tp_torch_comm_side send, receive;
};
struct tp_torch_comm_sides tp_torch_comm_sides(
	const struct tp_torch_comm *c, const struct tp_torch_comm_match *m);

/* Whether it is known how the clocks of two traces differ, if they do. */
static inline bool
tp_torch_comm_comparable(const struct tp_torch_comm *c, uint32_t a, uint32_t b)
{
	return c->one_host || c->traces[a].clock_part == c->traces[b].clock_part;
}

/* The call whose kernel or span a call is measured by: itself, but where others carry it. */
static inline const struct tp_torch_comm_call *
tp_torch_comm_carrier(const struct tp_torch_comm_trace *t, const struct tp_torch_comm_call *call)
{
	return call->through == TP_NONE ? call : &t->calls[call->through];
}

/* Sets wait_ps and its mean (torch_comm_wait.c). */
void tp_torch_comm_find_waits(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c);

/* Reads the calls of a trace (torch_comm_calls.c). */
void tp_torch_comm_read(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, bool on_device, struct tp_torch_comm_names *names,
	struct tp_torch_comm_trace *out);

/* The same of a trace that has a summary in place of events, in two steps (torch_comm_given.c): the numbers of its operations and groups
 * among those of all traces, one trace after the other, and its calls, of several traces side by side. */
struct tp_torch_comm_numbers {
	uint32_t *ops, *groups;
};
struct tp_torch_comm_numbers tp_torch_comm_number(
	const struct tp_torch_trace *t, struct tp_torch_comm_names *names, struct tp_arena *scratch);
void tp_torch_comm_given(const struct tp_torch_trace *t,
	const struct tp_torch_comm_numbers *numbers, struct tp_arena *keep,
	struct tp_torch_comm_trace *out);

/* Numbers operations and groups by their names, once all traces are read (torch_comm_order.c). */
void tp_torch_comm_order(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c);

/* What of each step computation, that or communication, and communication cover: TP_RANK_COVERED (model/rank.h) for each step. */
void tp_torch_comm_cover(const struct tp_torch_trace_steps *s, int64_t *by_step);

/* Finds which calls are the same collective, and which send goes to which receive (torch_comm_match.c). */
void tp_torch_comm_match(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c);

/* By how much each worker's clock is late; takes back matches that by these clocks cannot be (torch_comm_clock.c). */
void tp_torch_comm_clocks(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c);

/* Who comes last; after clocks (torch_comm_clock.c). */
void tp_torch_comm_late(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c);

/* A time of a trace on the clock that the traces are compared by, before alignment. */
double tp_torch_comm_clock(const struct tp_pass_ctx *ctx, uint32_t trace, int64_t ps);

/* Sorts them. NaN: none. */
double tp_torch_comm_median(double *values, size_t count);

/* Sums by operation and group, and by sender and receiver; after transfers are known (torch_comm_sum.c). */
void tp_torch_comm_sums(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c);

#endif
