/* What the section on the input pipeline says first: whether steps wait, what for, and what to do next; and the wait step by step. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/precomputed.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/draft.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the strip of steps. */
enum { MOST_COLUMNS = 240 };

/* Where most of the host's input time goes, as the second half of a sentence; empty when nothing shows it. */
static struct tp_text
where_it_goes(const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	int most = 0;

	if (in->slowest != NULL)
		return TP_SAY(doc, "`{}` takes {} of the calls for a batch.",
			tp_text_value(in->slowest->name),
			tp_share((double)in->slowest->critical_ps, (double)in->tf.sum_ps,
				TP_S("calls take no time")));
	for (int c = 1; c < TP_INPUT_CLASS_COUNT; c++)
		most = in->all.ps[c] > in->all.ps[most] ? c : most;
	if (!(in->all.total_ps > 0))
		return TP_SAY0(doc, "no host operation shows why.");
	return TP_SAY(doc, "most input time on the host is {}, {}.",
		tp_text_value(tp_slice_of(tp_input_class_info((enum tp_input_class)most)->name)),
		tp_share(in->all.ps[most], in->all.total_ps, TP_S("no time")));
}

static struct tp_text
next_step(const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	if (in->slowest != NULL)
		return TP_SAY0(doc, "Start with the [slowest stage](#input-pipeline/tf-data).");
	if (in->ops.count != 0)
		return TP_SAY0(doc, "Start with the [classes of host time](#input-pipeline/host).");
	return TP_SAY0(doc, "Build the input with tf.data to see its stages here.");
}

static void
say_waiting(const struct tp_input_pipeline *in, bool high, const struct tp_steps *steps,
	struct tp_doc *doc, struct tp_section *s)
{
	bool inferred = steps->inferred;
	struct tp_value waiting = tp_doc_value(doc, tp_input_metric(steps));
	struct tp_text limit = high ? TP_SAY0(doc, "That is high (20 % or more). ")
								: TP_SAY0(doc, "That is medium (from 5 %; high from 20 %). ");

	s->answer = tp_doc_join(doc,
		TP_SAY(doc,
			inferred ? "Likely {} of inferred step time is spent waiting for input; "
					 : "{} of step time is spent waiting for input; ",
			waiting),
		where_it_goes(in, doc));
	s->so_what = tp_doc_join(doc, limit, next_step(in, doc));
}

static void
say_not_bound(struct tp_doc *doc, bool shown, struct tp_section *s)
{
	if (!shown) {
		s->answer = TP_SAY0(doc,
			"Steps are not input-bound: they wait for input for at most {input.wait_limit_share} "
			"of their time.");
		s->so_what = TP_SAY0(doc,
			"Waiting is not recorded, but the device works for the rest of each step. Medium "
			"starts at 5 %, high at 20 %.");
		return;
	}
	s->answer = TP_SAY0(doc,
		"Steps are not input-bound: they wait for input for {input.wait_share} of their time.");
	s->so_what = TP_SAY0(doc, "Medium starts at 5 %, high at 20 %.");
}

static void
say_unknown(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	const struct tp_steps *steps, struct tp_doc *doc, struct tp_section *s)
{
	struct tp_value reason = tp_text_value(tp_skipped(ctx, &tp_pass_steps));

	if (steps != NULL) {
		const char *answer = steps->source->input_unseen.answer;

		s->answer = answer != NULL ? TP_SAY0(doc, answer)
			: in->ops.count == 0
			? TP_SAY0(doc, "Nothing in the profile shows an input pipeline.")
			: TP_SAY0(doc, "No step fetches input, as far as the profile shows.");
		s->so_what = TP_SAY0(doc, steps->source->input_unseen.so_what);
		return;
	}
	if (in->ops.count == 0) {
		s->answer = TP_SAY0(doc, "Nothing in the profile shows an input pipeline.");
		s->so_what = TP_SAY(doc, "Step time is unknown, too: {}.", reason);
		return;
	}
	s->answer = tp_doc_join(
		doc, TP_SAY0(doc, "Whether steps wait for input is unknown; "), where_it_goes(in, doc));
	s->so_what = TP_SAY(doc, "Because {}.", reason);
}

