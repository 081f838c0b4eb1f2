/* Rules on the input pipeline. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/input/input_pipeline.h"
#include "analyze/judge/what_if.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

#include <math.h>

/* Why nothing is known of waiting for input. */
static struct tp_slice
unseen(const struct tp_evaluation *e)
{
	return e->steps == NULL ? tp_skipped(e->ctx, &tp_pass_steps)
							: e->steps->source->input_unseen.why;
}

/* Of a mean step, as the bar of classes draws it; of one core that waits alone, what it makes the others wait. */
static double
saving_ps(const struct tp_steps *s)
{
	double most = tp_without_class_ps(s, TP_CLASS_INPUT_WAIT);

	return tp_input_uneven(s) ? most : tp_smaller(most, s->class_mean_ps[TP_CLASS_INPUT_WAIT]);
}

static void
stages(const struct tp_evaluation *e, struct tp_finding_result *r, int64_t ps)
{
	const struct tp_tf_data *tf = &e->pipeline->tf;
	enum tp_input_verdict verdict = tp_input_verdict(e->steps);

	if (tf->calls == 0)
		tp_rule_not_applicable(r, "the profile holds no call into a tf.data pipeline");
	else if (verdict == TP_INPUT_UNKNOWN)
		tp_rule_undecided(r, unseen(e));
	else if (verdict != TP_INPUT_HIGH && verdict != TP_INPUT_MODERATE)
		tp_rule_not_applicable(r, "steps are not input-bound");
	else
		/* Of the wait, at most the share that the stage has of the calls. */
		tp_rule_decide(r, (double)ps / (double)tf->sum_ps,
			(double)ps / (double)tf->sum_ps * saving_ps(e->steps));
}

static void
input(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->steps != NULL && tp_steps_most_input_share(e->steps) < e->steps->input_limits.medium)
		tp_rule_not_applicable(r,
			"waiting for input is not recorded, but the device works for more than 95 % of a step");
	else if (e->steps == NULL || !e->steps->shows_input)
		tp_rule_undecided(r, unseen(e));
	else {
		tp_rule_decide(r, e->steps->input_share, saving_ps(e->steps));
		tp_rule_tell_mean(e, r, TP_CLASS_INPUT_WAIT);
	}
}

static void
generators(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	stages(e, r, e->pipeline->tf.kind_ps[TP_ITERATOR_GENERATOR]);
}

static void
one_at_a_time(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	stages(e, r, e->pipeline->tf.alone_ps);
}

static void
demanded_reads(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	stages(e, r, e->pipeline->tf.demanded_ps);
}

static void
not_ahead(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tf_data *tf = &e->pipeline->tf;

	stages(e, r, tf->sum_ps - tf->ahead_ps);
	if (tf->by_name && r->status != TP_FINDING_NOT_APPLICABLE)
		tp_rule_undecided(r, TP_S("iterators carry no ids, so what worked ahead is unknown"));
}

/* xprof looks at transfers where more than a tenth of step time waits for input. */
#define TP_TRANSFER_MATTERS_SHARE 0.10

static void
transfers(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_input_breakdown *all = &e->pipeline->all;

	if (e->pipeline->ops.count == 0)
		tp_rule_not_applicable(r, "the profile holds no host input operation");
	else if (e->steps == NULL || !e->steps->shows_input)
		tp_rule_undecided(r, unseen(e));
	else if (!(e->steps->input_share > TP_TRANSFER_MATTERS_SHARE))
		tp_rule_not_applicable(r, "steps wait for input for less than 10 % of their time");
	else
		tp_rule_decide(r, all->ps[TP_INPUT_ENQUEUE] / all->total_ps, saving_ps(e->steps));
}

/* Whether no class of time but the wait for input takes more of a step than it. */
static bool
input_is_largest(const struct tp_steps *s)
{
	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		if (tp_class_share(s, (enum tp_class)c) > tp_class_share(s, TP_CLASS_INPUT_WAIT))
			return false;
	}
	return true;
}

