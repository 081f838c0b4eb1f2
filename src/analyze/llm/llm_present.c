/* The section on MFU and tokens per second. */
#include "analyze/llm/llm.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/llm/serving.h"
#include "report/draft.h"

static const struct tp_column kind_columns[] = {
	TP_COLUMN("kind", "Kind"),
	TP_COUNT_COLUMN("tokens", "Tokens, prompt and decoded"),
	TP_COLUMN("gflop", "FLOP", .unit = TP_UNIT_GFLOP, .decimals = 1),
	TP_COLUMN("time_ms", "Time", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("mfu_share", "MFU", .unit = TP_UNIT_SHARE, .decimals = 2),
};
struct kind_cells {
	struct tp_cell kind, tokens, flop, time, mfu;
};
TP_CELLS_ARE_COLUMNS(struct kind_cells, kind_columns);

/* Of inference, each kind of iteration by itself: over its own time, without the gaps. */
static void
by_kind(const struct tp_pass_ctx *ctx, const struct tp_llm *m, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_serving *s = tp_result(ctx, &tp_pass_serving);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "llm/kinds", kind_columns);

	for (int k = 0; k < TP_SERVING_KINDS; k++) {
		const struct tp_serving_sum *sum = &s->kinds[k];
		struct tp_slice label = tp_slice_of(tp_serving_kind_info((enum tp_serving_kind)k)->label);

		if (sum->count == 0)
			continue;
		double in = sum->tokens_in > 0 ? (double)sum->tokens_in : 0;
		double out = sum->decoded > 0 ? (double)sum->decoded : 0;
		struct tp_model_flops f = tp_inference_flops(&ctx->options->model, in, out);
		/* Ranks of one model make the same tokens; each engine has its own time beside the others. */
		double seconds = sum->time_ps / 1e12 / s->engines;
		struct kind_cells *c = tp_draft_row_of(&draft, label, TP_ROW_NORMAL, 0, NULL);

		c->kind.value = tp_text_value(label);
		c->tokens.value = tp_number(in + out, TP_UNIT_COUNT);
		c->flop.value = tp_number((f.products + f.attention) / s->traces, TP_UNIT_FLOP);
		c->time.value = tp_number(seconds, TP_UNIT_S);
		c->mfu.value = tp_share((f.products + f.attention) / s->traces,
			seconds * m->devices * m->peak_flop_per_s, TP_S("these took no time"));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("MFU of each kind of iteration over its own time, without the gaps between them");
}

void
tp_llm_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_llm *m = result;
	const struct tp_model_wish *wish = &ctx->options->model;

	if (!(wish->flops > 0) && !(wish->params > 0) && !(wish->tokens_per_step > 0))
		return;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "llm", "MFU and tokens per second");
	const struct tp_metric *mfu = tp_doc_find_metric(doc, TP_S("llm.mfu_share"));
	const struct tp_metric *tokens = tp_doc_find_metric(doc, TP_S("llm.tokens_per_s"));

	section->section.key_figure = mfu->value;
	section->section.answer = tp_known(mfu->value)
		? TP_SAY0(doc, "The model uses {llm.mfu_share} of what its devices could compute.")
		: TP_SAY(doc, "MFU is unknown: {}.", tp_text_value(mfu->value.text));
	if (tp_known(mfu->value))
		section->section.so_what = TP_SAY0(doc,
			"Each device computes {llm.model_flop_per_s} of model FLOPs; throughput is "
			"{llm.tokens_per_s} tokens per second.");
	else if (tp_known(tokens->value))
		section->section.so_what =
			TP_SAY0(doc, "It processes {llm.tokens_per_s} tokens per second.");
	if (tp_known(mfu->value))
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "llm/formula",
			TP_SAY(doc, "MFU = {} = {llm.mfu_share}.", tp_text_value(tp_llm_formula(ctx, m))));
	if (m->from == TP_LLM_OF_PARAMS && m->inference && tp_known(mfu->value))
		by_kind(ctx, m, doc, section);
	tp_say_how(ctx, doc, section, "llm/how",
		"MFU compares what the model needs with what devices could compute: parameters that are "
		"only looked up, such as embeddings, compute nothing and do not belong in --params. HFU "
		"counts what ran, so it is above MFU where activations are recomputed. The peak is the "
		"dense peak of the type in which most matmuls compute, by the names of their kernels, else "
		"by operator inputs or the HLO; where nothing says, the 16-bit peak. --peak flops=N states "
		"another peak, --peak fp8=N the peak of one type. Formulas: PaLM, appendix B; MaxText "
		"calculate_tflops_training_per_device; Megatron-Core num_floating_point_operations.");
}
