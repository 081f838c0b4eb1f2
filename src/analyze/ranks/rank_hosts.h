/* What a summary keeps of each host of XLA's profiler (proto/rank.proto): the figures of its steps, devices and operations, and each call of an
 * operation that meets other hosts'. A host's bytes are its own, whatever other hosts the report is of. */
#ifndef TP_ANALYZE_RANK_HOSTS_H
#define TP_ANALYZE_RANK_HOSTS_H

#include "analyze/core/ctx.h"
#include "base/buf.h"
#include "base/map.h"
#include "rank.pb-c.h"

struct tp_host_op;

/* A host that is being written. */
struct tp_rank_host {
	const struct tp_pass_ctx *ctx;
	uint32_t host; /* of the profile */
	Tp__Rank *rank;
	struct tp_map steps;         /* hash of a step's name → index in names */
	struct tp_buf names;         /* char *: Rank.step_names */
	Tp__RankDevice **by_device;  /* by device of the profile, of all hosts */
	struct tp_buf devices;       /* Tp__RankDevice * */
	struct tp_map program_index; /* hash of a text → index in programs */
	struct tp_buf programs;      /* char * */
	struct tp_buf modules;       /* Tp__RankProgram * */
};

/* All hosts of the profile whose events are there, soundly; how many. Memory from ctx->keep. */
size_t tp_rank_hosts_of(const struct tp_pass_ctx *ctx, Tp__Rank ***out);

/* A text of the message (rank_names.c, as the two below). */
char *tp_rank_text(const struct tp_rank_host *h, struct tp_slice text);

/* The index of a step's name, and of what a run is of. */
uint32_t tp_rank_step(struct tp_rank_host *h, struct tp_slice name);
uint32_t tp_rank_program(struct tp_rank_host *h, struct tp_slice name);

/* Of the cores of all hosts, marks of steps and runs, and whether they receive input (rank_cores.c); calls of collectives and channels
 * (rank_meetings.c). */
void tp_rank_put_cores(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts);
void tp_rank_put_meetings(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts);

/* Steps that events of the host itself show; names: what operations' names say, without and with a device (rank_host_steps.c). */
void tp_rank_put_host_steps(struct tp_rank_host *h, const struct tp_host_op *const names[static 2]);

/* Operators and peaks of memory of all hosts (rank_host_sums.c). */
void tp_rank_put_sums(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts);

#endif