static struct tp_text
because_of_high(struct tp_doc *doc, const struct tp_steps *s, const struct tp_finding_result *r)
{
	double rest = s->time.mean * (1 - r->told);
	struct tp_text because = TP_SAY(doc, "Because the {} step waits for input for all but {}.",
		tp_ps_in_ms(s->time.mean), tp_ps_in_ms(rest));

	return tp_doc_join(doc, because,
		TP_SAY0(doc,
			input_is_largest(s)
				? " Therefore *speed up the input pipeline first*: [Input "
				  "pipeline](#input-pipeline) shows where its time goes."
				: " Therefore *speed up the input pipeline*: see [Input pipeline](#input-pipeline), "
				  "then [Steps](#steps)."));
}

static struct tp_verdict_text
input_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	bool high = r->severity == TP_JUDGE_BAD;

	if (tp_class_share(s, TP_CLASS_INPUT_WAIT) <
		r->limits.medium) /* what it does to others says more */
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.steps_are = high ? "input-bound (high)" : "input-bound (medium)",
		.verdict.saw = tp_say_told(doc, "{} of step time is spent waiting for input", r),
		.verdict.consequence =
			tp_say_speedup(doc, "hiding it would make steps", tp_removable_share(r, s)),
		.because = high
			? because_of_high(doc, s, r)
			: TP_SAY(doc,
				  "Because waiting for input takes {} of the {} step. Therefore *reduce both input "
				  "time and the rest*: see [Input pipeline](#input-pipeline), then [Steps](#steps).",
				  tp_ps_in_ms(r->told * s->time.mean), tp_say_step(ctx, s)),
	};
}

/* Whether the finding with this id means the stage. */
static bool
meant(struct tp_slice id, const struct tp_stage *s)
{
	if (tp_slice_eq(id, TP_S("TPR-INPUT-002")))
		return s->kind == TP_ITERATOR_GENERATOR;
	if (tp_slice_eq(id, TP_S("TPR-INPUT-003")))
		return tp_stage_works_alone(s);
	return s->kind == TP_ITERATOR_FILE && !s->ahead;
}

static void
stage_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_input_pipeline *in = tp_result(ctx, &tp_pass_input);
	const struct tp_stage *most = NULL;

	for (size_t i = 0; i < in->tf.stage_count; i++) {
		const struct tp_stage *s = &in->tf.stages[i];

		if (!in->tf.pipelines[s->pipeline].to_device && meant(finding->id, s) &&
			(most == NULL || s->critical_ps > most->critical_ps))
			most = s;
	}
	if (most != NULL)
		TP_SAY_MORE(doc, finding->saw, " The largest part is `{}`, waited for {} in {}.",
			tp_text_value(most->long_name), tp_integer(most->critical_ps, TP_UNIT_PS),
			tp_say_number(ctx, most->calls, "call", "calls"));
}

/* Where a stage is known to be waited for, that is what to mend first: it takes the place of the general first action, which
 * is to work on several elements at once. */
static void
wait_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_input_pipeline *in = tp_result(ctx, &tp_pass_input);
	const struct tp_stage *s = in != NULL ? in->slowest : NULL;

	if (s == NULL || finding->action_count == 0)
		return;
	struct tp_text *actions = tp_new_array(ctx->keep, struct tp_text, TP_MOST_ACTIONS);
	struct tp_value share =
		tp_share((double)s->critical_ps, (double)in->tf.sum_ps, TP_S("calls take no time"));

	memcpy(actions, finding->actions, finding->action_count * sizeof *actions);
	actions[0] = tp_doc_join(doc,
		TP_SAY(doc, "`{}` ({}): ", tp_text_value(s->name),
			tp_text_value(tp_slice_of(tp_stage_label(s)))),
		TP_SAY0(doc, tp_stage_advice(s)));
	finding->actions = actions;
	finding->brief =
		TP_SAY(doc, "Start with the slowest stage, `{}` ({}): {} of the time of calls for a batch.",
			tp_text_value(s->name), tp_text_value(tp_slice_of(tp_stage_label(s))), share);
	TP_SAY_MORE(doc, finding->saw, " Of the time of calls for a batch `{}` takes {}.",
		tp_text_value(s->name), share);
}

