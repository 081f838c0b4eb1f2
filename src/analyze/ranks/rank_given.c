/* What is given of one rank, and its peak of memory. */
#include "analyze/ranks/ranks.h"

#include "model/profile.h"
#include "model/torch.h"
#include "rank.pb-c.h"

uint32_t
tp_rank_count(const struct tp_profile *p)
{
	return p->torch != NULL ? p->torch->trace_count : p->host_count;
}

const struct Tp__Rank *
tp_rank_given(const struct tp_profile *p, uint32_t number)
{
	return p->torch != NULL ? p->torch->traces[number]->given : p->hosts[number].given;
}

int64_t
tp_rank_peak_bytes(const struct tp_pass_ctx *ctx, uint32_t rank, bool planned)
{
	const struct Tp__Rank *r = tp_rank_given(ctx->profile, rank);
	bool accelerator = false;
	int64_t most = -1;

	for (size_t i = 0; i < r->n_memories; i++)
		accelerator |= r->memories[i]->accelerator;
	for (size_t i = 0; i < r->n_memories; i++) {
		const Tp__RankMemory *m = r->memories[i];

		if (m->accelerator == accelerator && planned == (m->planned != 0) && m->peak_bytes > most)
			most = m->peak_bytes;
	}
	return most;
}
