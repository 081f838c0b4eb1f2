/* What of matched calls is data transfer: what the fastest needs, at the end of each worker's time in it. Before that a worker
 * waits for the last one. */
#include "analyze/torch/comm/torch_comm.h"

#include "model/torch.h"

static const struct tp_torch_comm_call *
measured(const struct tp_torch_comm *c, const struct tp_torch_comm_member *m)
{
	const struct tp_torch_comm_trace *t = &c->traces[m->trace];

	return tp_torch_comm_carrier(t, &t->calls[m->call]);
}

/* Ranges are paired from the last on. A kernel that carries several messages transfers as long as the quickest of them. */
static void
set_transfer(struct tp_torch_comm *c, const struct tp_torch_comm_member *members, uint32_t count)
{
	uint32_t most = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++)
		most = measured(c, &members[i])->count < most ? measured(c, &members[i])->count : most;
	for (uint32_t k = 1; k <= most; k++) {
		int64_t least = INT64_MAX;

		for (uint32_t i = 0; i < count; i++) {
			const struct tp_torch_comm_call *call = measured(c, &members[i]);
			const struct tp_interval *range =
				&c->traces[members[i].trace].ranges[call->first + call->count - k];

			least =
				range->end_ps - range->start_ps < least ? range->end_ps - range->start_ps : least;
		}
		for (uint32_t i = 0; i < count; i++) {
			const struct tp_torch_comm_call *call = measured(c, &members[i]);
			int64_t *transfer_ps =
				&c->traces[members[i].trace].transfer_ps[call->first + call->count - k];

			*transfer_ps = *transfer_ps == 0 || least < *transfer_ps ? least : *transfer_ps;
		}
	}
}

void
tp_torch_comm_transfers(struct tp_torch_comm *c)
{
	for (size_t i = 0; i < c->match_count; i++) {
		const struct tp_torch_comm_match *m = &c->matches[i];
		const struct tp_torch_comm_member *members = &c->matched[m->first];

		if (m->count == 0 ||
			c->ops[c->traces[members->trace].calls[members->call].op].kind ==
				TP_TORCH_COMM_IS_BARRIER)
			continue;
		set_transfer(c, members, m->count);
		for (uint32_t k = 0; k < m->count; k++) {
			struct tp_torch_comm_trace *t = &c->traces[members[k].trace];
			const struct tp_torch_comm_call *call = &t->calls[members[k].call];

			if (call->through != TP_NONE)
				t->calls[call->through].match = (uint32_t)i;
		}
	}
}
