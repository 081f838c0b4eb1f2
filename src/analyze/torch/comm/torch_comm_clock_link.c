/* Clocks of workers that no collective compares, by messages between them in both directions. What is received was sent before:
 * by the receiver's clock the end, less by the sender's the begin, is at least what the receiver's clock is ahead. The least of
 * it in one direction and the least in the other bound the difference from both sides; its middle is taken (Cristian,
 * Probabilistic clock synchronization, 1989). The narrowest bounds first, each worker or group of workers that collectives
 * compare is put in line with the others. */
#include "analyze/torch/comm/torch_comm.h"

#include "base/arena.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

/* Two traces, and the least of their messages' flights by both clocks. */
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

static int
by_width(const void *left, const void *right)
{
	const struct clock_link *a = left, *b = right;
	double wide_a = half_width(a), wide_b = half_width(b);

	if (wide_a != wide_b)
		return wide_a < wide_b ? -1 : 1;
	if (a->traces[0] != b->traces[0])
		return a->traces[0] < b->traces[0] ? -1 : 1;
	return a->traces[1] < b->traces[1] ? -1 : a->traces[1] > b->traces[1];
}

static void
add_flight(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_match *m, struct tp_map *found, struct tp_buf *links)
{
	struct tp_torch_comm_sides s = tp_torch_comm_sides(c, m);
	bool back = s.send.trace > s.receive.trace;
	uint32_t first = back ? s.receive.trace : s.send.trace;
	uint32_t second = back ? s.send.trace : s.receive.trace;
	uint64_t key = tp_hash_pair(first, second);
	uint32_t at = tp_map_get(found, key);
	double flight_ps = tp_torch_comm_clock(ctx, s.receive.trace, s.receive.end_ps) -
		tp_torch_comm_clock(ctx, s.send.trace, s.send.begin_ps);

	if (at == TP_MAP_NONE) {
		at = (uint32_t)links->count;
		*(struct clock_link *)tp_buf_add(links, sizeof(struct clock_link)) =
			(struct clock_link){{first, second}, {INFINITY, INFINITY}, 0};
		tp_map_put(found, key, at);
	}
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
begin(struct tp_torch_comm_trace *t, const struct clock_link *l)
{
	if (t->clock_count != 0)
		return;
	t->clock_ps = 0;
	t->clock_count = l->count;
	t->clock_spread_ps = half_width(l);
}

void
tp_torch_comm_clock_links(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
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
		begin(a, &links[i]);
		begin(b, &links[i]);
		align(c, &links[i]);
		c->clock_link_ps = fmax(c->clock_link_ps, half_width(&links[i]));
	}
	tp_buf_free(&buf);
}
