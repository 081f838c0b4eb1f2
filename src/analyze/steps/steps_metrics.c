/* The headline figures of steps. */
#include "analyze/steps/steps_section.h"

#include "analyze/steps/steps_words.h"
#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

struct telling {
	const struct tp_pass_ctx *ctx;
	const struct tp_steps *s; /* without any steps: none, not NULL */
	struct tp_slice skipped;  /* then: why */
	struct tp_slice over;     /* what figures are over */
	struct tp_doc *doc;
};

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

/* A figure over steps; without any it is missing. */
static void
put_over(const struct telling *t, struct tp_slice id, const char *label, struct tp_value value,
	const char *how, struct tp_slice over)
{
	bool any = t->s->count != 0;

	tp_doc_metric(t->doc, id, label, any ? value : tp_missing(t->skipped), tp_slice_of(how),
		any ? over : TP_S(""));
}

static void
put(const struct telling *t, const char *id, const char *label, struct tp_value value,
	const char *how)
{
	put_over(t, tp_slice_of(id), label, value, how, t->over);
}

/* Of all figures of a sample only the deviation may not be there. */
static struct tp_value
ms(double ps)
{
	return isfinite(ps) ? tp_number(ps / 1e9, TP_UNIT_MS) : tp_missing(TP_S(why_single_step));
}

static void
time_metrics(const struct telling *t)
{
	const struct tp_stats *time = &t->s->time;

	put(t, "step.count", "Steps in the statistics", tp_count(t->s->count), "");
	put(t, "step.seen_count", "Steps in the capture", tp_count(t->s->seen),
		"with those that the statistics leave out");
	put(t, "step.time.mean_ms", "Mean step time", ms(time->mean), "mean over steps");
	put(t, "step.time.sd_ms", "Standard deviation", ms(time->sd),
		"sample standard deviation over steps");
	put(t, "step.time.min_ms", "Shortest step", ms(time->min), "minimum over steps");
	put(t, "step.time.max_ms", "Longest step", ms(time->max), "maximum over steps");
	put(t, "step.time.p50_ms", "Median step time", ms(time->p50),
		"50th percentile, linear between ranks");
	put(t, "step.time.p95_ms", "95th percentile", ms(time->p95),
		"95th percentile, linear between ranks");
}

static void
class_metrics(const struct telling *t)
{
	const struct tp_steps *s = t->s;

	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		const struct tp_class_info *info = tp_class_info((enum tp_class)c);
		struct tp_value ms = tp_missing(s->source->untold), share = ms;

		if (tp_steps_tell(s, (enum tp_class)c)) {
			ms = tp_number(s->class_mean_ps[c] / 1e9, TP_UNIT_MS);
			share = tp_share(s->class_mean_ps[c], s->time.mean, TP_S(why_no_length));
		}
		put_over(t, tp_arena_printf(t->ctx->keep, "step.class.%s_ms", info->key), info->label, ms,
			info->how, t->over);
		put_over(t, tp_arena_printf(t->ctx->keep, "step.class.%s_share", info->key), info->label,
			share, info->how, t->over);
	}
}

static const struct tp_tpu_part_info tpu_parts[TP_TPU_PART_COUNT] = {
	[TP_TPU_COMPUTE] = {"step.tpu.tc_compute_ms", "TensorCore compute, all-reduce included",
		"minimum over cores of the step without infeed, outfeed, host transfer, the wait for the "
		"SparseCore and idle"},
	[TP_TPU_INFEED] = {"step.tpu.tc_infeed_ms", "Infeed", "maximum over cores"},
	[TP_TPU_OUTFEED] = {"step.tpu.tc_outfeed_ms", "Outfeed", "mean over cores"},
	[TP_TPU_IDLE] = {"step.tpu.tc_idle_ms", "Idle",
		"shortest step over cores minus compute, infeed, outfeed and the wait for the SparseCore, "
		"at least 0"},
	[TP_TPU_ALL_REDUCE_COMPUTE] = {"step.tpu.all_reduce_compute_ms", "All-reduce compute",
		"on the core with the longest all-reduce: the shortest time that any core needed for the "
		"same all-reduce"},
	[TP_TPU_ALL_REDUCE_SYNC] = {"step.tpu.all_reduce_sync_ms", "All-reduce wait",
		"on the core with the longest all-reduce, its time minus all-reduce compute: waiting for "
		"other cores"},
	[TP_TPU_SPARSE_CORE] = {"step.tpu.sparse_core_ms", "Wait for the SparseCore",
		"on the core that waits longest for it"},
	[TP_TPU_HOST_TRANSFER] = {"step.tpu.host_transfer_ms", "Host transfer",
		"sends to and receives from the host, maximum over cores"},
};

const struct tp_tpu_part_info *
tp_tpu_part_info(enum tp_tpu_part part)
{
	return &tpu_parts[part];
}

static void
tpu_metrics(const struct telling *t)
{
	for (int i = 0; i < TP_TPU_PART_COUNT; i++)
		put(t, tpu_parts[i].id, tpu_parts[i].label,
			t->s->source->of_cores ? ms(t->s->all.tpu[i].mean)
								   : tp_missing(t->s->source->no_tpu_parts),
			tpu_parts[i].how);
}

static struct tp_value
input_share(const struct tp_steps *s, double share)
{
	return !s->shows_input ? tp_missing(s->source->input_unseen.why)
		: isfinite(share)  ? tp_number(share, TP_UNIT_SHARE)
						   : tp_missing(TP_S(why_single_step));
}

