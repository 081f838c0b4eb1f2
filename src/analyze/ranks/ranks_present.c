/* What the section says: who is there and who is missing, the ranks side by side, every step of every rank, operators of all. */
#include "analyze/core/pass.h"
#include "analyze/ranks/ranks.h"

#include "analyze/core/say.h"
#include "analyze/core/stats.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch_steps/torch_say.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "rank.pb-c.h"
#include "report/draft.h"

#include <math.h>

static const char how[] =
	"Each rank's summary keeps its steps, its collectives and the sums of its operators. Figures over "
	"ranks are worked out of these when the report is written, by the same rules as from all traces "
	"together, so that they are the same. Of operators a summary lists 200, those with the most time; the "
	"rest is one sum, so that totals are exact. An operator that a full list lacks took at most as long as "
	"the last one in it: Not listed, at most, is the sum of these over such ranks. A summary that would be "
	"larger than 64 KB (--size) leaves out steps at its end; then all ranks end with the same number of "
	"steps, as they do where all together hold more than four million collectives.";

/* A map of more rows or columns shows the slowest of several. */
enum { MOST_ROWS = 64, MOST_COLUMNS = 120, MOST_FAILED = 20 };

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
	MS("late_ms", "Behind next"),
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
	struct tp_value none = tp_missing(TP_S("the trace holds no steps and no operators"));
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
	struct tp_value none =
		tp_missing(TP_S("none of this worker's collectives was matched with another's"));

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
		int64_t peak = tp_rank_peak_bytes(ctx, i);

		cells->worker.value = tp_text_value(torch->trace_count == 1 ? t->worker : who);
		cells->rank.value = t->given->number >= 0 ? tp_count((uint64_t)t->given->number)
												  : tp_missing(TP_S("the trace names no rank"));
		cells->host.value = tp_say_text(tp_slice_of(t->given->host), "the trace names no host");
		step_cells(ctx, &stepped->traces[i], cells);
		comm_cells(ctx, i, cells);
		cells->peak.value = peak >= 0 ? tp_integer(peak, TP_UNIT_BYTES)
									  : tp_missing(TP_S("the trace records no memory"));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(
		"Ranks: steps, and of a mean step all communication, waiting in collectives, and the delay "
		"behind the second-to-last");
}

/* Rows and columns of the map, and how many ranks and steps one cell stands for. */
struct map {
	size_t rows, columns, ranks_each, steps_each;
};

static struct map
map_of(const struct tp_torch_stepped *stepped, uint32_t ranks)
{
	size_t steps = 0;
	struct map m;

	for (uint32_t i = 0; i < ranks; i++)
		steps = stepped->traces[i].count > steps ? stepped->traces[i].count : steps;
	m.ranks_each = (ranks + MOST_ROWS - 1) / MOST_ROWS;
	m.steps_each = (steps + MOST_COLUMNS - 1) / MOST_COLUMNS;
	m.rows = (ranks + m.ranks_each - 1) / m.ranks_each;
	m.columns = steps != 0 ? (steps + m.steps_each - 1) / m.steps_each : 0;
	return m;
}

/* In ms, of the slowest step that a cell stands for. */
static void
fill(const struct tp_pass_ctx *ctx, const struct map *m, struct tp_grid *g, double *values,
	struct tp_slice *labels)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch *torch = ctx->profile->torch;

	for (size_t i = 0; i < m->rows * m->columns; i++) {
		values[i] = NAN;
		labels[i] = TP_S("no step");
	}
	for (uint32_t t = 0; t < torch->trace_count; t++) {
		for (uint32_t i = 0; i < stepped->traces[t].count; i++) {
			const struct tp_torch_step *step = &stepped->traces[t].steps[i];
			size_t cell = t / m->ranks_each * m->columns + i / m->steps_each;
			double ms = (double)(step->end_ps - step->start_ps) / 1e9;

			g->low = fmin(g->low, ms);
			g->high = fmax(g->high, ms);
			if (values[cell] >= ms)
				continue;
			values[cell] = ms;
			labels[cell] = tp_arena_printf(ctx->keep, "%.*s, step %.*s",
				TP_ARG(tp_torch_who(ctx, torch->traces[t])), TP_ARG(step->name));
		}
	}
}

static void
step_map(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct map m = map_of(tp_result(ctx, &tp_pass_torch_steps), torch->trace_count);

	if (m.rows < 2 || m.columns < 2)
		return;
	double *values = tp_new_array(ctx->keep, double, m.rows *m.columns);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, m.rows * m.columns);
	struct tp_slice *rows = tp_new_array(ctx->keep, struct tp_slice, m.rows);
	struct tp_grid *g = tp_new(ctx->keep, struct tp_grid);

	*g = (struct tp_grid){.title = TP_S("Step time, one row per rank, one column per step"),
		.rows = rows,
		.row_count = m.rows,
		.columns = m.columns,
		.group = 1,
		.values = values,
		.labels = labels,
		.low = INFINITY,
		.high = -INFINITY};
	fill(ctx, &m, g, values, labels);
	for (size_t i = 0; i < m.rows; i++)
		rows[i] = tp_torch_who(ctx, torch->traces[i * m.ranks_each]);
	struct tp_slice range = tp_arena_printf(ctx->keep, "%.*s to %.*s",
		TP_ARG(tp_say_value(ctx, tp_number(g->low, TP_UNIT_MS))),
		TP_ARG(tp_say_value(ctx, tp_number(g->high, TP_UNIT_MS))));

	if (!(g->high > g->low))
		g->high = g->low + (g->high > 0 ? .05 * g->high : 1);
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("ranks/map"))->chart = (struct tp_chart){
		.kind = TP_CHART_GRID,
		.alt = tp_arena_printf(ctx->keep, "Time of each step of each rank%s: %.*s.",
			m.ranks_each * m.steps_each > 1 ? ", the slowest of several next to each other" : "",
			TP_ARG(range)),
		.unit = TP_UNIT_MS,
		.grid = g,
	};
}

