/* Statistics of each operation of each process group: of every worker, and of all together. And of messages by sender and
 * receiver: how many, how long, and which side waits for the other. */
#include "analyze/torch/comm/torch_comm_group.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

static int
by_kind(const void *left, const void *right, void *calls)
{
	uint32_t i = *(const uint32_t *)left, k = *(const uint32_t *)right;
	const struct tp_torch_comm_call *a = (struct tp_torch_comm_call *)calls + i;
	const struct tp_torch_comm_call *b = (struct tp_torch_comm_call *)calls + k;

	return TP_UP(group) ?: TP_UP(op) ?: (i > k) - (i < k);
}

/* The longest first. */
TP_ORDER(by_latency, struct tp_torch_comm_sum, TP_UP(trace), TP_DOWN(latency_ps), TP_DOWN(host_ps),
	TP_UP(group), TP_UP(op));

/* Room for the intervals of the calls at hand: their ranges, transfers and host spans. */
struct covered {
	struct tp_buf ranges, transfers, spans;
};

static void
add_interval(struct tp_buf *b, int64_t start_ps, int64_t end_ps)
{
	TP_PUSH(b, struct tp_interval, start_ps, end_ps);
}

static double
cover(struct tp_buf *b)
{
	size_t count = tp_intervals_unite(b->data, b->count);

	b->count = 0;
	return (double)tp_intervals_ps(b->data, count);
}

static void
add_bus(const struct tp_torch_comm *c, const struct tp_torch_comm_call *call, double length,
	double transfer, int64_t world, struct tp_torch_comm_sum *sum)
{
	int64_t n = c->groups[call->group].size > 0 ? c->groups[call->group].size : world;
	double bytes = call->away_bytes >= 0
		? (double)call->away_bytes
		: tp_torch_comm_bus_bytes(c->ops[call->op].kind, call->in_bytes, call->out_bytes, n);

	if (!(bytes > 0) || !(length > 0))
		return;
	sum->bus_bytes += bytes;
	sum->bus_ps += length;
	if (transfer > 0) {
		sum->bus_matched_bytes += bytes;
		sum->bus_transfer_ps += transfer;
	}
}

static void
add_call(const struct tp_torch_comm *c, const struct tp_torch_comm_trace *t,
	const struct tp_torch_comm_call *call, int64_t world, struct covered *room,
	struct tp_torch_comm_sum *sum)
{
	double length = 0, transfer = 0;

	sum->calls++;
	sum->measured += call->count != 0;
	sum->matched += call->match != TP_NONE && call->count != 0;
	sum->grouped += call->through != TP_NONE;
	/* What is only received is what is told. */
	int64_t bytes = call->in_bytes > 0 ? call->in_bytes
		: call->out_bytes > 0          ? call->out_bytes
									   : call->in_bytes;

	sum->sized += bytes >= 0;
	sum->bytes += bytes > 0 ? (double)bytes : 0;
	if (call->host_ps >= 0) {
		sum->host_calls++;
		add_interval(&room->spans, call->order_ps, call->order_ps + call->host_ps);
	}
	for (uint32_t k = call->first; k < call->first + call->count; k++) {
		const struct tp_interval *range = &t->ranges[k];

		add_interval(&room->ranges, range->start_ps, range->end_ps);
		add_interval(&room->transfers, range->end_ps - t->transfer_ps[k], range->end_ps);
		length += (double)(range->end_ps - range->start_ps);
		transfer += (double)t->transfer_ps[k];
	}
	sum->calls_ps += length;
	sum->calls_transfer_ps += transfer;
	add_bus(c, call, length, transfer, world, sum);
}

/* Adds the sums of one trace to `each`. */
static void
sum_trace(const struct tp_torch_comm *c, uint32_t trace, int64_t world, struct tp_buf *each,
	struct covered *room)
{
	const struct tp_torch_comm_trace *t = &c->traces[trace];
	struct tp_buf buf = {0};
	uint32_t *order = tp_buf_room(&buf, t->call_count, sizeof *order);

