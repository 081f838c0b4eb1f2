/* Tables of collectives: by operation and process group, of all workers and of each. */
#include "analyze/torch_comm_present.h"

#include "analyze/say.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

/* Rows of the table by worker. */
enum { MOST_ROWS = 5000, RANKS_FIT = 24 };

#define SUM_COLUMNS                                                                                \
	{.key = TP_LIT("operation"), .title = TP_LIT("Operation"), .code = true},                      \
		{.key = TP_LIT("group"), .title = TP_LIT("Process group"), .code = true},                  \
		{.key = TP_LIT("group_size"), .title = TP_LIT("Of workers"), .unit = TP_UNIT_COUNT},       \
		{.key = TP_LIT("calls"), .title = TP_LIT("Calls"), .unit = TP_UNIT_COUNT},                 \
		{.key = TP_LIT("bytes"), .title = TP_LIT("Size"), .unit = TP_UNIT_BYTES},                  \
		{.key = TP_LIT("mean_bytes"), .title = TP_LIT("Mean size"), .unit = TP_UNIT_BYTES},        \
		{.key = TP_LIT("latency_us"),                                                              \
			.title = TP_LIT("Latency"),                                                            \
			.unit = TP_UNIT_US,                                                                    \
			.decimals = 3},                                                                        \
		{.key = TP_LIT("mean_latency_us"),                                                         \
			.title = TP_LIT("Mean latency"),                                                       \
			.unit = TP_UNIT_US,                                                                    \
			.decimals = 3},                                                                        \
		{.key = TP_LIT("transfer_us"),                                                             \
			.title = TP_LIT("Transfer"),                                                           \
			.unit = TP_UNIT_US,                                                                    \
			.decimals = 3},                                                                        \
		{.key = TP_LIT("mean_transfer_us"),                                                        \
			.title = TP_LIT("Mean transfer"),                                                      \
			.unit = TP_UNIT_US,                                                                    \
			.decimals = 3},                                                                        \
		{.key = TP_LIT("bus_gb_per_s"),                                                            \
			.title = TP_LIT("Bus bandwidth"),                                                      \
			.unit = TP_UNIT_GB_PER_S,                                                              \
			.decimals = 2},                                                                        \
		{.key = TP_LIT("bus_latency_gb_per_s"),                                                    \
			.title = TP_LIT("with waiting"),                                                       \
			.unit = TP_UNIT_GB_PER_S,                                                              \
			.decimals = 2},                                                                        \
		{.key = TP_LIT("host_us"),                                                                 \
			.title = TP_LIT("Host call"),                                                          \
			.unit = TP_UNIT_US,                                                                    \
			.decimals = 3},

static const struct tp_column all_columns[] = {SUM_COLUMNS{
	.key = TP_LIT("workers"), .title = TP_LIT("Workers and spans"), .unit = TP_UNIT_COUNT}};

static const struct tp_column each_columns[] = {
	SUM_COLUMNS{.key = TP_LIT("worker"), .title = TP_LIT("Worker"), .code = true},
	{.key = TP_LIT("span"), .title = TP_LIT("Span")}};

enum { SUM_CELLS = 13 };

/* "default_pg [0,1]", its ranks cut. */
static void
group_cell(const struct tp_pass_ctx *ctx, const struct tp_torch_comm_group *g, struct tp_cell *cell)
{
	struct tp_slice name = g->name.len != 0 ? g->name : TP_S("not named");

	if (g->ranks.len == 0) {
		cell->value = tp_text_value(name);
		return;
	}
	struct tp_slice whole = tp_arena_printf(ctx->keep, "%.*s %.*s", TP_ARG(name), TP_ARG(g->ranks));

	cell->value = tp_text_value(whole);
	if (g->ranks.len <= RANKS_FIT)
		return;
	cell->value = tp_text_value(tp_arena_printf(ctx->keep, "%.*s %.*s…", TP_ARG(name),
		(int)tp_utf8_fit(g->ranks, RANKS_FIT), g->ranks.ptr));
	cell->full = whole;
}

static struct tp_value
mean(double sum, uint64_t count, enum tp_unit unit, struct tp_slice why)
{
	return count != 0 ? tp_number(sum / (double)count, unit) : tp_missing(why);
}

