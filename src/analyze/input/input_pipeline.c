/* The input pipeline: input operations, tf.data stages and the wait of steps, brought together. */
#include "analyze/input/input_pipeline.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/input/input_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>

static void
split_preprocessing(struct tp_input_pipeline *in)
{
	for (size_t i = 0; i < in->ops.count; i++) {
		const struct tp_input_op *op = &in->ops.ops[i];
		enum tp_iterator_kind kind = tp_iterator_kind(op->name);

		if (op->class != TP_INPUT_PREPROCESSING)
			continue;
		if (kind == TP_ITERATOR_GENERATOR)
			in->generator_ps = tp_add_ps(in->generator_ps, op->self_ps);
		else if (kind == TP_ITERATOR_BUFFER || kind == TP_ITERATOR_PARALLEL)
			in->waiting_ps = tp_add_ps(in->waiting_ps, op->self_ps);
	}
}

static void
find_slowest(struct tp_input_pipeline *in)
{
	for (size_t i = 0; i < in->tf.host_count; i++) {
		const struct tp_stage *stage = &in->tf.stages[in->tf.pipelines[i].slowest];

		if (in->slowest == NULL || stage->critical_ps > in->slowest->critical_ps)
			in->slowest = stage;
	}
}

/* The share of steps in which input is copied to a device without an infeed queue; NaN: not known. */
static double
to_device_share(const struct tp_steps *steps)
{
	double sum = 0;

	if (steps == NULL)
		return NAN;
	for (size_t i = 0; i < steps->count; i++)
		sum += steps->steps[i].to_device_ps;
	return sum / (double)steps->count / steps->time.mean;
}

/* Longer than any capture. */
#define LONGEST_MS 1e9

static const enum tp_input_class precomputed_classes[TP_PRECOMPUTED_INPUT_TIME_COUNT] = {
	[TP_PRECOMPUTED_ENQUEUE] = TP_INPUT_ENQUEUE,
	[TP_PRECOMPUTED_PREPROCESSING] = TP_INPUT_PREPROCESSING,
	[TP_PRECOMPUTED_ADVANCED_READ] = TP_INPUT_ADVANCED_READ,
	[TP_PRECOMPUTED_DEMANDED_READ] = TP_INPUT_DEMANDED_READ,
	[TP_PRECOMPUTED_INPUT_OTHER] = TP_INPUT_OTHER,
};

static enum tp_input_class
class_of(struct tp_slice category)
{
	static const struct {
		const char *name;
		enum tp_input_class class;
	} names[] = {
		{"Enqueue", TP_INPUT_ENQUEUE},
		{"Preprocessing", TP_INPUT_PREPROCESSING},
		{"Advanced file read", TP_INPUT_ADVANCED_READ},
		{"Demanded file read", TP_INPUT_DEMANDED_READ},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (tp_slice_eq(category, tp_slice_of(names[i].name)))
			return names[i].class;
	}
	return TP_INPUT_OTHER;
}

static int64_t
ps_of(double ms)
{
	return ms >= 0 && ms < LONGEST_MS ? (int64_t)llround(ms * 1e9) : 0;
}

/* The operations as the profiler summed them up, where none was recorded. */
static void
from_precomputed(const struct tp_pass_ctx *ctx, struct tp_input_pipeline *in)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL || g->input_op_count == 0)
		return;
	in->ops.count = g->input_op_count;
	in->ops.ops = tp_new_array(ctx->keep, struct tp_input_op, g->input_op_count);
	for (size_t i = 0; i < g->input_op_count; i++) {
		const struct tp_precomputed_input_op *op = &g->input_ops[i];
		enum tp_input_class class = class_of(op->category);

		in->ops.ops[i] = (struct tp_input_op){
			.name = op->name,
			.class = class,
			.count = op->count,
			.total_ps = ps_of(op->total_ms),
			.self_ps = ps_of(op->self_ms),
		};
		in->ops.self_ps = tp_add_ps(in->ops.self_ps, in->ops.ops[i].self_ps);
		in->ops.all.self_ps[class] = tp_add_ps(in->ops.all.self_ps[class], in->ops.ops[i].self_ps);
	}
	qsort(in->ops.ops, in->ops.count, sizeof *in->ops.ops, tp_input_by_self);
	in->all = (struct tp_input_breakdown){.transfer_share = NAN};
	for (int k = 0; k < TP_PRECOMPUTED_INPUT_TIME_COUNT; k++) {
		in->all.ps[precomputed_classes[k]] = (double)ps_of(g->input_us[k] / 1e3);
		in->all.total_ps += in->all.ps[precomputed_classes[k]];
	}
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_steps *steps = tp_result(ctx, &tp_pass_steps);
	struct tp_input_pipeline *in = tp_new(ctx->keep, struct tp_input_pipeline);
	double to_device = to_device_share(steps);

	(void)err;
	tp_input_ops_find(ctx, &in->ops);
	tp_tf_data_find(ctx, &in->tf);
	in->all = tp_input_break_down(&in->ops.all, to_device);
	in->hosts = tp_new_array(ctx->keep, struct tp_input_breakdown, in->ops.host_count);
	for (size_t i = 0; i < in->ops.host_count; i++)
		in->hosts[i] = tp_input_break_down(&in->ops.hosts[i], to_device);
	if (in->ops.count == 0)
		from_precomputed(ctx, in);
	split_preprocessing(in);
	find_slowest(in);
	*result = in;
	return TP_OK;
}

