/* Sends and receives: whom they are between, and which kernel carries those of a group. */
#ifndef TP_ANALYZE_TORCH_COMM_MESSAGE_H
#define TP_ANALYZE_TORCH_COMM_MESSAGE_H

#include "base/slice.h"

#include <stdint.h>

struct tp_profile;
struct tp_torch_collective;
struct tp_torch_comm_op;
struct tp_torch_comm_trace;
struct tp_torch_trace;

struct tp_torch_comm_ends {
	int64_t from, to; /* ranks of the job; -1: not told */
	int64_t asked_ps; /* begin of the event, or of the operator that holds its start */
};

/* Of a send (`sends`) or receive: event is the host's span or the kernel; c its arguments, NULL without; ranks those of its
 * group, "[0,1]", may be empty. Who is told by the arguments (kineto: "Src Rank", "Dst Rank", which are ranks of the job;
 * "Rank", which is the other's in the group), by the span ("nccl:send 0->1") or by the c10d operator that holds its start
 * (gloo). */
struct tp_torch_comm_ends tp_torch_comm_ends(const struct tp_profile *p,
	const struct tp_torch_trace *t, uint32_t event, const struct tp_torch_collective *c,
	struct tp_slice ranks, bool sends);

/* Member number `number` of a group, by its ranks; -1: the list is shorter or cut before it ("[0, 1, ..., 63]"). */
int64_t tp_torch_comm_rank_at(struct tp_slice ranks, int64_t number);

/* The share of an all-to-all that leaves its worker, member `own` of the group, by what it sends to each ("[10, 20]"); -1:
 * the list does not tell. */
double tp_torch_comm_away_share(struct tp_slice split, int64_t own);

/* Finds the kernel of the sends and receives that were asked for as a group, and have none of their own: that of the next
 * group which the host asked for. Calls are in order. */
void tp_torch_comm_carry(struct tp_torch_comm_trace *t, const struct tp_torch_comm_op *ops);

#endif
