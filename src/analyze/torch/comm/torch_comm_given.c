/* The calls of a trace whose events are not there, but a summary of them (proto/rank.proto), sound by tp_rank_is_sound. */
#include "analyze/torch/comm/torch_comm_group.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/rank.h"
#include "model/torch.h"
#include "rank.pb-c.h"

struct tp_torch_comm_numbers
tp_torch_comm_number(
	const struct tp_torch_trace *t, struct tp_torch_comm_names *names, struct tp_arena *scratch)
{
	const Tp__Rank *r = t->given;
	struct tp_torch_comm_numbers n = {tp_new_array(scratch, uint32_t, r->n_operations),
		tp_new_array(scratch, uint32_t, r->n_groups)};

	for (size_t i = 0; i < r->n_operations; i++)
		n.ops[i] = tp_torch_comm_find_op(names,
			(struct tp_torch_comm_op){tp_slice_of(r->operations[i]->name),
				(enum tp_torch_comm_kind)r->operations[i]->kind});
	for (size_t i = 0; i < r->n_groups; i++) {
		const Tp__RankGroup *g = r->groups[i];

		n.groups[i] = tp_torch_comm_find_known_group(names,
			(struct tp_torch_comm_group){
				tp_slice_of(g->key), tp_slice_of(g->name), tp_slice_of(g->ranks), g->size});
	}
	return n;
}

/* Away bytes, ranks and what carries it, where the call has them. */
static void
take_ends(const int64_t *ends, struct tp_torch_comm_call *call)
{
	call->away_bytes = ends[TP_RANK_AWAY_BYTES];
	call->from = ends[TP_RANK_FROM];
	call->to = ends[TP_RANK_TO];
	call->asked_ps = call->order_ps + ends[TP_RANK_ASKED_PS];
	call->through = ends[TP_RANK_THROUGH] < 0 ? TP_NONE : (uint32_t)ends[TP_RANK_THROUGH];
}

/* The ranges of a call, from number `first` on. */
static void
take_ranges(const Tp__Rank *r, struct tp_torch_comm_trace *out, uint32_t first,
	struct tp_torch_comm_call *call)
{
	call->first = first;
	for (uint32_t k = first; k < first + call->count; k++) {
		struct tp_interval *range = &out->ranges[k];

		range->start_ps = call->order_ps + r->range_starts[k];
		range->end_ps = range->start_ps + r->range_lengths[k];
		if (k == first)
			call->start_ps = range->start_ps;
		if (k == first || range->end_ps > call->end_ps)
			call->end_ps = range->end_ps;
	}
}

void
tp_torch_comm_given(const struct tp_torch_trace *t, const struct tp_torch_comm_numbers *numbers,
	struct tp_arena *keep, struct tp_torch_comm_trace *out)
{
	const Tp__Rank *r = t->given;
	const int64_t *ends = r->call_ends;
	int64_t order_ps = t->given_shift_ps;

	out->on_device = r->collective_kernels;
	out->call_count = (uint32_t)r->n_call_operations;
	out->calls = tp_new_array(keep, struct tp_torch_comm_call, r->n_call_operations);
	out->ranges = tp_new_array(keep, struct tp_interval, r->n_range_starts);
	out->transfer_ps = tp_new_array(keep, int64_t, r->n_range_starts);
	for (uint32_t i = 0; i < out->call_count; i++) {
		struct tp_torch_comm_call *call = &out->calls[i];

		order_ps += r->call_orders[i];
		*call = (struct tp_torch_comm_call){.op = numbers->ops[r->call_operations[i]],
			.group = numbers->groups[r->call_groups[i]],
			.order_ps = order_ps,
			.host_ps = r->call_host_ps[i],
			.count = r->call_ranges[i],
			.in_bytes = r->call_in_bytes[i],
			.out_bytes = r->call_out_bytes[i],
			.away_bytes = -1,
			.from = -1,
			.to = -1,
			.through = TP_NONE,
			.match = TP_NONE,
			.launched = r->call_flags[i] & TP_RANK_LAUNCHED,
			.carries = r->call_flags[i] & TP_RANK_CARRIES};
		if (r->call_flags[i] & TP_RANK_HAS_ENDS) {
			take_ends(ends, call);
			ends += TP_RANK_ENDS;
		}
		take_ranges(r, out, out->range_count, call);
		out->range_count += call->count;
	}
}