/* The share that the core (host) waits which waits longest in a step, over steps. */
static void
worst_input_metrics(const struct telling *t)
{
	static const char how[] = "over steps, of the core (host) that waits longest in each, relative "
							  "to the longest step on its host";
	const struct tp_stats *worst = &t->s->all.worst_input;

	put(t, "input.worst_share", "Waiting for input, worst core", input_share(t->s, worst->mean),
		how);
	put(t, "input.worst_sd_share", "Waiting for input, worst core: standard deviation",
		input_share(t->s, worst->sd), how);
	put(t, "input.worst_min_share", "Waiting for input, worst core: min",
		input_share(t->s, worst->min), how);
	put(t, "input.worst_max_share", "Waiting for input, worst core: max",
		input_share(t->s, worst->max), how);
}

static const char *
verdict_name(enum tp_input_verdict v)
{
	static const char *const names[] = {
		[TP_INPUT_UNKNOWN] = "unknown",
		[TP_INPUT_NONE] = "none",
		[TP_INPUT_POTENTIAL] = "potential",
		[TP_INPUT_MODERATE] = "medium",
		[TP_INPUT_HIGH] = "high",
	};

	return names[v];
}

static void
input_metrics(const struct telling *t)
{
	const struct tp_steps *s = t->s;
	double most = tp_steps_most_input_share(s);
	char text[TP_VALUE_BUF];

	put(t, "input.wait_share", "Waiting for input", input_share(s, s->input_share),
		"Σ waiting / Σ step time; on a TPU, the wait of the core that waits longest in each step");
	put(t, "input.wait_limit_share", "Waiting for input, at most",
		isfinite(most)       ? tp_number(most, TP_UNIT_SHARE)
			: s->shows_input ? tp_missing(TP_S(why_input_recorded))
							 : tp_missing(TP_S(why_no_operation)),
		"where waiting is not recorded: the share of step time without a device operation, or XLA "
		"operation on the CPU; on a TPU, of the core that is idle longest");
	tp_doc_metric(t->doc, TP_S("input.verdict"), "Input-bound",
		tp_text_value(tp_slice_of(verdict_name(tp_input_verdict(s)))),
		TP_S("high from 20 %, medium from 5 %; none also where waiting is not recorded but is "
			 "below 5 % at most (input.wait_limit_share); potential when 3 % of the step or more "
			 "has no events and steps do not record each call for a batch; unknown where no event "
			 "would show waiting"),
		most < s->input_limits.medium
			? tp_arena_printf(t->ctx->keep, "at most %.*s",
				  TP_ARG(tp_value_text(tp_number(most, TP_UNIT_SHARE), text)))
			: TP_S(""));
}

/* Statistics without steps that the capture cuts. */
static void
whole_metrics(const struct telling *t)
{
	const struct tp_steps *s = t->s;
	const struct {
		const char *id, *label;
		double ps;
	} metrics[] = {
		{"step.time.whole.mean_ms", "Mean, whole steps", s->whole.time.mean},
		{"step.time.whole.sd_ms", "Standard deviation, whole steps", s->whole.time.sd},
		{"step.time.whole.min_ms", "Shortest whole step", s->whole.time.min},
		{"step.time.whole.max_ms", "Longest whole step", s->whole.time.max},
	};
	struct tp_slice over = tp_arena_printf(t->ctx->keep, "%zu of %zu %s%s", s->whole.count, s->seen,
		tp_plural(s->seen, "step", "steps"), s->inferred ? ", inferred" : "");

	put(t, "step.cut_count", "Steps cut by the capture", tp_count(s->open_count),
		"first and last step on a TPU with less than 90 % of a core's usual operations, or less "
		"than 70 % of the usual length; of a tool file's, with less than a quarter of the usual work");
	put_over(t, TP_S("data.open_events"), "Events cut by the capture",
		s->capture_known ? tp_count(s->open_events) : tp_missing(TP_S(why_no_capture)),
		"events on all lines that start before the capture or end after it", TP_S(""));
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		put_over(t, tp_slice_of(metrics[i].id), metrics[i].label,
			s->whole.count != 0 ? ms(metrics[i].ps) : tp_missing(TP_S(why_all_cut)),
			"over steps that the capture does not cut", over);
}

void
tp_steps_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const struct tp_steps none = {
		.source = &tp_step_source_markers, .input_share = NAN, .idle_share = NAN};
	const struct tp_steps *s = result != NULL ? result : &none;
	const struct telling t = {ctx, s, tp_skipped_itself(ctx), coverage(ctx, s), doc};

	tp_doc_metric(doc, TP_S("run.step_source"), "Source of steps",
		result == NULL    ? tp_text_value(TP_S("none"))
			: s->inferred ? tp_text_value(TP_S("inferred"))
						  : tp_text_value(tp_slice_of(s->source->name)),
		TP_S("markers if the profile holds step markers (if these only launch work that runs "
			 "later, steps last as long as that work); inferred if steps are repeated runs of a "
			 "program or function; precomputed if they come from the profiler's tool files; "
			 "otherwise none, with the reason"),
		result != NULL ? t.over : t.skipped);
	time_metrics(&t);
	whole_metrics(&t);
	class_metrics(&t);
	tpu_metrics(&t);
	input_metrics(&t);
	worst_input_metrics(&t);
	/* Steps that nobody marked: from what, and how sure. */
	put(&t, "step.inferred.confidence_share", "Confidence of inferred steps",
		s->inferred ? tp_number(s->repetition.confidence, TP_UNIT_SHARE)
					: tp_missing(TP_S(why_not_inferred)),
		"time of runs within steps / time of all runs × (1 − median relative deviation of step "
		"length) × agreement of timelines on the count × (1 − 1 / count)");
}