	for (uint32_t i = 0; i < t->call_count; i++)
		order[i] = i;
	qsort_r(order, t->call_count, sizeof *order, by_kind, t->calls);
	for (uint32_t i = 0; i < t->call_count;) {
		const struct tp_torch_comm_call *first = &t->calls[order[i]];
		struct tp_torch_comm_sum sum = {.op = first->op, .group = first->group, .trace = trace};

		while (i < t->call_count && t->calls[order[i]].group == first->group &&
			t->calls[order[i]].op == first->op)
			add_call(c, t, &t->calls[order[i++]], world, room, &sum);
		sum.latency_ps = cover(&room->ranges);
		sum.transfer_ps = cover(&room->transfers);
		sum.host_ps = cover(&room->spans);
		*(struct tp_torch_comm_sum *)tp_buf_add(each, sizeof sum) = sum;
	}
	tp_buf_free(&buf);
}

static void
add_sum(struct tp_torch_comm_sum *all, const struct tp_torch_comm_sum *s)
{
	all->calls += s->calls;
	all->measured += s->measured;
	all->matched += s->matched;
	all->grouped += s->grouped;
	all->sized += s->sized;
	all->bytes += s->bytes;
	all->latency_ps += s->latency_ps;
	all->transfer_ps += s->transfer_ps;
	all->calls_ps += s->calls_ps;
	all->calls_transfer_ps += s->calls_transfer_ps;
	all->host_ps += s->host_ps;
	all->host_calls += s->host_calls;
	all->bus_bytes += s->bus_bytes;
	all->bus_ps += s->bus_ps;
	all->bus_transfer_ps += s->bus_transfer_ps;
	all->bus_matched_bytes += s->bus_matched_bytes;
}

static void
sum_all(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct tp_map found;

	tp_map_init(&found, ctx->scratch);
	c->sums = tp_new_array(ctx->keep, struct tp_torch_comm_sum, c->each_count);
	for (size_t i = 0; i < c->each_count; i++) {
		const struct tp_torch_comm_sum *s = &c->each[i];
		uint32_t at;

		if (tp_map_number(&found, (uint64_t)s->group << 32 | s->op, &at))
			c->sums[c->sum_count++] =
				(struct tp_torch_comm_sum){.op = s->op, .group = s->group, .trace = TP_NONE};
		add_sum(&c->sums[at], s);
	}
	qsort(c->sums, c->sum_count, sizeof *c->sums, by_latency);
}

/* A side waits from its begin until the other's, but no longer than its own part takes: a small message is sent before
 * anybody receives it. */
static void
add_times(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_sides *s, struct tp_torch_comm_pair *pair)
{
	const struct tp_torch_comm_trace *from = &c->traces[s->send.trace];
	const struct tp_torch_comm_trace *to = &c->traces[s->receive.trace];
	double send = (double)(s->send.call->end_ps - s->send.call->start_ps);
	double receive = (double)(s->receive.call->end_ps - s->receive.call->start_ps);
	double later = tp_torch_comm_clock(ctx, s->send.trace, s->send.begin_ps) -
		tp_torch_comm_clock(ctx, s->receive.trace, s->receive.begin_ps);

	pair->send_ps += send;
	pair->receive_ps += receive;
	pair->transfer_ps += fmin(send, receive);
	if (!tp_torch_comm_comparable(c, s->send.trace, s->receive.trace)) {
		pair->sender_waits_ps = pair->receiver_waits_ps = NAN;
		return;
	}
	if (from->clock_used && to->clock_used)
		later -= from->clock_ps - to->clock_ps;
	if (later > 0)
		pair->receiver_waits_ps += fmin(later, (double)(s->receive.end_ps - s->receive.begin_ps));
	else
		pair->sender_waits_ps += fmin(-later, (double)(s->send.end_ps - s->send.begin_ps));
}

struct finding {
	const struct tp_pass_ctx *ctx;
	struct tp_torch_comm *c;
	struct tp_map map; /* group, from and to → index */
	struct tp_buf pairs;
};

