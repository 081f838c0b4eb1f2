/* Messages by sender and receiver: how many, how long, and which side waits for the other. */
#include "analyze/torch/comm/torch_comm.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

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
	uint32_t at = tp_map_get(&f->map, key);

	if (at == TP_MAP_NONE) {
		at = (uint32_t)f->pairs.count;
		*(struct tp_torch_comm_pair *)tp_buf_add(&f->pairs, sizeof(struct tp_torch_comm_pair)) =
			(struct tp_torch_comm_pair){.group = call->group,
				.from = call->from,
				.to = call->to,
				.from_trace = TP_NONE,
				.to_trace = TP_NONE};
		tp_map_put(&f->map, key, at);
	}
	return (struct tp_torch_comm_pair *)f->pairs.data + at;
}

static void
count_calls(struct finding *f, uint32_t trace)
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
static int
by_wait(const void *left, const void *right)
{
	const struct tp_torch_comm_pair *a = left, *b = right;

	if (waits(a) != waits(b))
		return waits(a) > waits(b) ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->group < b->group ? -1 : a->group > b->group;
}

void
tp_torch_comm_pairs(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct finding f = {.ctx = ctx, .c = c};

	tp_map_init(&f.map, ctx->scratch);
	for (uint32_t i = 0; i < c->trace_count; i++)
		count_calls(&f, i);
	add_matches(&f);
	c->pair_count = f.pairs.count;
	c->pairs = tp_buf_settle(&f.pairs, sizeof *c->pairs, ctx->keep);
	if (c->pair_count != 0)
		qsort(c->pairs, c->pair_count, sizeof *c->pairs, by_wait);
}
