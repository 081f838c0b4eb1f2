/* The headline figures of steps. */
#include "analyze/steps/steps.h"

#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

static struct tp_slice
coverage(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	static const char *const timed[] = {
		[TP_TIMED_BY_MARKER] = "",
		[TP_TIMED_BY_START] = ", each from its marker to the next",
		[TP_TIMED_BY_WORK] = ", by the work that markers launch",
		[TP_TIMED_BY_RUN] = ", by the runs that markers launch",
	};

	return tp_arena_printf(ctx->keep, "%zu of %zu %s%s", s->count, s->seen,
		tp_plural(s->seen, "step", "steps"),
		s->source->coverage != NULL ? s->source->coverage
			: s->inferred           ? ", inferred"
									: timed[s->launched.timing]);
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
		tp_text_value(tp_steps_source(s)),
		TP_S("markers when the profile holds step markers (where these only launch work that runs "
			 "later, the steps last as long as that work); inferred when steps are runs of a "
			 "program or function that repeat; precomputed when they are out of a tool file of the "
			 "profiler; none, with the reason, when neither"),
		over);
	tp_doc_metric(doc, TP_S("step.count"), "Steps in the statistics",
		s ? tp_count(s->count) : tp_missing(none), TP_S(""), s ? over : TP_S(""));
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		bool spread = strcmp(metrics[i].id, "step.time.sd_ms") == 0;

		tp_doc_metric(doc, tp_slice_of(metrics[i].id), metrics[i].label,
			ms_or(s, metrics[i].ps, s && spread ? TP_S("one step has no deviation") : none),
			tp_slice_of(metrics[i].how), s ? over : TP_S(""));
	}
}

static void
class_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = tp_skipped(ctx, &tp_pass_steps);

	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		const struct tp_class_info *info = tp_class_info((enum tp_class)c);
		struct tp_value ms = tp_missing(none), share = tp_missing(none);

		if (s != NULL && tp_steps_tell(s, (enum tp_class)c)) {
			ms = tp_number(s->class_mean_ps[c] / 1e9, TP_UNIT_MS);
			share = tp_share(s->class_mean_ps[c], s->time.mean, TP_S("steps have no length"));
		} else if (s != NULL) {
			ms = share = tp_missing(s->source->untold);
		}
		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "step.class.%s_ms", info->key), info->label,
			ms, tp_slice_of(info->how), s ? coverage(ctx, s) : TP_S(""));
		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "step.class.%s_share", info->key),
			info->label, share, tp_slice_of(info->how), s ? coverage(ctx, s) : TP_S(""));
	}
}

static const struct tp_tpu_part_info tpu_parts[TP_TPU_PART_COUNT] = {
	[TP_TPU_COMPUTE] = {"step.tpu.tc_compute_ms", "TensorCore compute, all-reduce included",
		"minimum over cores of the step without infeed, outfeed, host transfer, the wait for the "
		"sparse core and idle"},
	[TP_TPU_INFEED] = {"step.tpu.tc_infeed_ms", "Infeed", "maximum over cores"},
	[TP_TPU_OUTFEED] = {"step.tpu.tc_outfeed_ms", "Outfeed", "mean over cores"},
	[TP_TPU_IDLE] = {"step.tpu.tc_idle_ms", "Idle",
		"shortest step over cores less compute, infeed, outfeed and the wait for the sparse core, "
		"at least 0"},
	[TP_TPU_ALL_REDUCE_COMPUTE] = {"step.tpu.all_reduce_compute_ms", "All-reduce compute",
		"on the core with the longest all-reduce: the shortest time that any core needed for the "
		"same all-reduce"},
	[TP_TPU_ALL_REDUCE_SYNC] = {"step.tpu.all_reduce_sync_ms", "All-reduce wait",
		"the rest of it: waiting for other cores"},
	[TP_TPU_SPARSE_CORE] = {"step.tpu.sparse_core_ms", "Wait for the sparse core",
		"of the core that waits longest for it"},
	[TP_TPU_HOST_TRANSFER] = {"step.tpu.host_transfer_ms", "Host transfer",
		"sends to and receives from the host, maximum over cores"},
};