static void
say_first(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	const struct tp_steps *steps, struct tp_doc *doc, struct tp_section *s)
{
	enum tp_input_verdict verdict = tp_input_verdict(steps);
	bool shown = steps != NULL && steps->shows_input;

	s->key_figure = shown ? tp_doc_value(doc, tp_input_metric(steps))
						  : tp_missing(TP_S("waiting for input is not recorded"));
	switch (verdict) {
	case TP_INPUT_UNKNOWN:
		say_unknown(ctx, in, steps, doc, s);
		return;
	case TP_INPUT_HIGH:
	case TP_INPUT_MODERATE:
		s->judge = verdict == TP_INPUT_HIGH ? TP_JUDGE_BAD : TP_JUDGE_WARN;
		say_waiting(in, verdict == TP_INPUT_HIGH, steps, doc, s);
		return;
	case TP_INPUT_POTENTIAL:
		s->answer = TP_SAY0(doc,
			shown ? "{input.wait_share} of step time waits for input; {step.class.other_share} is "
					"not covered by any event."
				  : "Nothing shows whether steps wait for input; {step.class.other_share} of their "
					"time is not covered by any event.");
		s->so_what = TP_SAY0(doc,
			tp_steps_python_traced(ctx->profile)
				? "From 3 % on, uncovered time may be input, Python or both: *potentially "
				  "input-bound*. Name the parts of the loop to see which."
				: "From 3 % on, uncovered time may be input, Python or both: *potentially "
				  "input-bound*. Capture with the Python tracer to see which.");
		return;
	case TP_INPUT_NONE:
		say_not_bound(doc, shown, s);
		return;
	}
}

static const struct tp_column spread_columns[] = {
	TP_COLUMN("what", "Over steps"),
	TP_COLUMN("mean", "Mean"),
	TP_COLUMN("sd", "Std dev"),
	TP_COLUMN("min", "Min"),
	TP_COLUMN("max", "Max"),
};
struct spread_cells {
	struct tp_cell what, mean, sd, min, max;
};
TP_CELLS_ARE_COLUMNS(struct spread_cells, spread_columns);

static struct tp_value
figure(double number, enum tp_unit unit)
{
	return isfinite(number) ? tp_number(number, unit)
							: tp_missing(TP_S("a single step has no deviation"));
}

static void
spread_row(struct tp_draft *draft, const char *key, const char *what, const struct tp_stats *t,
	double scale, enum tp_unit unit)
{
	struct spread_cells *cells = tp_draft_row_of(draft, tp_slice_of(key), TP_ROW_NORMAL, 0, NULL);

	cells->what.value = tp_text_value(tp_slice_of(what));
	cells->mean.value = figure(t->mean * scale, unit);
	cells->sd.value = figure(t->sd * scale, unit);
	cells->min.value = figure(t->min * scale, unit);
	cells->max.value = figure(t->max * scale, unit);
}

static void
spread_table(const struct tp_steps *steps, struct tp_doc *doc, struct tp_block *parent)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, "input-pipeline/steps", spread_columns);

	spread_row(&draft, "time", "Step time", &steps->time, 1e-9, TP_UNIT_MS);
	spread_row(&draft, "wait",
		steps->source->of_cores ? "Waiting for input, worst core" : "Waiting for input",
		&steps->all.worst_input, 1, TP_UNIT_SHARE);
	tp_draft_finish(&draft, SIZE_MAX)->caption = steps->source->of_cores
		? TP_S(
			  "Step time, and the share of it spent waiting for input on the worst core, as a mean "
			  "over steps; the share of all step time is above")
		: TP_S("Step time, and the share of it spent waiting for input, as a mean over steps; the "
			   "share of all step time is above");
}

/* The steps that are drawn: of several in a row the one that waits most. */
static size_t
pick(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, const struct tp_step ***shown)
{
	size_t each = (steps->count + MOST_COLUMNS - 1) / MOST_COLUMNS, count = 0;

	*shown = tp_new_array(ctx->scratch, const struct tp_step *, MOST_COLUMNS);
	for (size_t i = 0; i < steps->count; i += each) {
		const struct tp_step *most = &steps->steps[i];

		for (size_t k = i; k < i + each && k < steps->count; k++) {
			if (steps->steps[k].input_share_max > most->input_share_max)
				most = &steps->steps[k];
		}
		(*shown)[count++] = most;
	}
	return count;
}

static struct tp_slice
chart_alt(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, size_t points)
{
	return tp_arena_printf(ctx->keep,
		"Share of each of %zu steps that waits for input%s: %.*s to %.*s.%s", steps->count,
		steps->timelines > 1 ? ", on the core or host that waits most" : "",
		TP_ARG(tp_say_value(ctx, tp_number(steps->all.worst_input.min, TP_UNIT_SHARE))),
		TP_ARG(tp_say_value(ctx, tp_number(steps->all.worst_input.max, TP_UNIT_SHARE))),
		points < steps->count ? " Each column is the worst of several consecutive steps." : "");
}

