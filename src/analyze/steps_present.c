/* What the report says about steps: metrics, the strip, the table of classes, the slowest step. */
#include "analyze/steps.h"

#include "analyze/say.h"
#include "analyze/step_charts.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { ENOUGH_FOR_PERCENTILES = 20 };

/* A difference of this share of the median is not worth a word. */
#define ALL_BUT_EQUAL 0.01

static struct tp_slice
coverage(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	return tp_arena_printf(ctx->keep, "%zu of %zu steps", s->count, s->seen);
}

static struct tp_value
ms_or(const struct tp_steps *s, double ps, struct tp_slice reason)
{
	if (s == NULL || !isfinite(ps))
		return tp_missing(reason);
	return tp_number(ps / 1e9, TP_UNIT_MS);
}

static void
time_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = tp_skipped(ctx, &tp_pass_steps), over = s ? coverage(ctx, s) : none;
	struct tp_stats time = s ? s->time : (struct tp_stats){0};
	const struct {
		const char *id, *label, *how;
		double ps;
	} metrics[] = {
		{"step.time.mean_ms", "Mean step time", "mean over steps", time.mean},
		{"step.time.sd_ms", "Standard deviation", "sample standard deviation over steps", time.sd},
		{"step.time.min_ms", "Shortest step", "minimum over steps", time.min},
		{"step.time.max_ms", "Longest step", "maximum over steps", time.max},
		{"step.time.p50_ms", "Median step time", "50th percentile, linear between ranks", time.p50},
		{"step.time.p95_ms", "95th percentile", "95th percentile, linear between ranks", time.p95},
	};

	tp_doc_metric(doc, TP_S("run.step_source"), "Where steps come from",
		tp_text_value(s ? TP_S("markers") : TP_S("none")),
		TP_S("markers when the profile holds step markers; none, with the reason, when not"), over);
	tp_doc_metric(doc, TP_S("step.count"), "Steps in the statistics",
		s ? tp_count(s->count) : tp_missing(none), TP_S(""), s ? over : TP_S(""));
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		bool spread = strcmp(metrics[i].id, "step.time.sd_ms") == 0;

		tp_doc_metric(doc, tp_slice_of(metrics[i].id), metrics[i].label,
			ms_or(s, metrics[i].ps, s && spread ? TP_S("one step has no deviation") : none),
			tp_slice_of(metrics[i].how), s ? over : TP_S(""));
	}
}

/* Classes that this source of steps can tell apart; the others are missing, not 0. */
static bool
class_known(const struct tp_steps *s, enum tp_class c)
{
	switch (c) {
	case TP_CLASS_COMPUTE:
	case TP_CLASS_COLLECTIVE:
	case TP_CLASS_OUTPUT:
	case TP_CLASS_DEVICE_TO_DEVICE:
		return s->tpu ? c != TP_CLASS_DEVICE_TO_DEVICE : s->gpu;
	case TP_CLASS_SEND_RECV:
	case TP_CLASS_HOST_TRANSFER:
		return s->tpu;
	case TP_CLASS_HOST_COMPUTE:
		return !s->tpu && !s->gpu;
	case TP_CLASS_LAUNCH:
		return s->gpu;
	case TP_CLASS_COMPILE:
		return false;
	case TP_CLASS_OTHER:
		return !s->tpu;
	case TP_CLASS_INPUT_WAIT:
	case TP_CLASS_IDLE:
	case TP_CLASS_COUNT:
		break;
	}
	return true;
}

static void
class_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = tp_skipped(ctx, &tp_pass_steps);

	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		const struct tp_class_info *info = tp_class_info((enum tp_class)c);
		struct tp_value ms = tp_missing(none), share = tp_missing(none);

		if (s != NULL && class_known(s, (enum tp_class)c)) {
			ms = tp_number(s->class_mean_ps[c] / 1e9, TP_UNIT_MS);
			share = tp_share(s->class_mean_ps[c], s->time.mean, TP_S("steps have no length"));
		} else if (s != NULL) {
			ms = share = tp_missing(TP_S("this kind of profile cannot show it"));
		}
		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "step.class.%s_ms", info->key), info->label,
			ms, tp_slice_of(info->how), s ? coverage(ctx, s) : TP_S(""));
		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "step.class.%s_share", info->key),
			info->label, share, tp_slice_of(info->how), s ? coverage(ctx, s) : TP_S(""));
	}
}

