/* The clocks of several workers in one file: by how much each is late is known by the ends of collectives that all leave together
 * (analyze/torch/comm/torch_comm_clock.c: a least-squares fit). How well that fits is said; above a bound nothing is merged, for
 * arrows and orders in such a file would be made up. */
#include "analyze/timeline/run_events.h"

#include "analyze/core/say.h"
#include "analyze/timeline/timeline_words.h"
#include "analyze/torch/comm/torch_comm.h"
#include "base/arena.h"
#include "model/torch.h"

#include <math.h>

/* Workers leave a collective within some tens of µs of each other; what differs by more than this is not the clocks alone. */
#define BOUND_PS 1e9

static void
say_unknown(const struct tp_pass_ctx *ctx, uint32_t hosts, struct tp_run_events *out)
{
	out->clocks = tp_arena_printf(ctx->keep, text_clocks_of_hosts, hosts);
}

static void
say_fit(const struct tp_pass_ctx *ctx, uint32_t workers, uint64_t least, double worst_ps,
	struct tp_run_events *out)
{
	struct tp_slice within = tp_say_value(ctx, tp_number(worst_ps / 1e6, TP_UNIT_US));

	out->clocks = tp_arena_printf(
		ctx->keep, text_clocks_aligned, workers, (unsigned long long)least, TP_ARG(within));
	if (worst_ps > BOUND_PS)
		out->refused = tp_arena_printf(ctx->keep, why_clocks_not_aligned, TP_ARG(within));
}

void
tp_run_find_clocks(const struct tp_pass_ctx *ctx, double *late_ps, struct tp_run_events *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	uint64_t least = UINT64_MAX;
	double worst_ps = 0;
	bool compared = c != NULL && c->trace_count != 0;

	if (p->host_count < 2 || (c != NULL && c->one_host))
		return;
	for (uint32_t i = 0; compared && i < c->trace_count; i++) {
		const struct tp_torch_comm_trace *t = &c->traces[i];

		compared = t->clock_used && t->clock_part == c->traces[0].clock_part;
		worst_ps = fmax(worst_ps, t->clock_spread_ps);
		least = t->clock_count < least ? t->clock_count : least;
	}
	if (!compared) {
		say_unknown(ctx, p->host_count, out);
		return;
	}
	for (uint32_t i = 0; i < c->trace_count; i++)
		late_ps[i] = c->traces[i].clock_ps;
	say_fit(ctx, p->torch->worker_count, least, worst_ps, out);
}
