/* The section on operations from what the profiler worked out itself. */
#include "analyze/core/say.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/op_use.h"
#include "analyze/ops/ops_columns.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "report/draft.h"

#include <math.h>

/* Of the device by its name, or by the op profile of the run; 0: unknown. */
static double
peak_of(const struct tp_pass_ctx *ctx, enum tp_peak_kind kind)
{
	const struct tp_op_profile *p = tp_result(ctx, &tp_pass_op_profile);
	bool slice;
	const struct tp_peak_row *row = tp_peak_row(tp_precomputed(ctx)->device_type, &slice);
	double by_name = row != NULL ? row->of[kind].value * (row->megacore ? 2 : 1) : 0;

	return fmax(by_name, p != NULL ? p->peaks.of[kind] : 0);
}

/* A rate as the tool has it; missing where it is above what the device can do, as of our own. peak: 0: unknown. */
static struct tp_value
rate(const struct tp_pass_ctx *ctx, double per_s, enum tp_unit unit, double peak)
{
	char text[TP_VALUE_BUF];

	if (!(peak > 0 && per_s > TP_MORE_THAN_POSSIBLE * peak))
		return tp_number_or(per_s * 1e-9, unit, TP_S(NOT_SAID));
	struct tp_slice most = tp_value_text(tp_number(peak * 1e-9, unit), text);

	return tp_missing(tp_arena_printf(
		ctx->keep, unit == TP_UNIT_GB_PER_S ? why_above_bytes : why_above_flop, TP_ARG(most)));
}

static void
table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent, const char *id,
	const struct tp_precomputed_ops *ops, bool on_host, struct tp_slice caption)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, id, given_columns);
	double flop_peak = on_host ? 0 : peak_of(ctx, TP_PEAK_FLOP);
	double byte_peak = on_host ? 0 : peak_of(ctx, TP_PEAK_HBM);

	for (size_t i = 0; i < ops->count; i++) {
		const struct tp_precomputed_op *op = &ops->list[i];

		if (op->on_host != on_host)
			continue;
		struct given_cells *cells = tp_draft_row_of(&draft, op->name, TP_ROW_NORMAL, 0, op);

		cells->occurrences.value =
			op->occurrences != 0 ? tp_count(op->occurrences) : tp_missing(TP_S(NOT_SAID));
		cells->self.value = tp_number_or(op->self_us * 1e-3, TP_UNIT_MS, TP_S(NOT_SAID));
		cells->total.value = tp_number_or(op->total_us * 1e-3, TP_UNIT_MS, TP_S(NOT_SAID));
		cells->flop_rate.value = rate(ctx, op->flop_per_s, TP_UNIT_GFLOP_PER_S, flop_peak);
		cells->byte_rate.value = rate(ctx, op->bytes_per_s, TP_UNIT_GB_PER_S, byte_peak);
	}
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top);

	t->caption = caption;
	t->numbered = true;
	tp_table_drop_missing(doc, t, TP_COLUMN_OF(struct given_cells, occurrences));
}

static size_t
on_host(const struct tp_precomputed_ops *ops)
{
	size_t count = 0;

	for (size_t i = 0; i < ops->count; i++)
		count += ops->list[i].on_host;
	return count;
}

static struct tp_text
how_many(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_precomputed_ops *ops)
{
	return ops->first_few
		? TP_SAY(doc, text_first_few, tp_say_number(ctx, ops->count, "operation", "operations"))
		: TP_SAY0(doc, text_summed);
}

static void
tables(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	struct tp_block *devices, const struct tp_precomputed_ops *ops)
{
	size_t host = on_host(ops);

	if (host != ops->count)
		table(ctx, doc, devices, "operations/given", ops, false, TP_S(caption_given));
	if (host != 0)
		table(ctx, doc,
			tp_doc_section(doc, section, TP_SECTION_SUB, "operations/host", title_given_host),
			"operations/given-host", ops, true, TP_S(caption_given_host));
}

/* Operations of the framework alone. */
static void
present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_precomputed_ops *ops)
{
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "operations", "Operations");
	const struct tp_precomputed_op *top = NULL;

	for (size_t i = 0; i < ops->count && top == NULL; i++)
		top = ops->list[i].on_host ? NULL : &ops->list[i];
	section->section.key_figure =
		tp_say_number(ctx, ops->count - on_host(ops), "operation", "operations");
	if (top != NULL) {
		section->section.answer = isfinite(top->share)
			? TP_SAY(doc, text_top_given, tp_text_value(top->name),
				  tp_number(top->share, TP_UNIT_SHARE))
			: TP_SAY(doc, text_longest_given, tp_text_value(top->name));
		section->section.so_what = how_many(ctx, doc, ops);
	} else {
		section->section.answer = TP_SAY0(doc, text_none_on_device);
	}
	tables(ctx, doc, section, section, ops);
	tp_precomputed_source(ctx, doc, section, "operations/source", ops->from);
}

/* Operations of the framework beside those of programs. */
static void
present_beside(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_precomputed_ops *ops)
{
	struct tp_block *section = tp_doc_find_section(doc, "operations");
	struct tp_block *sub =
		tp_doc_section(doc, section, TP_SECTION_SUB, "operations/framework", title_framework);

	tp_doc_paragraph(
		doc, sub, TP_PARAGRAPH_BODY, "operations/framework/what", how_many(ctx, doc, ops));
	tables(ctx, doc, section, sub, ops);
	tp_precomputed_source(ctx, doc, section, "operations/framework/source", ops->from);
}

void
tp_ops_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL || g->framework_ops.count == 0)
		return;
	if (tp_result(ctx, &tp_pass_op_profile) != NULL)
		present_beside(ctx, doc, &g->framework_ops);
	else
		present(ctx, doc, &g->framework_ops);
}
