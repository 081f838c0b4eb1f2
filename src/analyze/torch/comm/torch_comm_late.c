/* Who comes last to collectives, and what the others wait for it. Messages do not count: a stage of a pipeline waits for the one
 * before it by design. */
#include "analyze/torch/comm/torch_comm.h"

#include "analyze/torch_steps/torch_steps.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

static double
arrival(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_member *m)
{
	const struct tp_torch_comm_trace *t = &c->traces[m->trace];

	return tp_torch_comm_clock(ctx, m->trace, tp_torch_comm_call_of(c, m)->start_ps) -
		(t->clock_used ? t->clock_ps : 0);
}

static bool
in_steps(const struct tp_torch_trace_steps *s, const struct tp_torch_comm_call *call)
{
	return s->count != 0 && call->start_ps >= s->steps[0].start_ps &&
		call->start_ps <= s->steps[s->count - 1].end_ps;
}

/* Nobody waits longer than its own part of the collective takes. */
static double
wait_for(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_member *m, double last)
{
	const struct tp_torch_comm_call *call = tp_torch_comm_call_of(c, m);
	double wait = last - arrival(ctx, c, m), length = (double)(call->end_ps - call->start_ps);

	return wait < length ? wait : length;
}

static void
count_late(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c, struct tp_torch_comm_match *m)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_comm_member *who = &c->matched[m->first];
	double last = -INFINITY, before = INFINITY;

	for (uint32_t k = 0; k < m->count; k++) {
		double at = arrival(ctx, c, &who[k]);

		if (at > last) {
			last = at;
			m->last = k;
		}
	}
	for (uint32_t k = 0; k < m->count; k++) {
		double wait = k == m->last ? INFINITY : wait_for(ctx, c, &who[k], last);

		if (k != m->last)
			m->wait_ps += wait / (m->count - 1);
		before = wait < before ? wait : before;
	}
	m->lead_ps = before;
	struct tp_torch_comm_trace *t = &c->traces[who[m->last].trace];

	if (!in_steps(&stepped->traces[who[m->last].trace], tp_torch_comm_call_of(c, &who[m->last])))
		return;
	t->came_last++;
	t->others_wait_ps += m->wait_ps;
	t->lead_ps += m->lead_ps;
	for (uint32_t k = 0; k < m->count; k++) {
		c->traces[who[k].trace].joined++;
		if (k != m->last)
			c->traces[who[k].trace].own_wait_ps += wait_for(ctx, c, &who[k], last);
	}
}

/* Over all spans of a worker; traces stand by worker. */
static void
find_straggler(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct tp_torch_trace *const *traces = ctx->profile->torch->traces;

	for (uint32_t i = 0, next = 0; i < c->trace_count; i = next) {
		double lead = 0, wait = 0;
		uint64_t joined = 0, steps = 0;

		while (next < c->trace_count && tp_slice_eq(traces[next]->worker, traces[i]->worker)) {
			const struct tp_torch_comm_trace *t = &c->traces[next++];

			lead += t->lead_ps;
			wait += t->others_wait_ps;
			joined += t->joined;
			steps += t->steps;
		}
		if (joined == 0 || steps == 0)
			continue;
		if (c->straggler == TP_NONE || lead / (double)steps > c->straggler_lead_ps) {
			c->straggler = i;
			c->straggler_lead_ps = lead / (double)steps;
			c->straggler_wait_ps = wait / (double)steps;
		}
	}
}

void
tp_torch_comm_late(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	c->straggler = TP_NONE;
	for (size_t i = 0; i < c->match_count; i++) {
		if (c->matches[i].count > 1 && !tp_torch_comm_is_message(c, &c->matches[i]))
			count_late(ctx, c, &c->matches[i]);
	}
	find_straggler(ctx, c);
}
