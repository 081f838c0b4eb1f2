/* The workers' clocks, compared by the ends of collectives that all leave together. In each group a worker's difference is the
 * median over the group's collectives, so that a few that end unevenly do not count. Groups overlap: what a clock is late by is
 * then the least-squares fit to all groups that the worker is in, found by turns: the level of each group from its workers, the
 * clock of each worker from its groups. And by these clocks, who comes last to collectives, and what the others wait for it. */
#include "analyze/torch/comm/torch_comm.h"

#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

/* Turns; each brings what is linked by many groups in a row nearer to each other. */
enum { TURNS = 200 };

/* By how much a trace ends the collectives of a group in a span later than the median of those that take part. */
struct difference {
	uint32_t trace, level;
	double ps;
};

struct fit {
	struct tp_buf differences;
	uint32_t levels; /* groups, by span */
};

/* Whether all workers leave it together: of a broadcast the root may leave early. */
static bool
ends_together(const struct tp_torch_comm *c, const struct tp_torch_comm_match *m)
{
	enum tp_torch_comm_kind kind = c->ops[tp_torch_comm_call_of(c, &c->matched[m->first])->op].kind;

	return m->count > 1 &&
		(kind == TP_TORCH_COMM_REDUCES || kind == TP_TORCH_COMM_SCATTERS ||
			kind == TP_TORCH_COMM_GATHERS || kind == TP_TORCH_COMM_IS_BARRIER);
}

/* Adds what each worker is later than the median of one collective's. */
static void
compare(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_match *m, struct tp_buf *room, struct tp_buf *late)
{
	const struct tp_torch_comm_member *who = &c->matched[m->first];
	double *sorted = tp_buf_room(room, m->count, sizeof *sorted), median;

	for (uint32_t k = 0; k < m->count; k++)
		sorted[k] =
			tp_torch_comm_clock(ctx, who[k].trace, tp_torch_comm_call_of(c, &who[k])->end_ps);
	median = tp_torch_comm_median(sorted, m->count);
	for (uint32_t k = 0; k < m->count; k++)
		*(double *)tp_buf_add(&late[who[k].trace], sizeof median) =
			tp_torch_comm_clock(ctx, who[k].trace, tp_torch_comm_call_of(c, &who[k])->end_ps) -
			median;
}

/* What was compared of one group: a difference for each worker in it. How it varies is told by the group with most. */
static void
conclude(struct tp_torch_comm *c, struct tp_buf *late, struct fit *f)
{
	for (uint32_t i = 0; i < c->trace_count; i++) {
		struct tp_torch_comm_trace *t = &c->traces[i];
		double *values = late[i].data, median = tp_torch_comm_median(values, late[i].count);

		if (late[i].count == 0)
			continue;
		TP_PUSH(&f->differences, struct difference, i, f->levels, median);
		for (size_t k = 0; k < late[i].count; k++)
			values[k] = fabs(values[k] - median);
		if (late[i].count > t->clock_count)
			t->clock_spread_ps = tp_torch_comm_median(values, late[i].count);
		t->clock_count = late[i].count > t->clock_count ? late[i].count : t->clock_count;
		late[i].count = 0;
	}
	f->levels++;
}

/* level = mean of (clock − difference), clock = mean of (level + difference), in turns. */
static void
solve(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c, const struct fit *f)
{
	const struct difference *d = f->differences.data;
	size_t count = f->differences.count;
	double *level = tp_new_array(ctx->scratch, double, f->levels);
	double *of_level = tp_new_array(ctx->scratch, double, f->levels);
	double *clock = tp_new_array(ctx->scratch, double, c->trace_count);
	double *of_trace = tp_new_array(ctx->scratch, double, c->trace_count);

	for (size_t i = 0; i < count; i++) {
		of_level[d[i].level]++;
		of_trace[d[i].trace]++;
	}
	for (int turn = 0; turn < TURNS; turn++) {
		memset(level, 0, f->levels * sizeof *level);
		for (size_t i = 0; i < count; i++)
			level[d[i].level] += (clock[d[i].trace] - d[i].ps) / of_level[d[i].level];
		memset(clock, 0, c->trace_count * sizeof *clock);
		for (size_t i = 0; i < count; i++)
			clock[d[i].trace] += (level[d[i].level] + d[i].ps) / of_trace[d[i].trace];
	}
	for (uint32_t i = 0; i < c->trace_count; i++)
		c->traces[i].clock_ps = of_trace[i] > 0 ? clock[i] : NAN;
}

/* Those that some group's collectives compare are in line with each other. */
static void
find_parts(struct tp_torch_comm *c, const struct fit *f)
{
	const struct difference *d = f->differences.data;

	for (uint32_t i = 0; i < c->trace_count; i++)
		c->traces[i].clock_part = i;
	for (size_t k = 1; k < f->differences.count; k++) {
		uint32_t from = c->traces[d[k].trace].clock_part;
		uint32_t to = c->traces[d[k - 1].trace].clock_part;

		if (d[k].level != d[k - 1].level || from == to)
			continue;
		for (uint32_t i = 0; i < c->trace_count; i++)
			c->traces[i].clock_part =
				c->traces[i].clock_part == from ? to : c->traces[i].clock_part;
	}
}

