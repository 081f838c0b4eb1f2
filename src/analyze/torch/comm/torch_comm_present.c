/* What the section says: the answer, bars of each worker, what is missing, and how it was computed. */
#include "analyze/torch/comm/torch_comm_present.h"

#include "analyze/core/say.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_words.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

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
	struct tp_slice what =
		tp_arena_printf(ctx->keep, text_chart, chart->what, points < all ? text_of_several : "");

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL,
		tp_arena_printf(ctx->keep, "%s-what", chart->id).ptr,
		TP_SAY(doc, "{}", tp_text_value(what)));
	for (size_t k = 0; k < chart->part_count; k++) {
		const struct tp_torch_comm_part_info *info = tp_torch_comm_part_info(chart->parts[k]);
		struct tp_torch_comm_look look = tp_torch_comm_part_look(ctx, chart->parts[k]);
		double *values = tp_new_array(ctx->keep, double, points);

		for (size_t i = 0; i < points; i++)
			values[i] = fmax(0, c->traces[chosen[i]].mean_ps[chart->parts[k]] / 1e9);
		series[k] = (struct tp_series){.key = tp_slice_of(info->key),
			.label = tp_slice_of(info->label),
			.hue = look.hue,
			.tint = look.tint,
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
		{"distributed/overlap", text_step_chart, step, sizeof step / sizeof *step, false},
		{"distributed/split", text_split_chart, split, sizeof split / sizeof *split, true},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all && !tp_torch_comm_unmeasured(c); i++)
		draw(ctx, c, &all[i], doc, section);
}

/* The host's time in their calls is that of launching them. */
static void
say_unmeasured(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_section *s)
{
	const struct tp_steps *steps = tp_result(ctx, &tp_pass_steps);

	s->answer =
		TP_SAY(doc, text_unmeasured, tp_say_number(ctx, c->calls, "collective", "collectives"));
	if (steps != NULL && steps->class_mean_ps[TP_CLASS_COLLECTIVE] > 0)
		s->so_what = TP_SAY0(doc, text_only_launched);
}

static void
say_answer(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_section *s)
{
	double all = c->mean_ps[TP_TORCH_COMM_OVERLAP] + c->mean_ps[TP_TORCH_COMM_EXPOSED];

	if (!isfinite(c->step_mean_ps))
		s->answer = TP_SAY0(doc, text_no_steps);
	else if (tp_torch_comm_unmeasured(c))
		say_unmeasured(ctx, c, doc, s);
	else if (!(all > 0))
		s->answer = TP_SAY0(doc, text_no_communication);
	else
		s->answer =
			TP_SAY(doc, text_exposed, tp_number(tp_torch_comm_exposed_share(ctx, c), TP_UNIT_SHARE),
				tp_share(c->mean_ps[TP_TORCH_COMM_OVERLAP], all, TP_S(why_none)));
	if (tp_torch_comm_has_straggler(ctx, c))
		s->so_what = TP_SAY(doc, text_straggler,
			tp_text_value(c->workers == 2 ? TP_S("The other worker waits")
										  : TP_S("On average the others wait")));
	else if (c->split_known && all > 0)
		s->so_what = TP_SAY0(doc, text_split);
	if (s->so_what.count != 0 && c->split_known && c->mean_ps[TP_TORCH_COMM_UNMATCHED] > 0)
		s->so_what = tp_doc_join(doc, s->so_what, TP_SAY0(doc, text_split_rest));
}

static void
say_absent(const struct tp_torch_comm *c, struct tp_doc *doc, struct tp_block *section)
{
	int64_t absent = tp_torch_comm_absent(c);

	if (absent == 0)
		return;
	tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("distributed/absent"))->notice =
		(struct tp_notice){.judge = TP_JUDGE_ABSENT,
			.text = c->workers == 1
				? TP_SAY(doc, text_one_worker, tp_count((uint64_t)c->world_size))
				: TP_SAY(doc, text_some_workers, tp_count(c->workers),
					  tp_count((uint64_t)c->world_size))};
}

static void
say_unmatched(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c, struct tp_doc *doc,
	struct tp_block *section)
{
	uint64_t without = c->calls - c->measured;

	if (c->unmatched != 0 && c->split_known)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/unmatched",
			TP_SAY(doc, text_unmatched,
				tp_say_number(ctx, c->unmatched, "collective call", "collective calls")));
	if (c->lone != 0 && c->workers > 1)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/lone",
			TP_SAY(doc, text_lone,
				tp_say_number(ctx, c->lone, "send or receive", "sends and receives")));
	if (without != 0 && c->measured != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/without-kernels",
			TP_SAY(doc, text_without_kernels,
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
	tp_say_how(ctx, doc, section, "distributed/how", how_torch_comm);
	tp_say_source(
		ctx, doc, section, "distributed/source", c->on_device ? source_device : source_host);
}