/* Mostly of the host: how long a launch takes. */
static void
sum_cells(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_comm_sum *s, struct tp_cell *cell)
{
	const struct tp_torch_comm_group *g = &c->groups[s->group];
	bool barrier = c->ops[s->op].kind == TP_TORCH_COMM_IS_BARRIER;
	struct tp_slice no_kernel = TP_S("the trace holds no kernel of it"),
					no_size = barrier ? TP_S("a barrier moves no data")
									  : TP_S("the trace tells no size (record_shapes=True)"),
					no_match = barrier ? TP_S("a barrier moves no data")
									   : TP_S("not matched with other workers"),
					no_host = TP_S("the trace holds no host call of it"),
					no_bus = TP_S("size, number of workers or time is not known");

	cell[0].value = tp_text_value(c->ops[s->op].name);
	group_cell(ctx, g, &cell[1]);
	cell[2].value = g->size > 0 ? tp_count((uint64_t)g->size)
								: tp_missing(TP_S("the trace does not tell the group"));
	cell[3].value = tp_count(s->calls);
	cell[4].value =
		s->sized != 0 && !barrier ? tp_number(s->bytes, TP_UNIT_BYTES) : tp_missing(no_size);
	cell[5].value = mean(s->bytes, barrier ? 0 : s->sized, TP_UNIT_BYTES, no_size);
	cell[6].value =
		s->measured != 0 ? tp_number(s->latency_ps / 1e6, TP_UNIT_US) : tp_missing(no_kernel);
	cell[7].value = mean(s->latency_ps / 1e6, s->measured, TP_UNIT_US, no_kernel);
	cell[8].value = s->matched != 0 && !barrier ? tp_number(s->transfer_ps / 1e6, TP_UNIT_US)
												: tp_missing(no_match);
	cell[9].value = mean(s->transfer_ps / 1e6, barrier ? 0 : s->matched, TP_UNIT_US, no_match);
	cell[10].value = s->bus_transfer_ps > 0
		? tp_number(s->bus_matched_bytes / s->bus_transfer_ps * 1e3, TP_UNIT_GB_PER_S)
		: tp_missing(s->matched != 0 ? no_bus : no_match);
	cell[11].value = s->bus_ps > 0 ? tp_number(s->bus_bytes / s->bus_ps * 1e3, TP_UNIT_GB_PER_S)
								   : tp_missing(no_bus);
	cell[12].value =
		s->host_calls != 0 ? tp_number(s->host_ps / 1e6, TP_UNIT_US) : tp_missing(no_host);
}

static struct tp_slice
sum_key(
	const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, const struct tp_torch_comm_sum *s)
{
	return tp_arena_printf(
		ctx->keep, "%.*s.%.*s", TP_ARG(c->ops[s->op].name), TP_ARG(c->groups[s->group].name));
}

static void
each_table(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD,
		"distributed/operations-by-worker", "Collectives of each worker");
	struct tp_draft draft = tp_draft_table(doc, fold, "distributed/worker-operations", each_columns,
		sizeof each_columns / sizeof *each_columns);
	size_t rows = c->each_count < MOST_ROWS ? c->each_count : MOST_ROWS;

	fold->section.off_paper = true;
	for (size_t i = 0; i < rows; i++) {
		const struct tp_torch_comm_sum *s = &c->each[i];
		const struct tp_torch_trace *t = ctx->profile->torch->traces[s->trace];
		struct tp_cell *cell = tp_draft_row(&draft,
			tp_arena_printf(ctx->keep, "%.*s.%u.%.*s", TP_ARG(t->worker), t->span_number,
				TP_ARG(sum_key(ctx, c, s))),
			TP_ROW_NORMAL, 0);

		sum_cells(ctx, c, s, cell);
		cell[SUM_CELLS].value = tp_text_value(t->worker);
		cell[SUM_CELLS + 1].value = tp_text_value(tp_arena_printf(ctx->keep, "%u", t->span_number));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = rows == c->each_count
		? TP_S("Collectives by worker, operation and process group")
		: tp_arena_printf(ctx->keep,
			  "Collectives by worker, operation and process group: the first %zu of %zu rows", rows,
			  c->each_count);
}

void
tp_torch_comm_op_tables(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	struct tp_doc *doc, struct tp_block *section)
{
	if (c->sum_count == 0)
		return;
	struct tp_draft draft = tp_draft_table(doc, section, "distributed/operations", all_columns,
		sizeof all_columns / sizeof *all_columns);

	for (size_t i = 0; i < c->sum_count; i++) {
		struct tp_cell *cell = tp_draft_row(&draft, sum_key(ctx, c, &c->sums[i]), TP_ROW_NORMAL, 0);

		sum_cells(ctx, c, &c->sums[i], cell);
		cell[SUM_CELLS].value = tp_count(c->sums[i].workers);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(
		"Collectives by operation and process group, over all workers and spans: sums and means "
		"over calls");
	each_table(ctx, c, doc, section);
}