static const struct {
	const char *id, *label, *how;
} tpu_parts[TP_TPU_PART_COUNT] = {
	[TP_TPU_COMPUTE] = {"step.tpu.tc_compute_ms", "TensorCore compute, all-reduce included",
		"minimum over cores of the step without infeed, outfeed, host transfer and idle"},
	[TP_TPU_INFEED] = {"step.tpu.tc_infeed_ms", "Infeed", "maximum over cores"},
	[TP_TPU_OUTFEED] = {"step.tpu.tc_outfeed_ms", "Outfeed", "mean over cores"},
	[TP_TPU_IDLE] = {"step.tpu.tc_idle_ms", "Idle",
		"shortest step over cores less compute, infeed and outfeed, at least 0"},
	[TP_TPU_ALL_REDUCE_COMPUTE] = {"step.tpu.all_reduce_compute_ms", "All-reduce compute",
		"on the core with the longest all-reduce: the shortest time that any core needed for the "
		"same all-reduce"},
	[TP_TPU_ALL_REDUCE_SYNC] = {"step.tpu.all_reduce_sync_ms", "All-reduce wait",
		"the rest of it: waiting for other cores"},
};

static void
tpu_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = s == NULL ? tp_skipped(ctx, &tp_pass_steps) : TP_S("not a TPU profile");

	for (int i = 0; i < TP_TPU_PART_COUNT; i++)
		tp_doc_metric(doc, tp_slice_of(tpu_parts[i].id), tpu_parts[i].label,
			ms_or(s && s->tpu ? s : NULL, s ? s->tpu_mean_ps[i] : NAN, none),
			tp_slice_of(tpu_parts[i].how), s ? coverage(ctx, s) : TP_S(""));
}

static void
input_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = tp_skipped(ctx, &tp_pass_steps);

	tp_doc_metric(doc, TP_S("input.wait_share"), "Waiting for input",
		s ? tp_number(s->input_share, TP_UNIT_SHARE) : tp_missing(none),
		TP_S("Σ waiting over Σ step time; on a TPU the wait of the core that waits longest in each "
			 "step"),
		s ? coverage(ctx, s) : TP_S(""));
	tp_doc_metric(doc, TP_S("input.verdict"), "Input-bound",
		tp_text_value(tp_slice_of(tp_input_verdict_name(tp_input_verdict(s)))),
		TP_S("high from 20 %, moderate from 5 %, potential when 3 % of the step or more is covered "
			 "by no event"),
		TP_S(""));
}

enum tp_input_verdict
tp_input_verdict(const struct tp_steps *s)
{
	if (s == NULL || !isfinite(s->input_share))
		return TP_INPUT_UNKNOWN;
	if (s->input_share >= TP_INPUT_HIGH_SHARE)
		return TP_INPUT_HIGH;
	if (s->input_share >= TP_INPUT_MODERATE_SHARE)
		return TP_INPUT_MODERATE;
	if (!s->tpu && s->class_mean_ps[TP_CLASS_OTHER] >= TP_OTHER_SHARE * s->time.mean)
		return TP_INPUT_POTENTIAL;
	return TP_INPUT_NONE;
}

const char *
tp_input_verdict_name(enum tp_input_verdict v)
{
	static const char *const names[] = {
		[TP_INPUT_UNKNOWN] = "unknown",
		[TP_INPUT_NONE] = "none",
		[TP_INPUT_POTENTIAL] = "potential",
		[TP_INPUT_MODERATE] = "moderate",
		[TP_INPUT_HIGH] = "high",
	};

	return names[v];
}

static const struct tp_column class_columns[] = {
	{.key = TP_LIT("class"), .title = TP_LIT("Class")},
	{.key = TP_LIT("mean_ms"), .title = TP_LIT("Mean"), .unit = TP_UNIT_MS, .decimals = 2},
	{.key = TP_LIT("share"),
		.title = TP_LIT("Of step"),
		.unit = TP_UNIT_SHARE,
		.decimals = 1,
		.bar = true},
	{.key = TP_LIT("sd_ms"), .title = TP_LIT("sd"), .unit = TP_UNIT_MS, .decimals = 2},
	{.key = TP_LIT("min_ms"), .title = TP_LIT("Min"), .unit = TP_UNIT_MS, .decimals = 2},
	{.key = TP_LIT("p50_ms"), .title = TP_LIT("p50"), .unit = TP_UNIT_MS, .decimals = 2},
	{.key = TP_LIT("p95_ms"), .title = TP_LIT("p95"), .unit = TP_UNIT_MS, .decimals = 2},
	{.key = TP_LIT("max_ms"), .title = TP_LIT("Max"), .unit = TP_UNIT_MS, .decimals = 2},
	{.key = TP_LIT("slowest_ms"),
		.title = TP_LIT("Slowest step"),
		.unit = TP_UNIT_MS,
		.decimals = 2},
};
enum { CLASS_COLUMNS = sizeof class_columns / sizeof *class_columns };

