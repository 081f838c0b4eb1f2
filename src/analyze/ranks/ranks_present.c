/* What the section says: who is there and who is missing, the ranks side by side, every step of every rank, operators of all. */
#include "analyze/core/pass.h"
#include "analyze/ranks/ranks.h"

#include "analyze/core/say.h"
#include "analyze/core/stats.h"
#include "analyze/ranks/ranks_words.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch_steps/torch_say.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "rank.pb-c.h"
#include "report/draft.h"

#include <math.h>

enum { MOST_FAILED = 20 };

#define MS(KEY, TITLE) TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 3)

static const struct tp_column rank_columns[] = {
	TP_COLUMN("worker", "Worker", .code = true),
	TP_COUNT_COLUMN("rank", "Rank"),
	TP_COLUMN("host", "Host", .code = true),
	TP_COUNT_COLUMN("steps", "Steps"),
	MS("mean_ms", "Mean step"),
	MS("p50_ms", "Median"),
	MS("max_ms", "Longest"),
	MS("communication_ms", "Communication"),
	MS("waits_ms", "Waits"),
	MS("late_ms", "Late by"),
	TP_BYTES_COLUMN("peak_bytes", "Memory peak"),
};
struct rank_cells {
	struct tp_cell worker, rank, host, steps, mean, p50, max, communication, waits, late, peak;
};
TP_CELLS_ARE_COLUMNS(struct rank_cells, rank_columns);

static void
step_cells(
	const struct tp_pass_ctx *ctx, const struct tp_torch_trace_steps *s, struct rank_cells *cells)
{
	struct tp_value none = tp_missing(TP_S(why_no_steps));
	double *ps = tp_new_array(ctx->scratch, double, s->count);

	cells->steps.value = tp_count(s->count);
	cells->mean.value = cells->p50.value = cells->max.value = none;
	if (s->count == 0)
		return;
	for (uint32_t i = 0; i < s->count; i++)
		ps[i] = (double)(s->steps[i].end_ps - s->steps[i].start_ps);
	struct tp_stats stats = tp_stats_of(ps, s->count, ctx->scratch);

	cells->mean.value = tp_ps_in_ms(s->mean_ps);
	cells->p50.value = tp_ps_in_ms(stats.p50);
	cells->max.value = tp_ps_in_ms(stats.max);
}

static void
comm_cells(const struct tp_pass_ctx *ctx, uint32_t trace, struct rank_cells *cells)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	struct tp_value none = tp_missing(TP_S(why_not_matched));

	cells->communication.value = cells->waits.value = cells->late.value = none;
	if (c == NULL || c->traces[trace].steps == 0)
		return;
	const struct tp_torch_comm_trace *t = &c->traces[trace];

	cells->communication.value =
		tp_ps_in_ms(t->mean_ps[TP_TORCH_COMM_OVERLAP] + t->mean_ps[TP_TORCH_COMM_EXPOSED]);
	if (t->joined == 0)
		return;
	cells->waits.value = tp_ps_in_ms(t->own_wait_ps / t->steps);
	cells->late.value = tp_ps_in_ms(t->lead_ps / t->steps);
}

static void
rank_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "ranks/list", rank_columns);

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];
		struct tp_slice who = tp_torch_who(ctx, t);
		struct rank_cells *cells = tp_draft_row_of(&draft, who, TP_ROW_NORMAL, 0, NULL);
		int64_t peak = tp_rank_peak_bytes(ctx, i, false);

		cells->worker.value = tp_text_value(torch->trace_count == 1 ? t->worker : who);
		cells->rank.value = t->given->number >= 0 ? tp_count((uint64_t)t->given->number)
												  : tp_missing(TP_S(why_no_rank));
		cells->host.value = tp_say_text(tp_slice_of(t->given->host), why_no_host);
		step_cells(ctx, &stepped->traces[i], cells);
		comm_cells(ctx, i, cells);
		cells->peak.value =
			peak >= 0 ? tp_integer(peak, TP_UNIT_BYTES) : tp_missing(TP_S(why_no_memory));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_ranks);
}

static size_t
trace_steps(const struct tp_pass_ctx *ctx, size_t rank)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);

	return stepped->traces[rank].count;
}

static struct tp_slice
trace_name(const struct tp_pass_ctx *ctx, size_t rank)
{
	return tp_torch_who(ctx, ctx->profile->torch->traces[rank]);
}

static double
trace_step(const struct tp_pass_ctx *ctx, size_t rank, size_t step, struct tp_slice *name)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_step *s = &stepped->traces[rank].steps[step];

	*name = s->name;
	return (double)(s->end_ps - s->start_ps) / 1e9;
}

static void
traces(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_rank_steps steps = {
		ctx->profile->torch->trace_count, trace_steps, trace_name, trace_step};

	tp_ranks_map(ctx, &steps, doc, section);
	rank_table(ctx, doc, section);
}

static void
say_missing(const struct tp_pass_ctx *ctx, const struct tp_ranks *r, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_merge_wish *wish = ctx->options->merge;

	if (r->missing_count != 0)
		tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("ranks/missing"))->notice =
			(struct tp_notice){.judge = TP_JUDGE_WARN,
				.text = TP_SAY(doc, text_missing,
					tp_say_number(ctx, r->missing_count, "rank is", "ranks are"),
					tp_text_value(r->missing))};
	for (size_t i = 0; wish != NULL && i < wish->failed_count && i < MOST_FAILED; i++)
		tp_doc_add(doc, section, TP_BLOCK_NOTICE,
			tp_doc_id(doc, "ranks/failed", tp_arena_printf(ctx->keep, "%zu", i + 1)))
			->notice = (struct tp_notice){.judge = TP_JUDGE_WARN,
			.text = TP_SAY(doc, text_failed, tp_text_value(wish->failed[i]))};
	if (r->steps_left_out != 0)
		tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("ranks/left-out"))->notice =
			(struct tp_notice){.judge = TP_JUDGE_ABSENT,
				.text = TP_SAY(
					doc, text_left_out, tp_say_number(ctx, r->steps_left_out, "step", "steps"))};
}

void
tp_ranks_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_ranks *r = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "ranks", title_ranks);

	section->section.aside =
		TP_SAY(doc, "{}", tp_say_number(ctx, r->count, "summary", "summaries"));
	section->section.answer = r->missing_count != 0
		? TP_SAY(doc, text_some_here, tp_count(r->count), tp_count(r->count + r->missing_count),
			  tp_text_value(r->missing))
		: r->size > 0
		? TP_SAY(doc, text_all_here, tp_count((uint64_t)r->size))
		: TP_SAY(doc, text_merged, tp_say_number(ctx, r->count, "summary", "summaries"));
	say_missing(ctx, r, doc, section);
	if (r->hosts)
		tp_ranks_hosts(ctx, doc, section);
	else
		traces(ctx, doc, section);
	if (!r->hosts)
		tp_ranks_operators(ctx, r, doc, section);
	tp_say_how(ctx, doc, section, "ranks/how", r->hosts ? how_hosts : how_ranks);
}
