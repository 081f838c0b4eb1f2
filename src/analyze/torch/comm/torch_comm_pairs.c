/* Messages by sender and receiver: how many, how long, and which side waits for the other; and their table. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

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
	uint32_t at;

	if (tp_map_number(&f->map, key, &at))
		TP_PUSH(&f->pairs, struct tp_torch_comm_pair, .group = call->group, .from = call->from,
			.to = call->to, .from_trace = TP_NONE, .to_trace = TP_NONE);
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
TP_ORDER(by_wait, struct tp_torch_comm_pair, (waits(a) < waits(b)) - (waits(a) > waits(b)),
	TP_UP(from), TP_UP(to), TP_UP(group));

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

enum { MOST_ROWS = 5000 };

static const struct tp_column columns[] = {
	TP_COLUMN("from", "From", .code = true),
	TP_COLUMN("to", "To", .code = true),
	TP_COLUMN("group", "Process group", .code = true),
	TP_COUNT_COLUMN("sends", "Sends", TP_COUNT_FIELD(struct tp_torch_comm_pair, sends)),
	TP_COUNT_COLUMN("receives", "Receives", TP_COUNT_FIELD(struct tp_torch_comm_pair, receives)),
	TP_COUNT_COLUMN("matched", "Matched", TP_COUNT_FIELD(struct tp_torch_comm_pair, matched)),
	TP_COLUMN("bytes", "Size", .unit = TP_UNIT_BYTES),
	TP_COLUMN("send_ms", "Sending", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("receive_ms", "Receiving", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("transfer_ms", "Transfer", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("receiver_waits_ms", "Receiver waits", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("sender_waits_ms", "Sender waits", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("gb_per_s", "Bandwidth", .unit = TP_UNIT_GB_PER_S, .decimals = 2),
};
enum { TIMES = 5 };
struct pair_cells {
	struct tp_cell from, to, group, sends, receives, matched, bytes, times[TIMES], bandwidth;
};
TP_CELLS_ARE_COLUMNS(struct pair_cells, columns);

/* The worker of a trace, or (TP_NONE) "rank 5". */
static struct tp_slice
end_name(const struct tp_pass_ctx *ctx, uint32_t trace, int64_t rank)
{
	return trace != TP_NONE ? ctx->profile->torch->traces[trace]->worker
							: tp_arena_printf(ctx->keep, "rank %lld", (long long)rank);
}

static struct tp_slice
why_not(const struct tp_torch_comm_pair *p)
{
	if (p->from_trace == TP_NONE)
		return TP_S("the sender's trace is not in this report");
	if (p->to_trace == TP_NONE)
		return TP_S("the receiver's trace is not in this report");
	return TP_S("the traces do not hold the same messages");
}

static void
fill(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_pair *p, struct pair_cells *cells)
{
	const double times_ps[TIMES] = {
		p->send_ps, p->receive_ps, p->transfer_ps, p->receiver_waits_ps, p->sender_waits_ps};
	struct tp_slice grouped = TP_S("kernels of groups carry other messages too"),
					no_clock = TP_S("nothing tells how the two clocks differ"),
					no_size = TP_S("the trace tells no size (record_shapes=True)");

	cells->from.value = tp_text_value(end_name(ctx, p->from_trace, p->from));
	cells->to.value = tp_text_value(end_name(ctx, p->to_trace, p->to));
	tp_torch_comm_group_cell(ctx, &c->groups[p->group], &cells->group);
	cells->bytes.value = p->sized != 0 ? tp_number(p->bytes, TP_UNIT_BYTES)
									   : tp_missing(p->matched != 0 ? no_size : why_not(p));
	for (int k = 0; k < TIMES; k++)
		cells->times[k].value = p->matched == 0 ? tp_missing(why_not(p))
			: isfinite(times_ps[k])             ? tp_ps_in_ms(times_ps[k])
												: tp_missing(no_clock);
	cells->bandwidth.value = p->matched == 0 ? tp_missing(why_not(p))
		: p->grouped != 0                    ? tp_missing(grouped)
		: p->sized == p->matched && p->transfer_ps > 0
		? tp_number(p->bytes / p->transfer_ps * 1e3, TP_UNIT_GB_PER_S)
		: tp_missing(no_size);
}

/* The one that is waited for longest. In a pipeline waiting has its cause elsewhere, or none that could be mended. */
static void
say_longest(const struct tp_pass_ctx *ctx, const struct tp_torch_comm_pair *p, struct tp_doc *doc,
	struct tp_block *section)
{
	bool receiver = p->receiver_waits_ps >= p->sender_waits_ps;
	double wait_ps = receiver ? p->receiver_waits_ps : p->sender_waits_ps;
	struct tp_slice from = end_name(ctx, p->from_trace, p->from);
	struct tp_slice to = end_name(ctx, p->to_trace, p->to);

	if (!(wait_ps > 0))
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/longest-wait",
		TP_SAY(doc,
			"Of messages, those from `{}` to `{}` wait longest: in all the {} waits {} for the "
			"other side to begin. In a pipeline a stage waits for its neighbours when it fills and "
			"drains, whoever works well: only what is longer than that is a slow stage.",
			tp_text_value(from), tp_text_value(to),
			tp_text_value(receiver ? TP_S("receiver") : TP_S("sender")), tp_ps_in_ms(wait_ps)));
}

void
tp_torch_comm_pair_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	struct tp_doc *doc, struct tp_block *section)
{
	size_t rows = c->pair_count < MOST_ROWS ? c->pair_count : MOST_ROWS;

	if (rows == 0)
		return;
	say_longest(ctx, &c->pairs[0], doc, section);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/messages", columns);

	for (size_t i = 0; i < rows; i++) {
		const struct tp_torch_comm_pair *p = &c->pairs[i];

		fill(ctx, c, p,
			tp_draft_row_of(&draft,
				tp_arena_printf(ctx->keep, "%lld.%lld.%.*s", (long long)p->from, (long long)p->to,
					TP_ARG(c->groups[p->group].name)),
				TP_ROW_NORMAL, 0, p));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = rows == c->pair_count
		? TP_S("Messages by sender and receiver, of all spans: those that wait longest first")
		: tp_arena_printf(ctx->keep,
			  "Messages by sender and receiver: the first %zu of %zu that wait longest", rows,
			  c->pair_count);
}