static struct tp_value
ms(double ps, const char *reason)
{
	return isfinite(ps) ? tp_number(ps / 1e9, TP_UNIT_MS) : tp_missing(tp_slice_of(reason));
}

static void
class_row(struct tp_cell *cell, struct tp_slice name, struct tp_stats t, double step_ps,
	double slowest_ps, enum tp_hue hue)
{
	cell[0].value = tp_text_value(name);
	cell[0].swatch = hue;
	cell[1].value = ms(t.mean, "");
	cell[2].value = tp_share(t.mean, step_ps, TP_S("steps have no length"));
	cell[2].swatch = hue;
	cell[3].value = ms(t.sd, "one step has no deviation");
	cell[4].value = ms(t.min, "");
	cell[5].value = ms(t.p50, "");
	cell[6].value = ms(t.p95, "");
	cell[7].value = ms(t.max, "");
	cell[8].value = ms(slowest_ps, "");
}

static void
class_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "steps/classes", class_columns, CLASS_COLUMNS);
	double *values = tp_new_array(ctx->scratch, double, s->count);
	const struct tp_step *slowest = &s->steps[s->slowest];

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);

		if (!(tp_step_part_mean_ps(s, k) > 0))
			continue;
		for (size_t i = 0; i < s->count; i++)
			values[i] = tp_step_part_ps(&s->steps[i], k);
		class_row(tp_draft_row(&draft, tp_slice_of(part.key), TP_ROW_NORMAL, 0),
			tp_slice_of(part.label), tp_stats_of(values, s->count, ctx->scratch), s->time.mean,
			tp_step_part_ps(slowest, k), part.hue);
	}
	struct tp_cell *total = tp_draft_row(&draft, TP_S("step"), TP_ROW_TOTAL, 0);

	class_row(total, TP_S("Step"), s->time, s->time.mean, slowest->time_ps, TP_HUE_NONE);
	total[1].metric = TP_S("step.time.mean_ms");
	total[4].metric = TP_S("step.time.min_ms");
	total[5].metric = TP_S("step.time.p50_ms");
	total[6].metric = TP_S("step.time.p95_ms");
	total[7].metric = TP_S("step.time.max_ms");
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(ctx->keep,
		"A step by class of time, mean over %zu %s; %zu steps", s->timelines,
		s->tpu ? (s->timelines == 1 ? "core" : "cores") : (s->timelines == 1 ? "host" : "hosts"),
		s->count);
}

static const struct tp_column tpu_columns[] = {
	{.key = TP_LIT("part"), .title = TP_LIT("Part")},
	{.key = TP_LIT("mean_ms"), .title = TP_LIT("Mean"), .unit = TP_UNIT_MS, .decimals = 2},
	{.key = TP_LIT("how"), .title = TP_LIT("Over cores")},
};

static void
tpu_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "steps/tpu-page", "The figures of the TPU page");
	struct tp_draft draft = tp_draft_table(doc, fold, "steps/tpu", tpu_columns, 3);

	(void)ctx;
	for (int i = 0; i < TP_TPU_PART_COUNT; i++) {
		struct tp_cell *cell = tp_draft_row(&draft, tp_slice_of(tpu_parts[i].id), TP_ROW_NORMAL, 0);

		cell[0].value = tp_text_value(tp_slice_of(tpu_parts[i].label));
		cell[1].value = ms(s->tpu_mean_ps[i], "");
		cell[1].metric = tp_slice_of(tpu_parts[i].id);
		cell[2].value = tp_text_value(tp_slice_of(tpu_parts[i].how));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("Parts as the profiler's TPU page counts them: over different cores, so they need not "
			 "sum to the step");
}