const struct tp_tpu_part_info *
tp_tpu_part_info(enum tp_tpu_part part)
{
	return &tpu_parts[part];
}

static void
tpu_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = s == NULL ? tp_skipped(ctx, &tp_pass_steps) : s->source->no_tpu_parts;

	for (int i = 0; i < TP_TPU_PART_COUNT; i++)
		tp_doc_metric(doc, tp_slice_of(tpu_parts[i].id), tpu_parts[i].label,
			ms_or(s && s->source->of_cores ? s : NULL, s ? s->all.tpu[i].mean : NAN, none),
			tp_slice_of(tpu_parts[i].how), s ? coverage(ctx, s) : TP_S(""));
}

/* The share that the core (host) waits which waits longest in a step, over steps. */
static void
worst_input_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = tp_skipped(ctx, &tp_pass_steps);
	struct tp_stats worst = s ? s->all.worst_input : (struct tp_stats){0};
	const struct {
		const char *id, *label;
		double share;
	} metrics[] = {
		{"input.worst_share", "Waiting for input, worst core", worst.mean},
		{"input.worst_sd_share", "Its standard deviation", worst.sd},
		{"input.worst_min_share", "Its least", worst.min},
		{"input.worst_max_share", "Its most", worst.max},
	};

	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		struct tp_value value = s == NULL ? tp_missing(none)
			: !s->shows_input             ? tp_missing(s->source->input_unseen.why)
			: isfinite(metrics[i].share)  ? tp_number(metrics[i].share, TP_UNIT_SHARE)
										  : tp_missing(TP_S("one step has no deviation"));

		tp_doc_metric(doc, tp_slice_of(metrics[i].id), metrics[i].label, value,
			TP_S("over steps, of the core (host) that waits longest in each; its step is the "
				 "longest of its host"),
			s ? coverage(ctx, s) : TP_S(""));
	}
}

static void
input_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = tp_skipped(ctx, &tp_pass_steps);

	tp_doc_metric(doc, TP_S("input.wait_share"), "Waiting for input",
		s == NULL            ? tp_missing(none)
			: s->shows_input ? tp_number(s->input_share, TP_UNIT_SHARE)
							 : tp_missing(s->source->input_unseen.why),
		TP_S("Σ waiting over Σ step time; on a TPU the wait of the core that waits longest in each "
			 "step"),
		s ? coverage(ctx, s) : TP_S(""));
	double most = s != NULL ? tp_steps_most_input_share(s) : NAN;
	char text[TP_VALUE_BUF];

	tp_doc_metric(doc, TP_S("input.wait_limit_share"), "Waiting for input, at most",
		isfinite(most)
			? tp_number(most, TP_UNIT_SHARE)
			: tp_missing(s == NULL ? none
					  : s->shows_input
					  ? TP_S("waiting is recorded: see input.wait_share")
					  : TP_S("no operation of a device or of XLA was recorded in steps")),
		TP_S("where waiting cannot be seen: the share of step time in which no operation of a "
			 "device ran, or of XLA on the CPU; on a TPU of the core that is idle longest"),
		s ? coverage(ctx, s) : TP_S(""));
	tp_doc_metric(doc, TP_S("input.verdict"), "Input-bound",
		tp_text_value(tp_slice_of(tp_input_verdict_name(tp_input_verdict(s)))),
		TP_S("high from 20 %, moderate from 5 %; where waiting cannot be seen none when it can be "
			 "less than 5 % at most (input.wait_limit_share); potential when 3 % of the step or "
			 "more is covered by no event and steps do not record each call for a batch; unknown "
			 "where no event would show waiting"),
		isfinite(most) && most < s->input_limits.medium
			? tp_arena_printf(ctx->keep, "at most %.*s",
				  TP_ARG(tp_value_text(tp_number(most, TP_UNIT_SHARE), text)))
			: TP_S(""));
}

