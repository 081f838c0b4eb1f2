/* What a summary keeps of each rank, so that summaries of many hosts can be put together: proto/rank.proto. */
#ifndef TP_ANALYZE_RANK_PARTS_H
#define TP_ANALYZE_RANK_PARTS_H

#include "analyze/core/ctx.h"
#include "model/torch.h"
#include "rank.pb-c.h"

struct tp_torch_comm;
struct tp_torch_trace_steps;

/* Fills in the steps of a rank; times count from zero_ps of the trace (rank_steps.c). */
void tp_rank_put_steps(
	Tp__Rank *r, const struct tp_torch_trace_steps *s, int64_t zero_ps, struct tp_arena *arena);

/* Its collectives, sends and receives (rank_calls.c). */
void tp_rank_put_calls(Tp__Rank *r, const struct tp_torch_comm *c, uint32_t trace, int64_t zero_ps,
	struct tp_arena *arena);

/* The ranks of the run, for outputs that ask for them: sets tp_doc.ranks. */
extern const struct tp_pass tp_pass_rank_parts;

#endif