static struct tp_torch_comm_pair *
pair_of(struct finding *f, const struct tp_torch_comm_call *call)
{
	uint64_t key =
		tp_hash_pair(tp_hash_pair((uint64_t)call->from, (uint64_t)call->to), call->group);
	uint32_t at;

	if (tp_map_number(&f->map, key, &at))
		TP_PUSH(&f->pairs, struct tp_torch_comm_pair, .group = call->group, .from = call->from,
			.to = call->to, .from_trace = TP_NONE, .to_trace = TP_NONE);
	return (struct tp_torch_comm_pair *)f->pairs.data + at;
}

static void
count_messages(struct finding *f, uint32_t trace)
{
	const struct tp_torch_comm_trace *t = &f->c->traces[trace];

	for (uint32_t i = 0; i < t->call_count; i++) {
		const struct tp_torch_comm_call *call = &t->calls[i];

		if (call->from < 0 || call->to < 0)
			continue;
		struct tp_torch_comm_pair *pair = pair_of(f, call);
		bool sends = tp_slice_eq(f->c->ops[call->op].name, TP_S("send"));
		uint32_t *first = sends ? &pair->from_trace : &pair->to_trace;

		*(sends ? &pair->sends : &pair->receives) += 1;
		if (*first == TP_NONE)
			*first = trace;
	}
}

/* Messages that the same two kernels carry stand one after the other: their time counts once. */
static void
add_matches(struct finding *f)
{
	const struct tp_torch_comm *c = f->c;
	struct tp_torch_comm_sides before = {0};

	for (size_t i = 0; i < c->match_count; i++) {
		if (!tp_torch_comm_is_message(c, &c->matches[i]))
			continue;
		const struct tp_torch_comm_member *who = &c->matched[c->matches[i].first];
		const struct tp_torch_comm_call *calls[2];
		struct tp_torch_comm_sides s = tp_torch_comm_sides(c, &c->matches[i]);
		int64_t bytes = -1;

		for (int k = 0; k < 2; k++) {
			calls[k] = tp_torch_comm_call_of(c, &who[k]);
			bytes = bytes > 0 ? bytes : calls[k]->in_bytes;
			bytes = bytes > 0 ? bytes : calls[k]->out_bytes;
		}
		struct tp_torch_comm_pair *pair = pair_of(f, calls[0]);

		pair->matched++;
		pair->grouped += calls[0]->through != TP_NONE || calls[1]->through != TP_NONE;
		pair->sized += bytes >= 0;
		pair->bytes += bytes > 0 ? (double)bytes : 0;
		if (s.send.call != before.send.call || s.receive.call != before.receive.call)
			add_times(f->ctx, c, &s, pair);
		before = s;
	}
}

static double
waits(const struct tp_torch_comm_pair *p)
{
	double sum = p->sender_waits_ps + p->receiver_waits_ps;

	return isfinite(sum) ? sum : -1;
}

/* The longest wait first, then by ranks. */
TP_ORDER(by_wait, struct tp_torch_comm_pair, (waits(a) < waits(b)) - (waits(a) > waits(b)),
	TP_UP(from), TP_UP(to), TP_UP(group));

static void
sum_pairs(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct finding f = {.ctx = ctx, .c = c};

	tp_map_init(&f.map, ctx->scratch);
	for (uint32_t i = 0; i < c->trace_count; i++)
		count_messages(&f, i);
	add_matches(&f);
	c->pair_count = f.pairs.count;
	c->pairs = tp_buf_settle(&f.pairs, sizeof *c->pairs, ctx->keep);
	qsort(c->pairs, c->pair_count, sizeof *c->pairs, by_wait);
}

void
tp_torch_comm_sums(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct tp_buf each = {0};
	struct covered room = {0};

	for (uint32_t i = 0; i < c->trace_count; i++)
		sum_trace(c, i, ctx->profile->torch->traces[i]->distributed.world_size, &each, &room);
	c->each_count = each.count;
	c->each = tp_buf_settle(&each, sizeof *c->each, ctx->keep);
	qsort(c->each, c->each_count, sizeof *c->each, by_latency);
	sum_all(ctx, c);
	sum_pairs(ctx, c);
	tp_buf_free(&room.ranges);
	tp_buf_free(&room.transfers);
	tp_buf_free(&room.spans);
}
