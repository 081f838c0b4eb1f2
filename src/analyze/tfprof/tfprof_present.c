/* What the report says about a dump. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_words.h"
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
		section->answer = TP_SAY0(doc, text_graph_only);
		section->so_what = TP_SAY0(doc, text_graph_gives);
		return;
	}
	section->answer = top != NULL
		? TP_SAY(doc, text_total, tp_text_value(tp_slice_of(tp_tfprof_per_step(s))),
			  tp_share((double)top->own.of[TP_TFPROF_US], (double)us, TP_S("no time")),
			  tp_text_value(top->name))
		: TP_SAY0(doc, text_no_time);
	section->so_what = TP_SAY(doc, text_nodes_run, tp_count(s->dumps[s->chosen].nodes_run),
		tp_say_number(ctx, s->tfprof->node_count, "node", "nodes"),
		tp_say_number(ctx, s->tfprof->step_count, "step", "steps"), tp_text_value(s->tfprof->name));
	if (!isnan(s->first_us))
		section->so_what = tp_doc_join(doc, section->so_what,
			TP_SAY(doc, text_without_first, tp_number(s->first_us, TP_UNIT_US)));
}

static int64_t
uncounted(const struct tp_tfprof_section *s)
{
	int64_t sum = 0;

	for (uint32_t i = 1; i < s->ops.count; i++)
		sum = tp_tfprof_plus(sum, s->rates[i].uncounted);
	return sum;
}

static void
remarks(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_doc *doc,
	struct tp_block *section)
{
	if (s->tfprof->misses_stream)
		tp_doc_paragraph(
			doc, section, TP_PARAGRAPH_BODY, "tfprof/no-stream", TP_SAY0(doc, text_no_stream));
	if (s->untimed.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "tfprof/untimed",
			TP_SAY(doc, text_untimed, tp_text_value(s->untimed)));
	if (uncounted(s) != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "tfprof/uncounted",
			TP_SAY(doc, s->tfprof->lacks_counts ? text_fused : text_fused_uncounted,
				tp_integer(uncounted(s), TP_UNIT_FLOP)));
	if (s->tfprof->lost != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "tfprof/lost",
			TP_SAY(doc, text_lost, tp_say_number(ctx, s->tfprof->lost, "node is", "nodes are")));
	if (s->code.unaccounted != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "tfprof/unaccounted",
			TP_SAY(
				doc, text_unaccounted, tp_say_number(ctx, s->code.unaccounted, "node", "nodes")));
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
	tp_say_how(ctx, doc, section, "tfprof/how", how_tfprof);
	tp_tfprof_differences(doc, section);
}
