/* What the section says: the answer, bars of each worker, what is missing, and how it was computed. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/core/say.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

static const char how[] =
	"Communication is the device time of collective kernels, whatever their names; where a trace "
	"has none, it is the host's spans of collectives (gloo:…, nccl:…). Computation is the time of "
	"all other kernels; in a trace without kernels, that of operators, without the ranges that the "
	"program named, in which it may only wait. Both are united before they are measured, within "
	"steps, which last until the device work that they launched ends. A collective is matched over "
	"workers by process group, operation and place in the order; where a worker's trace holds "
	"fewer, they are laid where ends differ by the same at most of them. What does not overlap in "
	"time then is not the same, and not matched. Its transfer is what the fastest worker needs, at "
	"the end of each worker's time in it; what is before is synchronising. Where collectives "
	"overlap, transfer counts before synchronising. Barriers move no data and stand by themselves. "
	"A send is matched with a receive by process group, sender, receiver and place in the order, "
	"and not where it would be received before it is sent; who they are is told by the arguments "
	"(Src Rank, Dst Rank), the span's name or the c10d operator around it. Those that were asked "
	"for as a group last as long as the kernel that carries all of them. A side waits from its "
	"begin until the other's. A worker's clock is compared by the ends of the same all-reduce, "
	"all-gather, reduce-scatter, all-to-all or barrier, which all leave together: in each group "
	"the median of how much it is later than the median worker, and of several groups the clock "
	"that fits them best. Workers that no collective compares are put in line by messages in both "
	"directions: none is received before it is sent, which bounds the difference from both sides. "
	"Only who comes last is judged with it, and not where all workers are on one host, which has "
	"one clock. A worker that comes last to a collective costs what it begins later than the last "
	"but one; messages do not count there, for a stage of a pipeline waits for the one before it "
	"by design. Bus bandwidth is what crosses the busiest link: bytes × 2 (n − 1) / n of an "
	"all-reduce, × (n − 1) / n of all-gather (of what comes out), reduce-scatter and all-to-all "
	"(of what goes in; with split sizes, of what is for others), × 1 of the others, over the "
	"transfer time.";

/* A bar a worker up to here; beyond, a column, and of very many the one with the most of several in a row. */
enum { MOST_BARS = 16, MOST_COLUMNS = 240 };

struct chart {
	const char *id, *what;
	const enum tp_torch_comm_part *parts;
	size_t part_count;
	bool split; /* only traces that tell transfer from waiting */
};

static double
total_ps(const struct tp_torch_comm_trace *t, const struct chart *chart)
{
	double sum = 0;

	for (size_t k = 0; k < chart->part_count; k++)
		sum += t->mean_ps[chart->parts[k]];
	return sum;
}

static bool
shows(const struct tp_torch_comm_trace *t, const struct chart *chart)
{
	return t->steps != 0 && (!chart->split || t->split_known) && total_ps(t, chart) > 0;
}

/* The traces that get a bar. */
static size_t
choose(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, const struct chart *chart,
	uint32_t **chosen, size_t *all)
{
	uint32_t *list = tp_new_array(ctx->keep, uint32_t, c->trace_count);
	size_t count = 0, kept = 0;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		if (shows(&c->traces[i], chart))
			list[count++] = i;
	}
	size_t each = (count + MOST_COLUMNS - 1) / MOST_COLUMNS;

	for (size_t i = 0; i < count; i += each) {
		uint32_t most = list[i];

		for (size_t k = i; k < i + each && k < count; k++) {
			if (total_ps(&c->traces[list[k]], chart) > total_ps(&c->traces[most], chart))
				most = list[k];
		}
		list[kept++] = most;
	}
	*chosen = list;
	*all = count;
	return kept;
}

static void
draw(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, const struct chart *chart,
	struct tp_doc *doc, struct tp_block *section)
{
	uint32_t *chosen;
	size_t all, points = choose(ctx, c, chart, &chosen, &all);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, chart->part_count);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, points);

	if (points == 0)
		return;
	struct tp_slice what = tp_arena_printf(ctx->keep, "%s, mean over steps, by worker%s.",
		chart->what, points < all ? "; of several in a row the one with the most" : "");

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL,
		tp_arena_printf(ctx->keep, "%s-what", chart->id).ptr,
		TP_SAY(doc, "{}", tp_text_value(what)));
	for (size_t k = 0; k < chart->part_count; k++) {
		const struct tp_torch_comm_part_info *info = tp_torch_comm_part_info(chart->parts[k]);
		double *values = tp_new_array(ctx->keep, double, points);

		for (size_t i = 0; i < points; i++)
			values[i] = fmax(0, c->traces[chosen[i]].mean_ps[chart->parts[k]] / 1e9);
		series[k] = (struct tp_series){.key = tp_slice_of(info->key),
			.label = tp_slice_of(info->label),
			.hue = info->hue,
			.tint = info->tint,
			.values = values};
	}
	for (size_t i = 0; i < points; i++)
		labels[i] = tp_torch_who(ctx, ctx->profile->torch->traces[chosen[i]]);
	tp_doc_add(doc, section, TP_BLOCK_CHART, tp_slice_of(chart->id))->chart = (struct tp_chart){
		.kind = points <= MOST_BARS ? TP_CHART_BARS : TP_CHART_STRIP,
		.alt = what,
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = chart->part_count,
		.labels = labels,
		.point_count = points,
		.marked = SIZE_MAX,
		.legend = true,
	};
}

