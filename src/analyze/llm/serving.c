/* What iterations took, and what ran in them. */
#include "analyze/llm/serving.h"

#include "analyze/core/intervals.h"
#include "analyze/core/pass.h"
#include "analyze/llm/serving_kernels.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

static enum tp_serving_kind
kind_of(enum tp_iteration_phase phase)
{
	switch (phase) {
	case TP_ITERATION_PREFILL:
		return TP_SERVING_PREFILL;
	case TP_ITERATION_DECODE:
		return TP_SERVING_DECODE;
	case TP_ITERATION_MIXED:
		return TP_SERVING_MIXED;
	case TP_ITERATION_UNKNOWN:
	case TP_ITERATION_FORWARD:
	case TP_ITERATION_BACKWARD:
	case TP_ITERATION_OPTIMIZER:
		break;
	}
	return TP_SERVING_OTHER;
}

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

/* The iterations of one engine. */
static void
look_at_lane(struct making *m, const struct tp_torch_trace_steps *s)
{
	uint32_t count;

	for (uint32_t i = 0; i < m->lane->count; i++) {
		const struct tp_torch_step *step = &m->lane->steps[i];
		const struct tp_torch_step *next = i + 1 < m->lane->count ? step + 1 : NULL;

		m->list[i].kind = kind_of(s->iterations.families[step->family].phase);
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

static struct tp_stats
stats_over(
	const struct tp_serving *s, int kind, size_t offset, double *values, struct tp_arena *scratch)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_serving_iteration *it = &s->iterations[i];
		double value = *(const double *)(const void *)((const char *)it + offset);

		if ((kind == TP_SERVING_KINDS || (int)it->kind == kind) && isfinite(value))
			values[n++] = value;
	}
	return tp_stats_of(values, n, scratch);
}

static int64_t
plus(int64_t sum, int64_t more)
{
	return more < 0 ? sum : (sum < 0 ? 0 : sum) + more;
}

/* Tokens that an iteration makes: one for each request that is decoded and for each prompt that is complete; a name does not say
 * whether a prompt goes on, so that each counts. −1: not told, as where guesses of a draft may be rejected. */
static int64_t
made(const struct tp_iteration_name *says)
{
	return says->drafted ? -1 : plus(plus(-1, says->decode_tokens), says->prompt_requests);
}

static int64_t
requests(const struct tp_iteration_name *says)
{
	return plus(plus(-1, says->prompt_requests), says->decode_requests);
}

static void
add_to(struct tp_serving_sum *sum, const struct tp_serving_iteration *it)
{
	int64_t out = made(&it->says), in = it->says.prompt_tokens, batch = requests(&it->says);

	sum->count++;
	sum->unmarked += it->unmarked;
	sum->time_ps += it->time_ps;
	sum->gap_sum_ps += isfinite(it->gap_ps) ? it->gap_ps : 0;
	sum->busy_sum_ps += isfinite(it->busy_ps) ? it->busy_ps : 0;
	sum->graph_ps += it->graph_ps;
	sum->work_ps += it->work_ps;
	sum->with_graph += it->graphs != 0;
	sum->launches += it->graphs == 0 ? it->launches : 0;
	sum->tokens_in = plus(sum->tokens_in, in);
	sum->tokens_out = plus(sum->tokens_out, out);
	sum->decoded = plus(sum->decoded, it->says.decode_tokens);
	sum->tokens_told += out >= 0;
	if (batch < 0)
		return;
	if (sum->requests_min < 0 || batch < sum->requests_min)
		sum->requests_min = batch;
	if (batch > sum->requests_max)
		sum->requests_max = batch;
}

static struct tp_serving_sum
sum_of(const struct tp_serving *s, int kind, struct tp_arena *scratch)
{
	struct tp_serving_sum sum = {
		.requests_min = -1, .requests_max = -1, .tokens_in = -1, .tokens_out = -1, .decoded = -1};
	double *values = tp_new_array(scratch, double, s->count);

	for (uint32_t i = 0; i < s->count; i++) {
		if (kind == TP_SERVING_KINDS || (int)s->iterations[i].kind == kind)
			add_to(&sum, &s->iterations[i]);
	}
	sum.time = stats_over(s, kind, offsetof(struct tp_serving_iteration, time_ps), values, scratch);
	sum.busy = stats_over(s, kind, offsetof(struct tp_serving_iteration, busy_ps), values, scratch);
	sum.gap = stats_over(s, kind, offsetof(struct tp_serving_iteration, gap_ps), values, scratch);
	if (sum.count > sum.with_graph)
		sum.launches /= sum.count - sum.with_graph;
	return sum;
}

/* From a token of a request to its next one: as long as an iteration that decodes, and what comes before the next. */
static void
find_per_token(struct tp_serving *s, struct tp_arena *scratch)
{
	double *values = tp_new_array(scratch, double, s->count);
	size_t n = 0;

	for (uint32_t i = 1; i < s->count; i++) {
		const struct tp_serving_iteration *it = &s->iterations[i], *before = it - 1;
		bool decodes = it->kind == TP_SERVING_DECODE || it->kind == TP_SERVING_MIXED;

		if (decodes && it->trace == before->trace && it->engine == before->engine)
			values[n++] = (double)(it->end_ps - before->end_ps);
	}
	s->per_token = tp_stats_of(values, n, scratch);
}

/* Ranks of one model make the same tokens together; engines in one trace each make their own. So tokens are those of the first
 * trace, all of its engines. */