const struct tp_finding_rule tp_rules_input[] = {
	{
		.info = {"TPR-INPUT-001", "Waiting for input", "step time", TP_INPUT_HIGH_SHARE,
			TP_INPUT_MODERATE_SHARE, false, TP_HUE_INPUT},
		.saves_of = TP_SAVED_INPUT,
		.evaluate = input,
		.verdict = input_verdict,
		.verdict_of_medium = true,
		.title = "Steps spend {} of their time waiting for input",
		.passed = "{} of step time waits for input (limit {})",
		.tensorflow = {"Move work out of the step: `map(num_parallel_calls=AUTOTUNE)`, then "
					   "`prefetch(AUTOTUNE)` last.",
			{"Run `map` in parallel: `ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)`; replace "
			 "Python generators with files.",
				"End the pipeline with `.prefetch(tf.data.AUTOTUNE)`, and `.cache()` what fits in "
				"memory.",
				"Read several files at once: `ds.interleave(…, "
				"num_parallel_calls=tf.data.AUTOTUNE)`."}},
		.jax.actions =
			{"Load with several workers: `grain` with `worker_count`, or `tf.data` as the source.",
				"Keep two batches on the device: `jax.device_put` the next one before calling the "
				"step.",
				"Cache what would be decoded or computed again in each epoch."},
		.pytorch_xla = {"Prepare batches in workers and send them ahead of the step.",
			{"`DataLoader(num_workers=…, prefetch_factor=…, persistent_workers=True)`.",
				"Wrap the loader: `pl.MpDeviceLoader(loader, device)` sends batches while the step "
				"runs.",
				"Cache what would be decoded or computed again in each epoch."}},
		.any = {"Prepare batches in advance on other threads, and put them on the device before "
				"the step needs them.",
			{"Load and preprocess batches on several workers, ahead of the step.",
				"Keep two batches on the device: start the copy of the next one before running the "
				"current step.",
				"Cache what would be decoded or computed again in each epoch."}},
		.check = "`input.wait_share` below {}",
		.evidence = "[Input pipeline](#input-pipeline) · [Steps](#steps)",
		.particulars = wait_particulars,
	},
	{
		.part_of = "TPR-INPUT-001",
		.info = {"TPR-INPUT-002", "Python generators in the input", "the time of calls for a batch",
			TP_STAGES_HIGH_SHARE, TP_STAGES_MEDIUM_SHARE, false, TP_HUE_INPUT},
		.saves_of = TP_SAVED_INPUT,
		.evaluate = generators,
		.of_events = true,
		.title = "A Python generator takes {} of the time of calls for a batch",
		.passed = "Python generators take {} of the time of calls for a batch (limit {})",
		.any = {"Write the data to files once and read them in parallel: Python yields one element "
				"at a time.",
			{"Write what the generator yields to TFRecord files once, and read them with "
			 "`interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)`.",
				"If it must stay, run several in parallel (`Dataset.range(n).interleave` over "
				"`from_generator`), or yield whole batches instead of elements.",
				"End the pipeline with `.prefetch(tf.data.AUTOTUNE)`, so that it overlaps with the "
				"step."}},
		.check = "`input.host.generator_us` down, `input.wait_share` down",
		.evidence = "[tf.data stages](#input-pipeline/tf-data)",
		.particulars = stage_particulars,
	},
	{
		.part_of = "TPR-INPUT-001",
		.info = {"TPR-INPUT-003", "Input stages with one element at a time",
			"the time of calls for a batch", TP_STAGES_HIGH_SHARE, TP_STAGES_MEDIUM_SHARE, false,
			TP_HUE_INPUT},
		.saves_of = TP_SAVED_INPUT,
		.evaluate = one_at_a_time,
		.of_events = true,
		.title =
			"Input stages that work on one element at a time take {} of the time of calls for a batch",
		.passed =
			"input stages that work on one element at a time take {} of the time of calls for a batch "
			"(limit {})",
		.any = {"Give them `num_parallel_calls=tf.data.AUTOTUNE`.",
			{"`ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)`, and likewise `interleave` and "
			 "`batch`.",
				"Let `f` work on a batch: `batch` first, then `map`.",
				"`.cache()` what fits in memory and is not random, or do the work once before "
				"training."}},
		.check = "`input.slowest_stage.name` changes, `input.wait_share` down",
		.evidence = "[tf.data stages](#input-pipeline/tf-data)",
		.particulars = stage_particulars,
	},
	{
		.part_of = "TPR-INPUT-001",
		.info = {"TPR-INPUT-004", "Files read on demand", "the time of calls for a batch",
			TP_STAGES_HIGH_SHARE, TP_STAGES_MEDIUM_SHARE, false, TP_HUE_INPUT},
		.saves_of = TP_SAVED_INPUT,
		.evaluate = demanded_reads,
		.of_events = true,
		.title = "Reading files on demand takes {} of the time of calls for a batch",
		.passed = "reading files on demand takes {} of the time of calls for a batch (limit {})",
		.any = {"Read ahead, several files at once: `interleave`, then `prefetch`.",
			{"`Dataset.from_tensor_slices(files).interleave(tf.data.TFRecordDataset, "
			 "num_parallel_calls=tf.data.AUTOTUNE)`.",
				"End the pipeline with `.prefetch(tf.data.AUTOTUNE)`, and give the reader a "
				"`buffer_size` of a few MiB.",
				"Keep the files near the host: in the same region, or on a local disk."}},
		.check = "`input.host.demanded_read_us` down, `input.wait_share` down",
		.evidence = "[tf.data stages](#input-pipeline/tf-data)",
		.particulars = stage_particulars,
	},
	{
		.part_of = "TPR-INPUT-001",
		.info = {"TPR-INPUT-005", "Batches made on demand", "the time of calls for a batch",
			TP_NOT_AHEAD_HIGH_SHARE, TP_NOT_AHEAD_MEDIUM_SHARE, false, TP_HUE_INPUT},
		.saves_of = TP_SAVED_INPUT,
		.evaluate = not_ahead,
		.of_events = true,
		.title = "{} of the time of calls for a batch is work that starts only when the step asks "
				 "for it",
		.passed =
			"{} of the time of calls for a batch is work that starts only when the step asks for "
			"it (limit {})",
		.any = {"End the pipeline with `.prefetch(tf.data.AUTOTUNE)`.",
			{"`.prefetch(tf.data.AUTOTUNE)` as the last stage makes the next batch while the step "
			 "runs.",
				"Also put batches on the device in advance: "
				"`tf.data.experimental.prefetch_to_device`, or a distributed dataset."}},
		.check = "`input.wait_share` down",
		.evidence = "[tf.data stages](#input-pipeline/tf-data)",
	},
	{
		.part_of = "TPR-INPUT-001",
		.info = {"TPR-INPUT-006", "Sending input to the device", "input time on hosts", NAN, 0.30,
			false, TP_HUE_INPUT},
		.saves_of = TP_SAVED_INPUT,
		.evaluate = transfers,
		.of_events = true,
		.title = "Sending batches to the device takes {} of the hosts' input time",
		.passed = "sending batches to the device takes {} of the hosts' input time (limit {})",
		.jax = {"Send fewer, larger pieces, and send them while the step runs.",
			{"Put the next batch on the device in advance: `jax.device_put` one step early.",
				"Send only what the model needs: integers as `uint8` or `int32`, images before "
				"conversion to float.",
				"One transfer per batch: its arrays in one pytree, no separate scalars."}},
		.tensorflow = {"Combine small transfers into fewer, larger ones, ahead of the step.",
			{"`.prefetch(tf.data.AUTOTUNE)` last, or `prefetch_to_device`, so that sending "
			 "overlaps with the step.",
				"Send images as `uint8` and convert them on the device.",
				"Batch on the host: one tensor per feature, not per example."}},
		.pytorch_xla = {"Combine small transfers into fewer, larger ones, ahead of the step.",
			{"`MpDeviceLoader` sends batches on separate threads, ahead of the step.",
				"Send images as `uint8` and convert them on the device.",
				"Collate into few tensors: one per feature, not per example."}},
		.any = {"Combine small transfers into fewer, larger ones, ahead of the step.",
			{"Send the next batch while the current step runs.",
				"Send only what the model needs; convert on the device.",
				"One transfer per batch."}},
		.check = "`input.host.enqueue_us` down, `input.wait_share` down",
		.evidence = "[Input pipeline](#input-pipeline)",
	},
	{.evaluate = NULL},
};