/* Waits of a smaller share are told as less than 0.1 %. */
#define LEAST_SHARE 0.001

/* A column a step: what all cores wait at least, and on it how much more the core waits that waits most. */
static void
strip(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, struct tp_doc *doc,
	struct tp_block *parent)
{
	const struct tp_step **shown;
	size_t points = pick(ctx, steps, &shown);
	double most = 0;

	for (size_t i = 0; i < points; i++)
		most = fmax(most, shown[i]->input_share_max);
	/* Columns of what rounds to nothing would fill the plot. */
	if (most < LEAST_SHARE)
		return;
	struct tp_chart *chart =
		&tp_doc_add(doc, parent, TP_BLOCK_CHART, TP_S("input-pipeline/strip"))->chart;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, points);
	double *least = tp_new_array(ctx->keep, double, points);
	double *more = tp_new_array(ctx->keep, double, points);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, 2);
	bool several = steps->timelines > 1;

	for (size_t i = 0; i < points; i++) {
		labels[i] = shown[i]->name;
		least[i] = shown[i]->input_share_min;
		more[i] = shown[i]->input_share_max - shown[i]->input_share_min;
	}
	series[0] = (struct tp_series){.key = TP_S("least"),
		.label = several ? tp_arena_printf(ctx->keep, "every %s waits", steps->source->timeline)
						 : TP_S("waits for input"),
		.hue = TP_HUE_INPUT,
		.values = least};
	series[1] = (struct tp_series){.key = TP_S("more"),
		.label = tp_arena_printf(ctx->keep, "some %s wait", steps->source->timelines),
		.hue = TP_HUE_INPUT,
		.tint = 2,
		.values = more};
	*chart = (struct tp_chart){.kind = TP_CHART_STRIP,
		.alt = chart_alt(ctx, steps, points),
		.unit = TP_UNIT_SHARE,
		.series = series,
		.series_count = several ? 2 : 1,
		.labels = labels,
		.point_count = points,
		.marked = SIZE_MAX,
		.legend = several};
}

static void
say_steps(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, struct tp_doc *doc,
	struct tp_block *section)
{
	if (steps == NULL || !(steps->input_share > 0))
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "input-pipeline/device", "In the steps");

	spread_table(steps, doc, part);
	if (steps->count < 2)
		return;
	strip(ctx, steps, doc, part);
	tp_doc_paragraph(doc, part, TP_PARAGRAPH_SMALL, "input-pipeline/by-step",
		TP_SAY0(doc, "Step by step, with the core or host that waits most: [Steps](#steps/each)."));
}

/* The first share in a sentence, "84.8%"; NaN: there is none. */
static double
share_in(struct tp_slice sentence)
{
	const char *sign = sentence.len != 0 ? memchr(sentence.ptr, '%', sentence.len) : NULL;
	size_t end = sign != NULL ? (size_t)(sign - sentence.ptr) : 0, begin = end;
	char figure[16];

	while (begin > 0 &&
		(isdigit((unsigned char)sentence.ptr[begin - 1]) || sentence.ptr[begin - 1] == '.'))
		begin--;
	if (begin == end || end - begin >= sizeof figure)
		return NAN;
	memcpy(figure, sentence.ptr + begin, end - begin);
	figure[end - begin] = '\0';
	return strtod(figure, NULL) / 100;
}

/* The statement may be about other steps than those of this report, even where both are from one file. */
static struct tp_text
statement(const struct tp_precomputed *g, struct tp_doc *doc)
{
	const double same_share = 0.01;
	struct tp_text said = TP_SAY(doc, "The profiler itself said, in `{}`: “{}”",
		tp_text_value(g->statement_from), tp_text_value(g->statement));
	struct tp_value waits = tp_doc_value(doc, "input.wait_share");

	if (g->step_count == 0 || !tp_known(waits) ||
		!(fabs(share_in(g->statement) - waits.number) > same_share))
		return said;
	return tp_doc_join(doc, said,
		tp_slice_eq(g->statement_from, g->steps_from)
			? TP_SAY0(doc,
				  " The steps that this file holds contradict it: {input.wait_share} of their time waits for "
				  "input. The verdict follows the steps.")
			: TP_SAY(doc,
				  " That is about the steps of that file. The steps here, which the verdict follows, are those "
				  "of `{}`: {input.wait_share} of their time waits for input.",
				  tp_text_value(g->steps_from)));
}