static void
find_tokens(struct tp_serving *s)
{
	int64_t first_ps = INT64_MAX, last_ps = INT64_MIN;
	double out = 0, in = 0, decoded = 0;
	bool told = true, computed = true, drafted = false;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_serving_iteration *it = &s->iterations[i];
		int64_t tokens = made(&it->says);

		if (it->trace != 0)
			continue;
		told &= tokens >= 0;
		drafted |= it->says.drafted;
		computed &= tokens >= 0 || it->says.decode_tokens >= 0;
		out += tokens > 0 ? (double)tokens : 0;
		in += it->says.prompt_tokens > 0 ? (double)it->says.prompt_tokens : 0;
		decoded += it->says.decode_tokens > 0 ? (double)it->says.decode_tokens : 0;
		first_ps = tp_earlier(first_ps, it->start_ps);
		last_ps = tp_later(last_ps, it->end_ps);
	}
	s->seconds = last_ps > first_ps ? (double)(last_ps - first_ps) / 1e12 : 0;
	s->tokens_out = told ? out : NAN;
	s->tokens_in = computed ? in : NAN;
	s->decode_tokens = computed ? decoded : NAN;
	if (!told)
		s->no_tokens = drafted
			? TP_S("a draft guesses tokens, and names do not say how many of them are accepted")
			: s->of_kernels
			? TP_S("the capture holds no annotations, which say how many requests an iteration has")
			: TP_S("names of iterations do not say how many requests each has");
	s->drafted = drafted;
}

static void
find_window(struct tp_serving *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_serving_iteration *it = &s->iterations[i];
		const struct tp_serving_iteration *next = i + 1 < s->count ? it + 1 : NULL;
		bool last = next == NULL || next->trace != it->trace || next->engine != it->engine;
		double whole = last ? it->time_ps : (double)(next->start_ps - it->start_ps);

		s->window_ps += whole;
		s->idle_ps += whole - it->time_ps;
		s->inside_ps += isfinite(it->busy_ps) ? tp_larger(0, it->time_ps - it->busy_ps) : 0;
	}
}

static void
name_kinds(struct tp_serving *s, const struct tp_torch_stepped *stepped, uint32_t traces)
{
	s->confidence = 1;
	for (uint32_t i = traces; i-- > 0;) {
		const struct tp_torch_trace_steps *t = tp_torch_serving_of(stepped, i);

		if (t == NULL)
			continue;
		s->confidence = tp_smaller(s->confidence, t->confidence);
		s->of_kernels |= t->from == TP_TORCH_FROM_KERNELS;
		for (uint32_t f = 0; f < t->iterations.family_count; f++) {
			const struct tp_torch_family *family = &t->iterations.families[f];
			struct tp_serving_sum *sum = &s->kinds[kind_of(family->phase)];

			sum->pattern = family->pattern;
			sum->guessed |= family->guessed;
			s->engine = family->engine != NULL ? family->engine : s->engine;
		}
	}
}

static enum tp_status
none_serves(const struct tp_torch_stepped *stepped, uint32_t traces, struct tp_err *err)
{
	for (uint32_t i = 0; i < traces; i++) {
		const struct tp_torch_trace_steps *t = &stepped->traces[i];

		if (t->from == TP_TORCH_FROM_KERNELS && t->iterations.no_phase != NULL)
			return tp_fail(
				err, TP_ABSENT, "kernels repeat in iterations, but %s", t->iterations.no_phase);
	}
	return tp_fail(err, TP_ABSENT,
		"no annotation and no order of kernels shows iterations of an inference engine");
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_serving *s = tp_new(ctx->keep, struct tp_serving);
	struct tp_serving_iteration *list;
	size_t most = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *t = tp_torch_serving_of(stepped, i);

		for (uint32_t l = 0; t != NULL && l < t->lane_count; l++)
			most += t->lanes[l].count;
	}
	if (most == 0)
		return none_serves(stepped, torch->trace_count, err);
	s->iterations = list = tp_new_array(ctx->keep, struct tp_serving_iteration, most);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *t = tp_torch_serving_of(stepped, i);

		for (uint32_t l = 0; t != NULL && l < t->lane_count; l++) {
			struct making m = {.ctx = ctx,
				.t = torch->traces[i],
				.links = &linked->traces[i],
				.lane = &t->lanes[l],
				.names = tp_torch_kernel_names_new(ctx->profile, ctx->scratch),
				.list = list + s->count};

			look_at_lane(&m, t);
			for (uint32_t k = 0; k < t->lanes[l].count; k++) {
				m.list[k].trace = s->traces;
				m.list[k].engine = l;
			}
			s->count += t->lanes[l].count;
			s->engines++;
		}
		s->traces += t != NULL;
	}
	for (int k = 0; k < TP_SERVING_KINDS; k++)
		s->kinds[k] = sum_of(s, k, ctx->scratch);
	s->all = sum_of(s, TP_SERVING_KINDS, ctx->scratch);
	name_kinds(s, stepped, torch->trace_count);
	find_tokens(s);
	find_window(s);
	find_per_token(s, ctx->scratch);
	s->kernels = tp_serving_kernels_of(ctx, s);
	*result = s;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_torch_steps, &tp_pass_torch_correlation, NULL};

const struct tp_pass tp_pass_serving = {
	.name = "serving",
	.title = "Serving",
	.summary = "inference engines: iterations by kind, tokens per second, host gaps, CUDA graphs, "
			   "kernels by family, triage tables",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_SERVING,
	.analyze = analyze,
	.metrics = tp_serving_metrics,
	.present = tp_serving_present,
	.lacks_nothing = "the steps pass says what marks iterations",
};