enum tp_input_verdict
tp_input_verdict(const struct tp_steps *s)
{
	if (s == NULL || !isfinite(s->input_share))
		return TP_INPUT_UNKNOWN;
	if (s->input_share >= s->input_limits.high)
		return TP_INPUT_HIGH;
	if (s->input_share >= s->input_limits.medium)
		return TP_INPUT_MODERATE;
	if (tp_steps_most_input_share(s) < s->input_limits.medium || s->input_asked)
		return TP_INPUT_NONE;
	if (s->class_mean_ps[TP_CLASS_OTHER] >= TP_OTHER_SHARE * s->time.mean)
		return TP_INPUT_POTENTIAL;
	return s->shows_input ? TP_INPUT_NONE : TP_INPUT_UNKNOWN;
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

/* Statistics without steps that the capture cuts. */
static void
whole_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none = s == NULL ? tp_skipped(ctx, &tp_pass_steps)
		: s->whole.count == 0        ? TP_S("the capture cuts every step")
									 : TP_S("one step has no deviation");
	struct tp_stats time = s ? s->whole.time : (struct tp_stats){0};
	struct tp_slice over = s == NULL
		? TP_S("")
		: tp_arena_printf(ctx->keep, "%zu of %zu %s%s", s->whole.count, s->seen,
			  tp_plural(s->seen, "step", "steps"), s->inferred ? ", inferred" : "");
	const struct {
		const char *id, *label;
		double ps;
	} metrics[] = {
		{"step.time.whole.mean_ms", "Mean, whole steps", time.mean},
		{"step.time.whole.sd_ms", "Standard deviation, whole steps", time.sd},
		{"step.time.whole.min_ms", "Shortest whole step", time.min},
		{"step.time.whole.max_ms", "Longest whole step", time.max},
	};

	tp_doc_metric(doc, TP_S("step.cut_count"), "Steps that the capture cuts",
		s ? tp_count(s->open_count) : tp_missing(none),
		TP_S("first and last step on a TPU with less than 90 % of the usual operations of a core, "
			 "or less than 70 % of the usual length"),
		s ? coverage(ctx, s) : TP_S(""));
	tp_doc_metric(doc, TP_S("data.open_events"), "Events that the capture cuts",
		s == NULL ? tp_missing(none)
			: s->capture_known
			? tp_count(s->open_events)
			: tp_missing(TP_S("the profile does not say when its capture began")),
		TP_S("events of all lines that begin before the capture or end after it"), TP_S(""));
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		tp_doc_metric(doc, tp_slice_of(metrics[i].id), metrics[i].label,
			ms_or(s, metrics[i].ps, none), TP_S("over steps that the capture does not cut"), over);
}

/* Steps that nobody marked: from what, and how sure. */
static void
inference_metrics(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc)
{
	struct tp_slice none =
		s == NULL ? tp_skipped(ctx, &tp_pass_steps) : TP_S("steps are marked, not inferred");
	struct tp_value value = s != NULL && s->inferred
		? tp_number(s->repetition.confidence, TP_UNIT_SHARE)
		: tp_missing(none);

	tp_doc_metric(doc, TP_S("step.inferred.confidence_share"), "Confidence of inferred steps",
		value,
		TP_S(
			"time of runs within steps over that of all runs × 1 less the usual relative deviation "
			"of a step's length × agreement of timelines on the count × 1 less one over the count"),
		s != NULL ? coverage(ctx, s) : TP_S(""));
}

void
tp_steps_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	time_metrics(ctx, result, doc);
	whole_metrics(ctx, result, doc);
	class_metrics(ctx, result, doc);
	tpu_metrics(ctx, result, doc);
	input_metrics(ctx, result, doc);
	worst_input_metrics(ctx, result, doc);
	inference_metrics(ctx, result, doc);
}