/* What makes the slowest step longer than the median step. */
static void
explain_slowest(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_step *slowest = &s->steps[s->slowest];
	double *values = tp_new_array(ctx->scratch, double, s->count), most = 0;
	size_t cause = 0;

	if (s->count < 3)
		return;
	if (slowest->time_ps - s->time.p50 < ALL_BUT_EQUAL * s->time.p50) {
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "steps/slowest",
			TP_SAY(doc, "Steps are all but equal: the slowest, {}, took {}.",
				tp_text_value(slowest->name), ms(slowest->time_ps, "")));
		return;
	}
	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		for (size_t i = 0; i < s->count; i++)
			values[i] = tp_step_part_ps(&s->steps[i], k);
		double more = tp_step_part_ps(slowest, k) - tp_stats_of(values, s->count, ctx->scratch).p50;

		if (more > most) {
			most = more;
			cause = k;
		}
	}
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "steps/slowest",
		TP_SAY(doc,
			"The slowest step, {}, took {}: {} more than the median step. What grew most is "
			"\"{}\", by {}.",
			tp_text_value(slowest->name), ms(slowest->time_ps, ""),
			ms(slowest->time_ps - s->time.p50, ""),
			tp_text_value(tp_slice_of(tp_step_part(cause).label)), ms(most, "")));
}

static void
how(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const char *tpu =
		"Steps are the events of each core's Steps line, matched over cores and hosts by name; a "
		"step counts when every core has it. Operations are charged to the step in which they "
		"start, by the chip's clock, with their self time, to the class of their HLO category; "
		"class compute is shown as arithmetic and copies. What a core does not fill up to the "
		"longest core's step is idle, so the classes sum to the step. No step is left out at the "
		"edges: a first or last step much shorter than the median may be cut by the capture.";
	const char *markers =
		"Steps are marker events of the host or the device. What is nested in a marker, or was "
		"caused by such an event on another thread or stream, belongs to its step; each instant "
		"counts for the class of the highest-ranking event then running (device compute before "
		"copies, waiting for input, collectives, launch, transfers and host compute); time within "
		"the marker that no event covers is \"not recorded\", so the classes sum to the step. Of "
		"more than five steps the first and the last are left out, because the capture may cut "
		"them.";

	tp_say_how(ctx, doc, section, "steps/how", s->tpu ? tpu : markers);
}

void
tp_steps_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	time_metrics(ctx, result, doc);
	class_metrics(ctx, result, doc);
	tpu_metrics(ctx, result, doc);
	input_metrics(ctx, result, doc);
}

/* As much as the sample can carry. */
static struct tp_text
answer(struct tp_doc *doc, const struct tp_steps *s)
{
	struct tp_value p50 = ms(s->time.p50, "");

	if (s->count == 1)
		return TP_SAY(doc, "The only step took {}.", p50);
	if (s->time.max - s->time.min < ALL_BUT_EQUAL * s->time.p50)
		return TP_SAY(doc, "Every step takes {}, give or take {}.", p50,
			ms((s->time.max - s->time.min) / 2, ""));
	if (s->count < ENOUGH_FOR_PERCENTILES)
		return TP_SAY(doc, "Steps take {} to {}, in the median {}.", ms(s->time.min, ""),
			ms(s->time.max, ""), p50);
	return TP_SAY(
		doc, "Half of all steps take {} or less; 5 % take more than {}.", p50, ms(s->time.p95, ""));
}

enum tp_status
tp_steps_present(
	const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc, struct tp_err *err)
{
	const struct tp_steps *s = result;

	(void)err;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "steps", "Steps");

	if (s == NULL) {
		section->section.key_figure = tp_missing(TP_S("no steps"));
		section->section.answer = TP_SAY0(doc, "Step time is unknown.");
		section->section.so_what =
			TP_SAY(doc, "Because {}.", tp_text_value(tp_skipped(ctx, &tp_pass_steps)));
		return TP_OK;
	}
	section->section.key_figure = ms(s->time.p50, "");
	section->section.answer = answer(doc, s);
	if (s->count > 1)
		section->section.so_what = TP_SAY(doc, "{} of {} steps count; the mean is {}.",
			tp_count(s->count), tp_count(s->seen), ms(s->time.mean, ""));
	tp_step_strip(ctx, s, doc, section, "steps/strip", true);
	class_table(ctx, s, doc, section);
	explain_slowest(ctx, s, doc, section);
	if (s->tpu)
		tpu_table(ctx, s, doc, section);
	how(ctx, s, doc, section);
	tp_say_source(ctx, doc, section, "steps/source",
		s->tpu       ? "lines \"Steps\" and \"XLA Ops\" of each core"
			: s->gpu ? "step markers of host and GPUs, host threads, GPU streams"
					 : "step markers and events of host threads");
	return TP_OK;
}
