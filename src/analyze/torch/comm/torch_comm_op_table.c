/* Tables of collectives: by operation and process group, of all workers and of each; and of messages, by sender and receiver. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/core/say.h"
#include "analyze/torch/comm/torch_comm_columns.h"
#include "analyze/torch/comm/torch_comm_words.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <math.h>

/* Rows of the tables by worker and of messages. */
enum { MOST_ROWS = 5000, RANKS_FIT = 24, RANKS_FULL = 240 };

static struct tp_slice
with_ranks(const struct tp_pass_ctx *ctx, struct tp_slice name, struct tp_slice ranks, size_t fits)
{
	return tp_arena_printf(
		ctx->keep, "%.*s %.*s", TP_ARG(name), TP_ARG(tp_utf8_shorten(ctx->scratch, ranks, fits)));
}

/* "default_pg [0,1]", its ranks cut: a group of thousands of workers stands in many rows. */
static void
group_cell(const struct tp_pass_ctx *ctx, const struct tp_torch_comm_group *g, struct tp_cell *cell)
{
	struct tp_slice name = g->name.len != 0 ? g->name : TP_S("not named");

	if (g->ranks.len == 0) {
		cell->value = tp_slice_eq(name, TP_TORCH_COMM_UNNAMED)
			? tp_missing(TP_S(why_group_not_named))
			: tp_text_value(name);
		return;
	}
	cell->value = tp_text_value(with_ranks(ctx, name, g->ranks, RANKS_FIT));
	if (g->ranks.len > RANKS_FIT)
		cell->full = with_ranks(ctx, name, g->ranks, RANKS_FULL);
}

static struct tp_value
of_time(double ps, uint64_t count, enum tp_unit unit, struct tp_slice why)
{
	return count != 0 ? tp_number(unit == TP_UNIT_MS ? ps / 1e9 : ps / 1e6 / (double)count, unit)
					  : tp_missing(why);
}

static struct tp_value
bandwidth(double bytes, double ps, struct tp_slice why)
{
	return ps > 0 ? tp_number(bytes / ps * 1e3, TP_UNIT_GB_PER_S) : tp_missing(why);
}

static void
fill(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_sum *s, struct tp_cell cell[FIGURES])
{
	const struct tp_torch_comm_group *g = &c->groups[s->group];
	bool barrier = c->ops[s->op].kind == TP_TORCH_COMM_IS_BARRIER;
	struct tp_slice no_data = TP_S(why_no_data),
					no_kernel = s->grouped != 0 ? TP_S(why_grouped) : TP_S(why_no_kernel),
					no_size = barrier ? no_data : TP_S(why_no_size),
					no_match = barrier ? no_data : TP_S(why_not_matched),
					no_host = TP_S(why_no_host_call), no_bus = TP_S(why_no_bus);
	uint64_t sized = barrier ? 0 : s->sized, matched = barrier ? 0 : s->matched;

	cell[OPERATION].value = tp_text_value(c->ops[s->op].name);
	group_cell(ctx, g, &cell[GROUP]);
	cell[GROUP_SIZE].value =
		g->size > 0 ? tp_count((uint64_t)g->size) : tp_missing(TP_S(why_group_not_named));
	cell[CALLS].value = tp_count(s->calls);
	cell[BYTES].value = sized != 0 ? tp_number(s->bytes, TP_UNIT_BYTES) : tp_missing(no_size);
	cell[MEAN_BYTES].value =
		sized != 0 ? tp_number(s->bytes / (double)sized, TP_UNIT_BYTES) : tp_missing(no_size);
	cell[LATENCY].value = of_time(s->latency_ps, s->measured, TP_UNIT_MS, no_kernel);
	cell[MEAN_LATENCY].value = of_time(s->calls_ps, s->measured, TP_UNIT_US, no_kernel);
	cell[TRANSFER].value = of_time(s->transfer_ps, matched, TP_UNIT_MS, no_match);
	cell[MEAN_TRANSFER].value = of_time(s->calls_transfer_ps, matched, TP_UNIT_US, no_match);
	cell[BUS].value =
		bandwidth(s->bus_matched_bytes, s->bus_transfer_ps, matched != 0 ? no_bus : no_match);
	cell[BUS_WITH_WAITING].value = bandwidth(s->bus_bytes, s->bus_ps, barrier ? no_data : no_bus);
	cell[HOST].value = of_time(s->host_ps, s->host_calls, TP_UNIT_MS, no_host);
	if (s->trace == TP_NONE)
		return;
	const struct tp_torch_trace *t = ctx->profile->torch->traces[s->trace];

	cell[WORKER].value = tp_text_value(t->worker);
	cell[SPAN].value = tp_text_value(tp_arena_printf(ctx->keep, "%u", t->span_number));
}

