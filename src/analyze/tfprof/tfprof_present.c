/* What the report says about a dump. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/tfprof_fields.h"
#include "report/doc.h"

#include <math.h>

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_doc *doc,
	struct tp_section *section)
{
	const struct tp_tfprof_row *top = tp_tfprof_top(s);
	int64_t us = s->dumps[s->chosen].total.of[TP_TFPROF_US];

	section->key_figure =
		s->tfprof->step_count != 0 ? tp_integer(us, TP_UNIT_US) : tp_text_value(TP_S("not run"));
	if (s->tfprof->step_count == 0) {
		section->answer = TP_SAY0(doc, "The dump holds a graph, and no step that ran.");
		section->so_what =
			TP_SAY0(doc, "It gives shapes and {tfprof.float_ops} by registered counts.");
		return;
	}
	section->answer = top != NULL
		? TP_SAY(doc, "Operations take {tfprof.total_us} {}, {} of it in `{}`.",
			  tp_text_value(tp_slice_of(tp_tfprof_per_step(s))),
			  tp_share((double)top->own.of[TP_TFPROF_US], (double)us, TP_S("no time")),
			  tp_text_value(top->name))
		: TP_SAY0(doc, "No operation took time.");
	section->so_what = TP_SAY(doc, "{} of {} ran, in {} of `{}`.",
		tp_count(s->dumps[s->chosen].nodes_run),
		tp_say_number(ctx, s->tfprof->node_count, "node", "nodes"),
		tp_say_number(ctx, s->tfprof->step_count, "step", "steps"), tp_text_value(s->tfprof->name));
	if (!isnan(s->first_us))
		section->so_what = tp_doc_join(doc, section->so_what,
			TP_SAY(doc,
				" Figures exclude the first step, which may also build kernels: operations took {} "
				"in it.",
				tp_number(s->first_us, TP_UNIT_US)));
}

static int64_t
uncounted(const struct tp_tfprof_section *s)
{
	int64_t sum = 0;

	for (uint32_t i = 1; i < s->ops.count; i++)
		sum = tp_tfprof_plus(sum, s->rates[i].uncounted);
	return sum;
}

#define FUSED                                                                                        \
	"Fused batch normalisation takes {} per step by its input's shape, which stand in the table of " \
	"operations;"

static void
remarks(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_doc *doc,
	struct tp_block *section)
{
	if (s->tfprof->misses_stream)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "tfprof/no-stream",
			TP_SAY0(doc,
				"Nodes ran on a GPU, but nothing was recorded of its streams: accelerator time is "
				"missing, and what is called CPU time there is the time to launch."));
	if (s->untimed.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "tfprof/untimed",
			TP_SAY(doc,
				"Nodes also ran on {}: TensorFlow's tfprof keeps no time of such a device in a dump. A report of "
				"the graph with RunMetadata counts it.",
				tp_text_value(s->untimed)));
	if (uncounted(s) != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "tfprof/uncounted",
			TP_SAY(doc,
				s->tfprof->lacks_counts ? FUSED " TensorFlow's tfprof counts none for it."
										: FUSED
					" TensorFlow's tfprof counts none for it, and so they are not in "
					"{tfprof.float_ops}.",
				tp_integer(uncounted(s), TP_UNIT_FLOP)));
	if (s->tfprof->lost != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "tfprof/lost",
			TP_SAY(doc, "{} left out: without a name, cut off, or of the same name as another.",
				tp_say_number(ctx, s->tfprof->lost, "node is", "nodes are")));
	if (s->code.unaccounted != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "tfprof/unaccounted",
			TP_SAY(doc,
				"Gradients of {} are in no line of code: the dump does not say where they were "
				"created.",
				tp_say_number(ctx, s->code.unaccounted, "node", "nodes")));
}

void
tp_tfprof_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_tfprof_section *s = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "tfprof", "tfprof");

	answer(ctx, s, doc, &section->section);
	tp_tfprof_tables(ctx, s, doc, section);
	tp_tfprof_scopes(ctx, s, doc, section);
	tp_tfprof_parameters(ctx, s, doc, section);
	tp_tfprof_flame(ctx, s, doc, section);
	tp_tfprof_checkers(ctx, s, doc, section);
	remarks(ctx, s, doc, section);
	tp_say_how(ctx, doc, section, "tfprof/how",
		"Figures are those of tfprof's views. Within a step, all runs of a "
		"node are summed; over steps, each figure is the mean of the steps in which the node ran, "
		"cut to a whole number. Where three steps or more were traced, the first is left out, as it may also "
		"build kernels; tfprof itself, and so tpreport tfprof, takes the mean over all. Times are sums over threads and devices, not wall time: CPU time "
		"is that between start and end on a CPU or on a GPU's host, accelerator time that of a GPU's "
		"streams. A rate is that of nodes with both time and a count of float operations, by accelerator "
		"time where there is any. Optimiser slots are variables of their variable's shape, by the "
		"operation that updates both, or by their name; sizes are elements by the size of their type. "
		"Parameters are the products of shapes. Floating-point operations are the registered "
		"count × runs, once for nodes that never ran. Gradients stand on the line of the node that "
		"they are the gradient of. Of several dumps the section shows the one in the folder of the graph "
		"that is reported, and there of the highest step.");
	tp_tfprof_differences(doc, section);
}