static const struct tp_column operator_columns[] = {
	TP_COLUMN("name", "Operator", .code = true, TP_TEXT_FIELD(struct tp_rank_operator, name)),
	TP_COUNT_COLUMN("ranks", "Ranks", TP_COUNT_FIELD(struct tp_rank_operator, found)),
	TP_COUNT_COLUMN("calls", "Calls", TP_COUNT_FIELD(struct tp_rank_operator, calls)),
	MS("host_self_ms", "Host self"),
	MS("device_self_ms", "Device self"),
	MS("not_listed_ms", "Not listed, at most"),
};
struct operator_cells {
	struct tp_cell name, ranks, calls, host, device, more;
};
TP_CELLS_ARE_COLUMNS(struct operator_cells, operator_columns);

static void
operator_row(struct tp_draft *draft, const struct tp_ranks *r, const struct tp_rank_operator *o,
	enum tp_row_role role)
{
	struct operator_cells *cells = tp_draft_row_of(draft, o->name, role, 0, o);

	cells->host.value = tp_ps_in_ms((double)o->host_self_ps);
	cells->device.value = tp_ps_in_ms((double)o->device_self_ps);
	cells->more.value = r->rest.calls != 0 ? tp_ps_in_ms((double)o->more_ps)
										   : tp_missing(TP_S("every list is whole"));
}

static void
operator_table(const struct tp_pass_ctx *ctx, const struct tp_ranks *r, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_rank_operator rest = r->rest, all = r->all;

	if (r->operator_count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "ranks/operators", operator_columns);

	all.name = TP_S("All operators");
	all.found = r->count;
	operator_row(&draft, r, &all, TP_ROW_TOTAL);
	for (size_t i = 0; i < r->operator_count; i++)
		operator_row(&draft, r, &r->operators[i], TP_ROW_NORMAL);
	rest.name = TP_S("All that no list holds");
	if (rest.calls != 0)
		operator_row(&draft, r, &rest, TP_ROW_NORMAL);
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S("Operators over all ranks");
}

static void
say_missing(const struct tp_pass_ctx *ctx, const struct tp_ranks *r, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_merge_wish *wish = ctx->options->merge;

	if (r->missing_count != 0)
		tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("ranks/missing"))->notice =
			(struct tp_notice){.judge = TP_JUDGE_WARN,
				.text = TP_SAY(doc,
					"{} missing: {}. Waiting for a missing rank shows as waiting of the others.",
					tp_say_number(ctx, r->missing_count, "rank is", "ranks are"),
					tp_text_value(r->missing))};
	for (size_t i = 0; wish != NULL && i < wish->failed_count && i < MOST_FAILED; i++)
		tp_doc_add(doc, section, TP_BLOCK_NOTICE,
			tp_doc_id(doc, "ranks/failed", tp_arena_printf(ctx->keep, "%zu", i + 1)))
			->notice = (struct tp_notice){.judge = TP_JUDGE_WARN,
			.text = TP_SAY(doc, "`{}` could not be used.", tp_text_value(wish->failed[i]))};
	if (r->steps_left_out != 0)
		tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("ranks/left-out"))
			->notice = (struct tp_notice){.judge = TP_JUDGE_ABSENT,
			.text = TP_SAY(doc,
				"All figures are of the first steps of each rank: {} at the end did not fit into the "
				"summaries (tpreport summarize --size), or hold more collectives than are matched.",
				tp_say_number(ctx, r->steps_left_out, "step", "steps"))};
}

void
tp_ranks_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_ranks *r = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "ranks", "Ranks");

	section->section.aside =
		TP_SAY(doc, "{}", tp_say_number(ctx, r->count, "summary", "summaries"));
	section->section.answer = r->missing_count != 0
		? TP_SAY(doc, "{} of {} ranks are here; missing: {}.", tp_count(r->count),
			  tp_count(r->count + r->missing_count), tp_text_value(r->missing))
		: r->size > 0
		? TP_SAY(doc, "All {} ranks of the job are here.", tp_count((uint64_t)r->size))
		: TP_SAY(doc, "{} were merged; how many ranks the job has is not recorded.",
			  tp_say_number(ctx, r->count, "summary", "summaries"));
	say_missing(ctx, r, doc, section);
	step_map(ctx, doc, section);
	rank_table(ctx, doc, section);
	operator_table(ctx, r, doc, section);
	tp_say_how(ctx, doc, section, "ranks/how", how);
}
