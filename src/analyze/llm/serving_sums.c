/* Sums and rates of iterations. */
#include "analyze/llm/serving_sums.h"

#include "analyze/core/intervals.h"
#include "analyze/llm/serving_words.h"
#include "base/arena.h"

#include <math.h>

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
		s->no_tokens = drafted ? TP_S(why_speculative)
			: s->of_kernels    ? TP_S(why_no_annotation)
							   : TP_S(why_names_of_iterations);
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

void
tp_serving_sum_up(struct tp_serving *s, struct tp_arena *scratch)
{
	for (int k = 0; k < TP_SERVING_KINDS; k++)
		s->kinds[k] = sum_of(s, k, scratch);
	s->all = sum_of(s, TP_SERVING_KINDS, scratch);
}

void
tp_serving_find_rates(struct tp_serving *s, struct tp_arena *scratch)
{
	find_tokens(s);
	find_window(s);
	find_per_token(s, scratch);
}
