/* The peak of memory of one rank. */
#include "analyze/ranks/ranks.h"

#include "model/profile.h"
#include "model/torch.h"
#include "rank.pb-c.h"

int64_t
tp_rank_peak_bytes(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	const Tp__Rank *r = ctx->profile->torch->traces[trace]->given;
	bool accelerator = false;
	int64_t most = -1;

	for (size_t i = 0; i < r->n_memories; i++)
		accelerator |= r->memories[i]->accelerator;
	for (size_t i = 0; i < r->n_memories; i++) {
		if (r->memories[i]->accelerator == accelerator && r->memories[i]->peak_bytes > most)
			most = r->memories[i]->peak_bytes;
	}
	return most;
}