/* What the profiler itself said of input, and where its figures are from; false: nothing, for there are none. */
static bool
say_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL)
		return false;
	if (g->statement.len != 0)
		tp_doc_paragraph(
			doc, section, TP_PARAGRAPH_BODY, "input-pipeline/statement", statement(g, doc));
	if (g->input_from.len == 0 && g->step_count == 0)
		return false;
	tp_say_how(ctx, doc, section, "input-pipeline/how",
		"Waits, operations and classes of host time are the profiler's own figures; shares and "
		"statistics over steps are computed here.");
	tp_precomputed_source(ctx, doc, section, "input-pipeline/source",
		g->input_from.len != 0 ? g->input_from : g->steps_from);
	return true;
}

static bool
has_threads(const struct tp_profile *p)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_THREAD)
			return true;
	}
	return false;
}

/* What was looked for in vain, and how to make input visible. */
static void
say_looked_for(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_environment *env = tp_result(ctx, &tp_pass_environment);
	enum tp_framework framework = env ? env->framework : TP_FRAMEWORK_UNKNOWN;

	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "input-pipeline/looked-for", "What was looked for");

	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "input-pipeline/events",
		has_threads(ctx->profile)
			? TP_SAY0(doc,
				  "Host threads show no tf.data stage (`Iterator::…`), no stage with a category "
				  "(`_ipl_stage_cat`), and no transfer to the device (`InfeedEnqueue…`, "
				  "`MemcpyHToD`).")
			: TP_SAY0(doc,
				  "The profile holds no host threads, where tf.data stages and transfers to the "
				  "device would show: capture with the host tracer on."));
	if (framework == TP_FRAMEWORK_JAX || framework == TP_FRAMEWORK_UNKNOWN)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "input-pipeline/mark-jax",
			TP_SAY0(doc,
				"JAX takes its input from plain Python, which no event marks as input. To see it, "
				"annotate fetching a batch inside the step: `with "
				"jax.profiler.TraceAnnotation(\"IteratorGetNext\"): batch = next(batches)`."));
	if (framework == TP_FRAMEWORK_UNKNOWN)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "input-pipeline/mark-pytorch",
			TP_SAY0(doc,
				"PyTorch's DataLoader leaves no events in an XLA profile. To see it, annotate "
				"fetching a batch inside the step: `with xp.Trace(\"IteratorGetNext\"): batch = "
				"next(loader)`, where `xp` is `torch_xla.debug.profiler`."));
}

void
tp_input_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_input_pipeline *in = result;
	const struct tp_steps *steps = tp_result(ctx, &tp_pass_steps);

	/* PyTorch has no stages of input that its trace could show: the wait for the DataLoader is among the steps. */
	if (ctx->profile->torch != NULL && in->ops.count == 0)
		return;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "input-pipeline", "Input pipeline");

	say_first(ctx, in, steps, doc, &section->section);
	if (steps != NULL && steps->inferred)
		section->section.so_what = tp_doc_join(doc, section->section.so_what,
			tp_doc_join(doc, TP_SAY0(doc, " Steps are "),
				tp_doc_join(doc, tp_steps_say_inferred(ctx, doc, steps), TP_SAY0(doc, "."))));
	say_steps(ctx, steps, doc, section);
	tp_input_host(ctx, in, doc, section);
	tp_input_stages(ctx, in, doc, section);
	if (say_precomputed(ctx, doc, section))
		return;
	if (in->ops.count == 0)
		say_looked_for(ctx, doc, section);
	if (in->ops.count == 0 && (steps == NULL || !(steps->input_share > 0)))
		return;
	tp_say_how(ctx, doc, section, "input-pipeline/how",
		"A step waits for input while it fetches a batch or copies it to the device and nothing of "
		"higher rank runs; on a TPU, in infeed operations. Input operations are tf.data stages and "
		"transfers to the device on host threads; self time excludes operations nested on the same "
		"thread. If the host feeds an infeed queue, the time of all but the transfers is scaled to "
		"fill the time between transfers, as in xprof. In the table of stages a call waits for "
		"calls nested in it and, through a buffer, for those that made its element on other "
		"threads; self time excludes them, and \"waited for\" assigns each instant of a consumer's "
		"call to the lowest stage working for it, so it sums to the calls.");
	tp_say_source(
		ctx, doc, section, "input-pipeline/source", "host-thread events; waits as in Steps");
}
