/* Device work, gaps and launches of iterations. */
#include "analyze/llm/serving_iterations.h"

#include "analyze/core/intervals.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

/* Device work by the iteration that it belongs to. */
struct piece {
	uint32_t step;
	struct tp_interval at;
	bool copy, collective;
};

TP_ORDER(by_step, struct piece, TP_UP(step), TP_UP(at.start_ps), TP_UP(at.end_ps));

struct making {
	const struct tp_pass_ctx *ctx;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	const struct tp_torch_lane_steps *lane;
	struct tp_torch_kernel_names names;
	struct tp_serving_iteration *list;
};

static bool
is_graph_launch(const struct making *m, uint32_t call)
{
	return tp_slice_has(tp_torch_name(m->ctx->profile, m->t, call), TP_S("GraphLaunch"));
}

static bool
is_of_graph(const struct making *m, uint32_t work)
{
	uint32_t call = m->links->call[work];

	return call != TP_NONE
		? is_graph_launch(m, call)
		: m->t->detail[work] != TP_NONE && m->t->works[m->t->detail[work]].graph != 0;
}

/* The parts of busy time of one iteration: others first, what is left to collectives, then to copies. */
static void
sum_busy(const struct making *m, const struct piece *pieces, uint32_t count,
	struct tp_serving_iteration *it)
{
	struct tp_interval *all = tp_new_array(m->ctx->scratch, struct tp_interval, count);
	int64_t before = 0;

	for (int part = 0; part < 3; part++) {
		size_t n = 0;

		for (uint32_t i = 0; i < count; i++) {
			int of = pieces[i].collective ? 1 : pieces[i].copy ? 2 : 0;

			if (of <= part)
				all[n++] = pieces[i].at;
		}
		n = tp_intervals_unite(all, n);
		int64_t covered = tp_intervals_ps(all, n);

		if (part == 1)
			it->collective_ps = (double)(covered - before);
		if (part == 2)
			it->copy_ps = (double)(covered - before);
		before = covered;
	}
	it->busy_ps = (double)before;
}

static struct piece *
pieces_of(struct making *m, uint32_t *count)
{
	struct piece *pieces = tp_new_array(m->ctx->scratch, struct piece, m->t->work_count);

	*count = 0;
	for (uint32_t e = 0; e < m->t->count && *count < m->t->work_count; e++) {
		uint32_t step = tp_torch_is_work(m->t->kind[e]) ? m->lane->step_of_work[e] : TP_NONE;

		if (step == TP_NONE || step >= m->lane->count)
			continue;
		pieces[(*count)++] = (struct piece){.step = step,
			.at = {tp_torch_start_ps(m->t, e), tp_torch_end_ps(m->t, e)},
			.copy = m->t->kind[e] != TP_TORCH_KERNEL,
			.collective = m->t->kind[e] == TP_TORCH_KERNEL &&
				tp_torch_kernel_is_collective(&m->names, m->t, e)};
		m->list[step].work_ps += (double)tp_torch_duration_ps(m->t, e);
		if (is_of_graph(m, e))
			m->list[step].graph_ps += (double)tp_torch_duration_ps(m->t, e);
	}
	qsort(pieces, *count, sizeof *pieces, by_step);
	return pieces;
}

/* Calls that launch work of an iteration, each once. */
static void
count_launches(const struct making *m)
{
	bool *seen = tp_new_array(m->ctx->scratch, bool, m->t->count);

	for (uint32_t e = 0; e < m->t->count; e++) {
		uint32_t step = tp_torch_is_work(m->t->kind[e]) ? m->lane->step_of_work[e] : TP_NONE;
		uint32_t call = m->links->call[e];

		if (step == TP_NONE || step >= m->lane->count || call == TP_NONE || seen[call])
			continue;
		seen[call] = true;
		m->list[step].launches++;
		m->list[step].graphs += is_graph_launch(m, call);
	}
}

void
tp_serving_look_at(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_torch_trace_steps *s,
	const struct tp_torch_lane_steps *lane, struct tp_serving_iteration *list)
{
	struct making making = {.ctx = ctx,
		.t = t,
		.links = links,
		.lane = lane,
		.names = tp_torch_kernel_names_new(ctx->profile, ctx->scratch),
		.list = list};
	struct making *m = &making;
	uint32_t count;

	for (uint32_t i = 0; i < m->lane->count; i++) {
		const struct tp_torch_step *step = &m->lane->steps[i];
		const struct tp_torch_step *next = i + 1 < m->lane->count ? step + 1 : NULL;

		m->list[i].kind = tp_serving_kind_of(s->iterations.families[step->family].phase);
		m->list[i].time_ps = (double)(step->end_ps - step->start_ps);
		m->list[i].start_ps = step->start_ps;
		m->list[i].end_ps = step->end_ps;
		m->list[i].busy_ps = m->list[i].gap_ps = NAN;
		m->list[i].says = step->says;
		m->list[i].unmarked = step->unmarked;
		if (next != NULL && step->work_count != 0 && next->work_count != 0)
			m->list[i].gap_ps = tp_larger(0, (double)(next->work_ps[0] - step->work_ps[1]));
		else if (next != NULL)
			m->list[i].gap_ps = (double)(next->start_ps - step->end_ps);
	}
	struct piece *pieces = pieces_of(m, &count);

	for (uint32_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && pieces[end].step == pieces[first].step;)
			end++;
		sum_busy(m, pieces + first, end - first, &m->list[pieces[first].step]);
	}
	count_launches(m);
}
