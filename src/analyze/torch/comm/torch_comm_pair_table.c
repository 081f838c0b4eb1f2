/* The table of messages, by sender and receiver. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <math.h>

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

struct tp_slice
tp_torch_comm_end_name(const struct tp_pass_ctx *ctx, uint32_t trace, int64_t rank)
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

	cells->from.value = tp_text_value(tp_torch_comm_end_name(ctx, p->from_trace, p->from));
	cells->to.value = tp_text_value(tp_torch_comm_end_name(ctx, p->to_trace, p->to));
	tp_torch_comm_group_cell(ctx, &c->groups[p->group], &cells->group);
	cells->bytes.value = p->sized != 0 ? tp_number(p->bytes, TP_UNIT_BYTES)
									   : tp_missing(p->matched != 0 ? no_size : why_not(p));
	for (int k = 0; k < TIMES; k++)
		cells->times[k].value = p->matched == 0 ? tp_missing(why_not(p))
			: isfinite(times_ps[k])             ? tp_number(times_ps[k] / 1e9, TP_UNIT_MS)
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
	struct tp_slice from = tp_torch_comm_end_name(ctx, p->from_trace, p->from);
	struct tp_slice to = tp_torch_comm_end_name(ctx, p->to_trace, p->to);

	if (!(wait_ps > 0))
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/longest-wait",
		TP_SAY(doc,
			"Of messages, those from `{}` to `{}` wait longest: in all the {} waits {} for the "
			"other side to begin. In a pipeline a stage waits for its neighbours when it fills and "
			"drains, whoever works well: only what is longer than that is a slow stage.",
			tp_text_value(from), tp_text_value(to),
			tp_text_value(receiver ? TP_S("receiver") : TP_S("sender")),
			tp_number(wait_ps / 1e9, TP_UNIT_MS)));
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
