/* Operations of the input pipeline as the profiler summed them up, and the profiler's own verdict. */
#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/input/input_pipeline.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>

/* Longer than any capture. */
#define LONGEST_MS 1e9

static const enum tp_input_class classes[TP_PRECOMPUTED_INPUT_TIME_COUNT] = {
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

void
tp_input_from_precomputed(const struct tp_pass_ctx *ctx, struct tp_input_pipeline *in)
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
		in->all.ps[classes[k]] = (double)ps_of(g->input_us[k] / 1e3);
		in->all.total_ps += in->all.ps[classes[k]];
	}
}

bool
tp_input_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL)
		return false;
	if (g->statement.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "input-pipeline/statement",
			TP_SAY(doc, "The profiler itself said, in `{}`: “{}”", tp_text_value(g->statement_from),
				tp_text_value(g->statement)));
	if (g->input_from.len == 0 && g->step_count == 0)
		return false;
	tp_say_how(ctx, doc, section, "input-pipeline/how",
		"The wait of steps, the operations and the classes of host time are the profiler's own "
		"figures, taken as they are; shares, and what statistics say over steps, are worked out "
		"here.");
	tp_precomputed_source(ctx, doc, section, "input-pipeline/source",
		g->input_from.len != 0 ? g->input_from : g->steps_from);
	return true;
}
