/* The first screen of a report on summaries that were merged: what it is of, verdict, which ranks are missing, tiles, where a step goes. At
 * the end what could not be used. */
#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "analyze/page/waiting.h"

#include "analyze/core/say.h"
#include "analyze/judge/findings.h"
#include "analyze/judge/verdict.h"
#include "analyze/ranks/ranks.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

static void
run_line(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_merge_wish *of = ctx->options->merge;
	const struct tp_torch *torch = ctx->profile->torch;

	if (tp_result(ctx, &tp_pass_ranks) == NULL) {
		doc->name = doc->title = doc->run = TP_S("merged");
		tp_doc_paragraph(doc, summary, TP_PARAGRAPH_RUN_LINE, "summary/run",
			TP_SAY0(doc, "Event files alone, from their summaries"));
		return;
	}
	uint32_t count = tp_rank_count(ctx->profile);

	doc->name = of->name.len != 0 ? of->name : TP_S("merged");
	doc->run = torch != NULL
		? tp_arena_printf(ctx->keep, "%u %s", count, tp_plural(count, "rank", "ranks"))
		: tp_arena_printf(ctx->keep, "%u %s", count, tp_plural(count, "host", "hosts"));
	doc->title = tp_arena_printf(ctx->keep, "%.*s · %.*s", TP_ARG(doc->name), TP_ARG(doc->run));
	tp_doc_paragraph(doc, summary, TP_PARAGRAPH_RUN_LINE, "summary/run",
		torch == NULL
			? TP_SAY(doc, "{}, from their summaries", tp_say_number(ctx, count, "host", "hosts"))
			: TP_SAY(doc, "{} of {}, from their summaries",
				  tp_say_number(ctx, count, "span", "spans"),
				  tp_say_number(ctx, torch->worker_count, "worker", "workers")));
}

static void
say_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	struct tp_verdict_text v = tp_verdict_say(ctx, doc);

	tp_doc_add(doc, summary, TP_BLOCK_VERDICT, TP_S("summary/verdict"))->verdict = v.verdict;
	tp_doc_paragraph(doc, summary, TP_PARAGRAPH_BECAUSE, "summary/because", v.because);
	doc->description = tp_text_shown(
		tp_doc_join(doc, tp_doc_join(doc, v.verdict.name, TP_SAY0(doc, " ")), v.verdict.saw),
		doc->arena);
}

static void
say_missing(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_ranks *r = tp_result(ctx, &tp_pass_ranks);

	if (r != NULL && r->missing_count != 0)
		tp_doc_add(doc, summary, TP_BLOCK_NOTICE, TP_S("summary/missing"))->notice =
			(struct tp_notice){.judge = TP_JUDGE_WARN,
				.text = TP_SAY(doc,
					r->missing_count == 1 ? "[{}](#ranks) is missing: {}."
										  : "[{}](#ranks) are missing: {}.",
					tp_say_number(ctx, r->missing_count, "rank", "ranks"),
					tp_text_value(r->missing))};
}

/* What was met while the ranks were summed up, and why they were. */
static void
say_met(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_diags *met = ctx->options->merge->also;
	unsigned number = 0;

	for (const struct tp_diag *d = met != NULL ? met->first : NULL; d != NULL; d = d->next) {
		struct tp_slice id = tp_arena_printf(ctx->scratch, "summary/met/%u", ++number);
		struct tp_notice *notice = &tp_doc_add(doc, summary, TP_BLOCK_NOTICE, id)->notice;

		notice->judge = d->level == TP_DIAG_WARNING ? TP_JUDGE_WARN : TP_JUDGE_NONE;
		notice->text = d->input.len != 0
			? TP_SAY(doc, "`{}`: {}.", tp_text_value(d->input), tp_text_value(d->text))
			: TP_SAY(doc, "{}.", tp_text_value(d->text));
	}
}

static void
tiles(struct tp_doc *doc, struct tp_block *summary)
{
	static const struct {
		const char *label, *metric;
	} shown[] = {
		{"Step time", "step.time.p50_ms"},
		{"Ranks", "ranks.count"},
		{"Missing ranks", "ranks.missing"},
		{"Exposed communication", "torch.comm.communication_us"},
		{"Cost of the straggler", "torch.comm.straggler.cost_us"},
		{"Memory peak", "torch.memory.peak_bytes"},
		{"Cost of the slowest", "pod.straggler.cost_ms"},
		{"Input wait", "input.wait_share"},
		{"Step, by event files", "events.step_time_ms"},
		{"Devices busy", "device.busy_share"},
		{"FLOPS use", "flops.utilization_share"},
		{"Memory peak, measured", "memory.measured.peak_bytes"},
		{"Memory peak, planned", "memory.peak_bytes"},
	};
	enum { COUNT = sizeof shown / sizeof *shown };
	struct tp_tile *tiles = tp_new_array(doc->arena, struct tp_tile, COUNT);
	size_t count = 0;

	for (size_t i = 0; i < COUNT; i++) {
		if (tp_known(tp_doc_value(doc, shown[i].metric)))
			tiles[count++] =
				tp_doc_tile(doc, tp_doc_id(doc, "summary/tile", tp_slice_of(shown[i].metric)).ptr,
					shown[i].label, shown[i].metric);
	}
	if (count != 0)
		tp_doc_add(doc, summary, TP_BLOCK_TILES, TP_S("summary/tiles"))->tiles =
			(struct tp_tiles){tiles, count};
}

static void
where_time_goes(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL)
		return;
	struct tp_block *sub =
		tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/step", "Where a step goes");

	sub->section.aside =
		TP_SAY(doc, "mean of {} × {}, until the slowest ends = *{step.time.mean_ms}*",
			tp_say_number(ctx, s->count, tp_steps_word(s, 1), tp_steps_word(s, 2)),
			tp_steps_of_whom(ctx, s));
	tp_step_stack(ctx, s,
		(struct tp_step_waits){tp_waiting_in_collectives_ps(ctx), tp_waiting_in_receives_ps(ctx)},
		doc, sub, "summary/step/classes");
	if (s->count > 1)
		tp_step_strip(ctx, s, doc, sub, "summary/step/strip", false);
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	(void)result;
	tp_waiting_metrics(ctx, doc);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	struct tp_block *summary = tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");

	(void)result;
	run_line(ctx, doc, summary);
	say_verdict(ctx, doc, summary);
	say_missing(ctx, doc, summary);
	say_met(ctx, doc, summary);
	tiles(doc, summary);
	where_time_goes(ctx, doc, summary);
}

const struct tp_pass tp_pass_summary_of_ranks = {
	.name = "summary-of-ranks",
	.title = "Summary",
	.summary = "the first screen of a report on summaries that were merged",
	.after = TP_AFTER(&tp_pass_ranks, &tp_pass_steps, &tp_pass_findings),
	.place = TP_PLACE_SUMMARY,
	.metrics = metrics,
	.present = present,
};
