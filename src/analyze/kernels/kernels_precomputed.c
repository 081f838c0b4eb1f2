/* The section on kernels from what the profiler worked out itself. */
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/kernels/kernels_words.h"
#include "model/precomputed.h"
#include "report/draft.h"

static const struct tp_column columns[] = {
	TP_COLUMN("name", "Kernel", .code = true, TP_TEXT_FIELD(struct tp_precomputed_kernel, name)),
	TP_COUNT_COLUMN("count", "Calls"),
	TP_COLUMN("total_us", "Total", .unit = TP_UNIT_US, .decimals = 1, .sorted = true),
	TP_SHARE_COLUMN("share", "Share", .bar = true),
	TP_COLUMN("mean_us", "Mean", .unit = TP_UNIT_US, .decimals = 2),
	TP_COLUMN("min_us", "Min", .unit = TP_UNIT_US, .decimals = 2),
	TP_COLUMN("max_us", "Max", .unit = TP_UNIT_US, .decimals = 2),
	TP_COUNT_COLUMN("registers", "Registers"),
	TP_COLUMN("tensor_core", "Tensor cores"),
	TP_COLUMN("op", "Operation", .code = true, TP_TEXT_FIELD(struct tp_precomputed_kernel, op)),
};
struct cells {
	struct tp_cell name, calls, total, share, mean, min, max, registers, tensor_cores, op;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static struct tp_value
us(double ns)
{
	return tp_number(ns / 1e3, TP_UNIT_US);
}

void
tp_kernels_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);
	struct tp_slice none = TP_S(why_not_said);
	double sum = 0;

	if (g == NULL || g->kernel_count == 0)
		return;
	for (size_t i = 0; i < g->kernel_count; i++)
		sum += (double)g->kernels[i].total_ns;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "kernels", "Kernels");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "kernels/given", columns);

	section->section.key_figure = tp_say_number(ctx, g->kernel_count, "kernel", "kernels");
	section->section.answer = TP_SAY(doc, text_longest_given, tp_text_value(g->kernels[0].name),
		tp_share((double)g->kernels[0].total_ns, sum, TP_S(why_no_time)));
	for (size_t i = 0; i < g->kernel_count; i++) {
		const struct tp_precomputed_kernel *k = &g->kernels[i];
		struct cells *cells = tp_draft_row_of(&draft, k->name, TP_ROW_NORMAL, 0, k);

		cells->calls.value = k->occurrences != 0 ? tp_count(k->occurrences) : tp_missing(none);
		cells->total.value = us((double)k->total_ns);
		cells->share.value = tp_share((double)k->total_ns, sum, TP_S(why_no_kernel_time));
		cells->mean.value = k->occurrences != 0 ? us((double)k->total_ns / (double)k->occurrences)
												: tp_missing(none);
		cells->min.value = us((double)k->min_ns);
		cells->max.value = us((double)k->max_ns);
		cells->registers.value = k->registers != 0 ? tp_count(k->registers) : tp_missing(none);
		cells->tensor_cores.value = tp_text_value(k->tensor_core ? TP_S("used") : TP_S("not used"));
	}
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top);

	t->caption = TP_S(caption_given);
	t->numbered = true;
	tp_table_drop_missing(doc, t, TP_COLUMN_OF(struct cells, registers));
	tp_precomputed_source(ctx, doc, section, "kernels/source", g->kernels_from);
}
