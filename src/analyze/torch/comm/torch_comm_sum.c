/* Statistics of each operation of each process group: of every worker, and of all together. */
#include "analyze/torch/comm/torch_comm.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

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
	if (t->call_count != 0)
		qsort_r(order, t->call_count, sizeof *order, by_kind, t->calls);
	for (uint32_t i = 0; i < t->call_count;) {
		const struct tp_torch_comm_call *first = &t->calls[order[i]];
		struct tp_torch_comm_sum sum = {
			.op = first->op, .group = first->group, .trace = trace, .workers = 1};

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
	all->workers++;
	all->measured += s->measured;
	all->matched += s->matched;
	all->grouped += s->grouped;
	all->sized += s->sized;
	all->bytes += s->bytes;
	all->latency_ps += s->latency_ps;
	all->transfer_ps += s->transfer_ps;
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
	if (c->sum_count != 0)
		qsort(c->sums, c->sum_count, sizeof *c->sums, by_latency);
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
	if (c->each_count != 0)
		qsort(c->each, c->each_count, sizeof *c->each, by_latency);
	sum_all(ctx, c);
	tp_buf_free(&room.ranges);
	tp_buf_free(&room.transfers);
	tp_buf_free(&room.spans);
}