static struct tp_value
us(double ps)
{
	return tp_number(ps / 1e6, TP_UNIT_US);
}

static void
class_metrics(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	struct tp_slice none = TP_S(why_no_operations);

	for (int c = 0; c < TP_INPUT_CLASS_COUNT; c++) {
		const struct tp_input_class_info *info = tp_input_class_info((enum tp_input_class)c);
		bool scaled = in != NULL && isfinite(in->all.transfer_share) && c != TP_INPUT_ENQUEUE;
		struct tp_slice how = scaled
			? tp_arena_printf(ctx->keep,
				  "%s; scaled so that it and enqueuing fill the time between transfers", info->how)
			: tp_slice_of(info->how);

		tp_doc_metric(doc, tp_slice_of(info->metric), info->label,
			in != NULL && in->ops.count != 0 ? us(in->all.ps[c]) : tp_missing(none), how, TP_S(""));
		tp_doc_metric_scopes(doc, info->metric, "@host");
		for (size_t h = 0; in != NULL && in->ops.host_count > 1 && h < in->ops.host_count; h++) {
			struct tp_scope scope = tp_say_host_scope(ctx, in->ops.hosts[h].host);

			/* Hosts of damaged files may call themselves the same; the first has the name. */
			if (tp_doc_find_metric(doc, tp_scope_id(ctx->scratch, info->metric, scope)) == NULL)
				tp_doc_metric_for(doc, info->metric, scope, us(in->hosts[h].ps[c]), TP_S(""));
		}
	}
	tp_say_metric(doc, "input.host.generator_us", "Python generators",
		in != NULL && in->ops.count != 0 ? us((double)in->generator_ps) : tp_missing(none),
		"self time of Generator stages, part of preprocessing; not scaled");
}

static void
call_metrics(const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	bool any = in != NULL && in->tf.calls != 0;
	struct tp_value none = tp_missing(TP_S(why_no_calls));
	const struct tp_pipeline *worst = any ? &in->tf.pipelines[0] : NULL;

	tp_say_metric(doc, "input.tf_data.calls", "Calls for a batch",
		any ? tp_count(in->tf.calls) : none,
		"calls of root iterators, except those that only move elements to a device");
	tp_say_metric(doc, "input.tf_data.slow_calls", "Slow calls for a batch",
		any ? tp_count(in->tf.slow_calls) : none, "those longer than 50 µs");
	tp_say_metric(doc, "input.tf_data.call.mean_us", "Mean call for a batch",
		any ? us((double)in->tf.sum_ps / (double)in->tf.calls) : none, "mean over calls");
	tp_say_metric(doc, "input.tf_data.call.max_us", "Longest call for a batch",
		any ? us((double)worst->max_ps) : none, "of the slowest pipeline");
	tp_say_metric(doc, "input.bottleneck.name", "Bottleneck of the longest call",
		any ? tp_text_value(worst->bottleneck) : none,
		"the iterator with the most self time among those that the call waited for");
	tp_say_metric(doc, "input.bottleneck.self_us", "Self time of that bottleneck",
		any ? us((double)worst->bottleneck_ps) : none,
		"excluding iterators below it; it may have started before the call");
	tp_say_metric(doc, "input.slowest_stage.name", "Stage waited for most",
		any ? tp_text_value(in->slowest->name) : none,
		"each instant of a call counts for the lowest stage working for it");
	tp_say_metric(doc, "input.slowest_stage.share", "Share of the stage waited for most",
		any ? tp_share((double)in->slowest->critical_ps, (double)in->tf.sum_ps, TP_S(why_no_time))
			: none,
		"of the time of all calls");
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	class_metrics(ctx, result, doc);
	call_metrics(result, doc);
}

static const struct tp_pass *const after[] = {&tp_pass_environment, &tp_pass_steps, NULL};

const struct tp_pass tp_pass_input = {
	.name = "input-pipeline",
	.title = "Input pipeline",
	.summary = "how long steps wait for input, what the host does to produce it, and which tf.data "
			   "stage is slow",
	.of_profile = true,
	.after = after,
	.place = TP_PLACE_INPUT,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_input_present,
	.lacks_nothing = "it reads steps and host events, whose passes say what is missing",
};