static struct tp_slice
sum_key(
	const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, const struct tp_torch_comm_sum *s)
{
	struct tp_slice op = c->ops[s->op].name, group = c->groups[s->group].name;

	if (s->trace == TP_NONE)
		return tp_arena_printf(ctx->keep, "%.*s.%.*s", TP_ARG(op), TP_ARG(group));
	const struct tp_torch_trace *t = ctx->profile->torch->traces[s->trace];

	return tp_arena_printf(ctx->keep, "%.*s.%u.%.*s.%.*s", TP_ARG(t->worker), t->span_number,
		TP_ARG(op), TP_ARG(group));
}

/* A table of the first rows of sums; chosen: which figures are its columns. */
static struct tp_table *
sum_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_sum *sums, size_t rows, const enum figure *chosen, size_t count,
	struct tp_doc *doc, struct tp_block *parent, const char *id, size_t shown)
{
	struct tp_column *columns = tp_new_array(ctx->keep, struct tp_column, count);
	struct tp_draft draft = tp_draft_table(doc, parent, id, columns, count);

	for (size_t k = 0; k < count; k++)
		columns[k] = figures[chosen[k]];
	for (size_t i = 0; i < rows; i++) {
		struct tp_cell all[FIGURES];
		struct tp_cell *cell = tp_draft_row(&draft, sum_key(ctx, c, &sums[i]), TP_ROW_NORMAL, 0);

		memset(all, 0, sizeof all);
		fill(ctx, c, &sums[i], all);
		for (size_t k = 0; k < count; k++)
			cell[k] = all[chosen[k]];
	}
	return tp_draft_finish(&draft, shown);
}

static void
each_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	static const enum figure chosen[] = {WORKER, SPAN, OPERATION, GROUP, CALLS, BYTES, MEAN_BYTES,
		LATENCY, MEAN_LATENCY, TRANSFER, MEAN_TRANSFER, BUS, BUS_WITH_WAITING, HOST};
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "distributed/operations-by-worker", title_each);
	size_t rows = c->each_count < MOST_ROWS ? c->each_count : MOST_ROWS;

	fold->section.off_paper = true;
	sum_table(ctx, c, c->each, rows, chosen, sizeof chosen / sizeof *chosen, doc, fold,
		"distributed/worker-operations", SIZE_MAX)
		->caption = rows == c->each_count
		? TP_S(caption_each)
		: tp_arena_printf(ctx->keep, caption_some_each, rows, c->each_count);
}

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
		return TP_S(why_sender_absent);
	if (p->to_trace == TP_NONE)
		return TP_S(why_receiver_absent);
	return TP_S(why_other_messages);
}

static void
fill_pair(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_pair *p, struct pair_cells *cells)
{
	const double times_ps[TIMES] = {
		p->send_ps, p->receive_ps, p->transfer_ps, p->receiver_waits_ps, p->sender_waits_ps};
	struct tp_slice grouped = TP_S(why_grouped_messages), no_clock = TP_S(why_no_clock),
					no_size = TP_S(why_no_size);

	cells->from.value = tp_text_value(end_name(ctx, p->from_trace, p->from));
	cells->to.value = tp_text_value(end_name(ctx, p->to_trace, p->to));
	group_cell(ctx, &c->groups[p->group], &cells->group);
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
		TP_SAY(doc, text_longest_wait, tp_text_value(from), tp_text_value(to),
			tp_text_value(receiver ? TP_S("receiver") : TP_S("sender")), tp_ps_in_ms(wait_ps)));
}

static void
pair_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t rows = c->pair_count < MOST_ROWS ? c->pair_count : MOST_ROWS;

	if (rows == 0)
		return;
	say_longest(ctx, &c->pairs[0], doc, section);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/messages", pair_columns);

	for (size_t i = 0; i < rows; i++) {
		const struct tp_torch_comm_pair *p = &c->pairs[i];

		fill_pair(ctx, c, p,
			tp_draft_row_of(&draft,
				tp_arena_printf(ctx->keep, "%lld.%lld.%.*s", (long long)p->from, (long long)p->to,
					TP_ARG(c->groups[p->group].name)),
				TP_ROW_NORMAL, 0, p));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = rows == c->pair_count
		? TP_S(caption_messages)
		: tp_arena_printf(ctx->keep, caption_some_messages, rows, c->pair_count);
}

void
tp_torch_comm_op_tables(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	struct tp_doc *doc, struct tp_block *section)
{
	static const enum figure chosen[] = {OPERATION, GROUP, GROUP_SIZE, CALLS, BYTES, LATENCY,
		MEAN_LATENCY, TRANSFER, MEAN_TRANSFER, BUS, BUS_WITH_WAITING};

	if (c->sum_count == 0)
		return;
	sum_table(ctx, c, c->sums, c->sum_count, chosen, sizeof chosen / sizeof *chosen, doc, section,
		"distributed/operations", ctx->options->top)
		->caption = tp_arena_printf(ctx->keep, caption_operations, TP_ARG(tp_torch_all(ctx)));
	each_table(ctx, c, doc, section);
	pair_table(ctx, c, doc, section);
}