/* Clocks of workers that no collective compares, by messages between them in both directions. What is received was sent before:
 * by the receiver's clock the end, less by the sender's the begin, is at least what the receiver's clock is ahead. The least of
 * it in one direction and the least in the other bound the difference from both sides; its middle is taken (Cristian,
 * Probabilistic clock synchronization, 1989). The narrowest bounds first, each worker or group of workers that collectives
 * compare is put in line with the others.
 *
 * Two traces, and the least of their messages' flights by both clocks: */
struct clock_link {
	uint32_t traces[2];
	double flight_ps[2]; /* to the second, and to the first; infinite: none */
	uint64_t count;
};

static double
half_width(const struct clock_link *l)
{
	return (l->flight_ps[0] + l->flight_ps[1]) / 2;
}

TP_ORDER(by_width, struct clock_link,
	(half_width(a) > half_width(b)) - (half_width(a) < half_width(b)), TP_UP(traces[0]),
	TP_UP(traces[1]));

static void
add_flight(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_match *m, struct tp_map *found, struct tp_buf *links)
{
	struct tp_torch_comm_sides s = tp_torch_comm_sides(c, m);
	bool back = s.send.trace > s.receive.trace;
	uint32_t first = back ? s.receive.trace : s.send.trace;
	uint32_t second = back ? s.send.trace : s.receive.trace;
	uint64_t key = tp_hash_pair(first, second);
	uint32_t at;
	double flight_ps = tp_torch_comm_clock(ctx, s.receive.trace, s.receive.end_ps) -
		tp_torch_comm_clock(ctx, s.send.trace, s.send.begin_ps);

	if (tp_map_number(found, key, &at))
		TP_PUSH(links, struct clock_link, {first, second}, {INFINITY, INFINITY}, 0);
	struct clock_link *l = (struct clock_link *)links->data + at;

	l->flight_ps[back] = fmin(l->flight_ps[back], flight_ps);
	l->count++;
}

/* Shifts all that are in line with the second, so that it is in line with the first. */
static void
align(struct tp_torch_comm *c, const struct clock_link *l)
{
	struct tp_torch_comm_trace *a = &c->traces[l->traces[0]], *b = &c->traces[l->traces[1]];
	double shift_ps = a->clock_ps + (l->flight_ps[0] - l->flight_ps[1]) / 2 - b->clock_ps;
	uint32_t from = b->clock_part;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		if (c->traces[i].clock_part != from)
			continue;
		c->traces[i].clock_part = a->clock_part;
		c->traces[i].clock_ps += shift_ps;
	}
}

/* A worker that nothing compared before is what it is by this link. */
static void
begin_with(struct tp_torch_comm_trace *t, const struct clock_link *l)
{
	if (t->clock_count != 0)
		return;
	t->clock_ps = 0;
	t->clock_count = l->count;
	t->clock_spread_ps = half_width(l);
}

static void
link_by_messages(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct tp_buf buf = {0};
	struct tp_map found;

	tp_map_init(&found, ctx->scratch);
	for (size_t i = 0; i < c->match_count; i++) {
		if (tp_torch_comm_is_message(c, &c->matches[i]))
			add_flight(ctx, c, &c->matches[i], &found, &buf);
	}
	struct clock_link *links = buf.data;

	if (buf.count != 0)
		qsort(links, buf.count, sizeof *links, by_width);
	for (size_t i = 0; i < buf.count && isfinite(half_width(&links[i])); i++) {
		struct tp_torch_comm_trace *a = &c->traces[links[i].traces[0]];
		struct tp_torch_comm_trace *b = &c->traces[links[i].traces[1]];

		/* Less than nothing: these are not the same messages. */
		if (half_width(&links[i]) < 0 || a->clock_part == b->clock_part)
			continue;
		begin_with(a, &links[i]);
		begin_with(b, &links[i]);
		align(c, &links[i]);
		c->clock_link_ps = fmax(c->clock_link_ps, half_width(&links[i]));
	}
	tp_buf_free(&buf);
}

/* Clocks count from the median of the span's. */
static void
center(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct tp_torch_trace *const *traces = ctx->profile->torch->traces;
	double *values = tp_new_array(ctx->scratch, double, c->trace_count);
	uint32_t last_span = 0;

	for (uint32_t i = 0; i < c->trace_count; i++)
		last_span = traces[i]->span_number > last_span ? traces[i]->span_number : last_span;
	for (uint32_t span = 0; span <= last_span; span++) {
		size_t count = 0;

		for (uint32_t i = 0; i < c->trace_count; i++) {
			if (traces[i]->span_number == span && isfinite(c->traces[i].clock_ps))
				values[count++] = c->traces[i].clock_ps;
		}
		double median = tp_torch_comm_median(values, count);

		for (uint32_t i = 0; i < c->trace_count; i++) {
			if (traces[i]->span_number == span)
				c->traces[i].clock_ps -= median;
		}
	}
}