static void
charts(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	static const enum tp_torch_comm_part step[] = {TP_TORCH_COMM_COMPUTATION, TP_TORCH_COMM_OVERLAP,
		TP_TORCH_COMM_EXPOSED, TP_TORCH_COMM_OTHER};
	static const enum tp_torch_comm_part split[] = {
		TP_TORCH_COMM_TRANSFER, TP_TORCH_COMM_SYNC, TP_TORCH_COMM_BARRIER, TP_TORCH_COMM_UNMATCHED};
	const struct chart all[] = {
		{"distributed/overlap", "A step: computation, communication, both and neither", step,
			sizeof step / sizeof *step, false},
		{"distributed/split", "Communication of a step, hidden or not: transfer and waiting", split,
			sizeof split / sizeof *split, true},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		draw(ctx, c, &all[i], doc, section);
}

static void
say_answer(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_section *s)
{
	double all = c->mean_ps[TP_TORCH_COMM_OVERLAP] + c->mean_ps[TP_TORCH_COMM_EXPOSED];

	if (!isfinite(c->step_mean_ps))
		s->answer = TP_SAY0(doc, "The traces hold collectives, but no step and no operator.");
	else if (tp_torch_comm_unmeasured(ctx, c))
		s->answer = TP_SAY(doc,
			"The traces hold {}, but none of their kernels: how long they take is unknown.",
			tp_say_number(ctx, c->calls, "collective", "collectives"));
	else if (!(all > 0))
		s->answer = TP_SAY0(doc, "No communication runs within the steps.");
	else
		s->answer = TP_SAY(doc,
			"Exposed communication takes {} of a step ({torch.comm.communication_us}); "
			"computation hides {} of all communication.",
			tp_number(tp_torch_comm_exposed_share(ctx, c), TP_UNIT_SHARE),
			tp_share(c->mean_ps[TP_TORCH_COMM_OVERLAP], all, TP_S("there is none")));
	if (tp_torch_comm_has_straggler(c))
		s->so_what = TP_SAY0(doc,
			"The others wait for *{torch.comm.straggler.name}*, {torch.comm.straggler.wait_us} a "
			"step: it comes last to {torch.comm.last_share} of collectives; were it as early as "
			"the next, steps would be {torch.comm.straggler.saving_us} shorter at most.");
	else if (c->split_known && all > 0)
		s->so_what = TP_SAY0(doc,
			"Of all communication {torch.comm.transfer_us} a step is data transfer, "
			"{torch.comm.sync_us} waiting for other workers.");
}

static void
say_absent(const struct tp_torch_comm *c, struct tp_doc *doc, struct tp_block *section)
{
	int64_t absent = tp_torch_comm_absent(c);

	if (absent == 0)
		return;
	tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("distributed/absent"))
		->notice = (struct tp_notice){.judge = TP_JUDGE_ABSENT,
		.text = c->workers == 1
			? TP_SAY(doc,
				  "This is one worker of {}: the traces of the others are not in this report. How "
				  "much of its collectives is waiting for them, and for whom, cannot be told; give "
				  "the folder with all traces.",
				  tp_count((uint64_t)c->world_size))
			: TP_SAY(doc,
				  "{} of {} workers of the job are in this report: of their collectives the "
				  "transfer is at most what is shown, the waiting at least, for a faster or a "
				  "later worker may be among the others.",
				  tp_count(c->workers), tp_count((uint64_t)c->world_size))};
}

static void
say_unmatched(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	uint64_t without = c->calls - c->measured;

	if (c->unmatched != 0 && c->split_known)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/unmatched",
			TP_SAY(doc,
				"{} could not be matched over the workers, for their traces do not hold the same "
				"ones: the time in them is neither transfer nor synchronising.",
				tp_say_number(ctx, c->unmatched, "call of a collective", "calls of collectives")));
	if (c->lone != 0 && c->workers > 1)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/lone",
			TP_SAY(doc,
				"{} could not be matched: nothing tells the other side (for gloo "
				"`record_shapes=True` does), its trace is not in this report, or holds other ones.",
				tp_say_number(ctx, c->lone, "send or receive", "sends and receives")));
	if (without != 0 && c->measured != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/without-kernels",
			TP_SAY(doc,
				"Of {} the trace holds the host's call, but no kernel: how long they take is not "
				"counted.",
				tp_say_number(ctx, without, "collective", "collectives")));
}

void
tp_torch_comm_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_comm *c = result;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "distributed", "Distributed");

	section->section.key_figure =
		tp_doc_find_metric(doc, TP_S("torch.comm.communication_us"))->value;
	section->section.aside = TP_SAY(doc, "{}", tp_say_number(ctx, c->workers, "worker", "workers"));
	say_answer(ctx, c, doc, &section->section);
	say_absent(c, doc, section);
	charts(ctx, c, doc, section);
	tp_torch_comm_tables(ctx, c, doc, section);
	say_unmatched(ctx, c, doc, section);
	tp_torch_comm_op_tables(ctx, c, doc, section);
	tp_say_how(ctx, doc, section, "distributed/how", how);
	tp_say_source(ctx, doc, section, "distributed/source",
		c->on_device ? "kernels of collectives, their launches and host spans"
					 : "host spans of collectives, and operators");
}