static void
take_back(struct tp_torch_comm *c, struct tp_torch_comm_match *m)
{
	for (uint32_t k = 0; k < m->count; k++) {
		const struct tp_torch_comm_member *who = &c->matched[m->first + k];

		c->traces[who->trace].calls[who->call].match = TP_NONE;
	}
	m->count = 0;
}

/* By the clock of all, as far as it is known. */
static double
aligned(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, uint32_t trace, int64_t ps)
{
	const struct tp_torch_comm_trace *t = &c->traces[trace];

	return tp_torch_comm_clock(ctx, trace, ps) - (t->clock_used ? t->clock_ps : 0);
}

/* When a call began. */
static double
arrival(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_member *who)
{
	return aligned(ctx, c, who->trace, tp_torch_comm_call_of(c, who)->start_ps);
}

static bool
overlaps(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_match *m)
{
	double last_start = -INFINITY, first_end = INFINITY;

	for (uint32_t k = 0; k < m->count; k++) {
		const struct tp_torch_comm_member *who = &c->matched[m->first + k];

		last_start = fmax(last_start, arrival(ctx, c, who));
		first_end =
			fmin(first_end, aligned(ctx, c, who->trace, tp_torch_comm_call_of(c, who)->end_ps));
	}
	return last_start <= first_end;
}

/* As far as the clocks are known: what is received too early by more than they may be wrong was captured elsewhere. */
static bool
arrives_after_it_left(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_match *m)
{
	struct tp_torch_comm_sides s = tp_torch_comm_sides(c, m);
	double unsure_ps = c->one_host ? 0
								   : c->traces[s.send.trace].clock_spread_ps +
			c->traces[s.receive.trace].clock_spread_ps + 2 * c->clock_link_ps;

	return !tp_torch_comm_comparable(c, s.send.trace, s.receive.trace) ||
		aligned(ctx, c, s.receive.trace, s.receive.end_ps) + unsure_ps >=
		aligned(ctx, c, s.send.trace, s.send.begin_ps);
}

/* Captures may hold other collectives at the same places: those that all leave together overlap in time, and a message is
 * received after it is sent. What does not is taken back. */
static void
take_back_impossible(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	for (size_t i = 0; i < c->match_count; i++) {
		struct tp_torch_comm_match *m = &c->matches[i];

		if (tp_torch_comm_is_message(c, m) ? !arrives_after_it_left(ctx, c, m)
										   : ends_together(c, m) && !overlaps(ctx, c, m))
			take_back(c, m);
	}
}

void
tp_torch_comm_clocks(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct tp_torch_trace *const *traces = ctx->profile->torch->traces;
	struct tp_buf *late = tp_new_array(ctx->scratch, struct tp_buf, c->trace_count), room = {0};
	struct fit f = {0};

	/* Matches stand by span, then group. */
	for (size_t i = 0; i < c->match_count; i++) {
		const struct tp_torch_comm_match *m = &c->matches[i], *next = m + 1;
		const struct tp_torch_comm_member *who = &c->matched[m->first];

		if (ends_together(c, m))
			compare(ctx, c, m, &room, late);
		if (i + 1 == c->match_count ||
			tp_torch_comm_call_of(c, who)->group !=
				tp_torch_comm_call_of(c, &c->matched[next->first])->group ||
			traces[who->trace]->span_number != traces[c->matched[next->first].trace]->span_number)
			conclude(c, late, &f);
	}
	solve(ctx, c, &f);
	find_parts(c, &f);
	link_by_messages(ctx, c);
	center(ctx, c);
	for (uint32_t i = 0; i < c->trace_count; i++) {
		c->traces[i].clock_used = !c->one_host && isfinite(c->traces[i].clock_ps);
		tp_buf_free(&late[i]);
	}
	take_back_impossible(ctx, c);
	tp_buf_free(&f.differences);
	tp_buf_free(&room);
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
count_late(
	const struct tp_pass_ctx *ctx, struct tp_torch_comm *c, const struct tp_torch_comm_match *m)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_comm_member *who = &c->matched[m->first];
	double last_ps = -INFINITY, wait_ps = 0, lead_ps = INFINITY;
	uint32_t last = 0;

	for (uint32_t k = 0; k < m->count; k++) {
		double at = arrival(ctx, c, &who[k]);

		last = at > last_ps ? k : last;
		last_ps = at > last_ps ? at : last_ps;
	}
	struct tp_torch_comm_trace *t = &c->traces[who[last].trace];

	if (!in_steps(&stepped->traces[who[last].trace], tp_torch_comm_call_of(c, &who[last])))
		return;
	for (uint32_t k = 0; k < m->count; k++) {
		struct tp_torch_comm_trace *of = &c->traces[who[k].trace];

		of->joined++;
		if (k == last)
			continue;
		double wait = wait_for(ctx, c, &who[k], last_ps);

		of->own_wait_ps += wait;
		wait_ps += wait / (m->count - 1);
		lead_ps = fmin(lead_ps, wait);
	}
	t->came_last++;
	t->others_wait_ps += wait_ps;
	t->lead_ps += lead_ps;
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

/* Messages do not count: a stage of a pipeline waits for the one before it by design. */
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
