/* FLOPs of models: by hand, and as the functions of Megatron-LM and MaxText count them. */
#include "analyze/llm/llm.h"
#include "unit.h"

#include <math.h>

static void
assert_near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * want)
		fail_msg("got %.15g, want %.15g", got, want);
}

/* A GPT of L layers, hidden size h, four h in its MLP, heads that make up h, sequences of s, a vocabulary of V, batch B. */
struct gpt {
	double L, h, s, V, B;
};

static const struct gpt models[] = {
	{24, 1024, 1024, 50304, 8}, {32, 4096, 4096, 32000, 512}, {96, 12288, 2048, 51200, 1536}};

/* Parameters that take part in products: 4 h² of attention and 8 h² of the MLP a layer, and the logits. */
static double
params(const struct gpt *m)
{
	return 12 * m->L * m->h * m->h + m->V * m->h;
}

static struct tp_model_wish
wish(const struct gpt *m, bool full)
{
	return (struct tp_model_wish){
		.params = params(m), .layers = m->L, .hidden = m->h, .seq = m->s, .full_attention = full};
}

static double
total(struct tp_model_flops f)
{
	return f.products + f.attention;
}

/* What these programs' own functions return for the models above, called with their arguments set to them: Megatron-LM's
 * num_floating_point_operations (megatron/training/training.py) at core_v0.19.0, which halves attention for its causal mask as all do since
 * core_v0.12.0, and at v0.11.0, which does not; MaxText's calculate_tflops_training_per_device (src/maxtext/utils/maxtext_utils.py, August
 * 2026) in TFLOP. */
static const struct {
	double megatron, megatron_before, maxtext;
} published[] = {
	{18612240777216.0, 19849191358464.0, 18.612240777215998},
	{8.946946017538867e16, 9.622485961644442e16, 89469.46017538868},
	{3.3405978001601987e18, 3.386196746387325e18, 3340597.8001601985},
};

/* PaLM, appendix B (arXiv 2204.02311): 6 N + 12 L H Q T a token. */
static double
palm(const struct gpt *m)
{
	return (6 * params(m) + 12 * m->L * m->h * m->s) * m->s * m->B;
}

static void
formulas_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		const struct gpt *m = &models[i];
		struct tp_model_wish causal = wish(m, false), full = wish(m, true);
		double tokens = m->s * m->B;

		assert_near(total(tp_training_flops(&causal, tokens)), published[i].megatron);
		assert_near(total(tp_training_flops(&causal, tokens)), published[i].maxtext * 1e12);
		assert_near(total(tp_training_flops(&full, tokens)), published[i].megatron_before);
		assert_near(total(tp_training_flops(&full, tokens)), palm(m));
	}
}

/* Llama 3 8B: 8 groups of keys and values for 32 heads, SwiGLU of 14,336, a vocabulary of 128,256; four sequences of 8,192. The number that
 * counts is that of parameters in products: without the table of embeddings, which is looked up. Megatron-LM and MaxText as above return
 * the same. */
static void
llama_agrees(void **state)
{
	const double layers = 32, hidden = 4096, ffn = 14336, seq = 8192;
	const double attention = hidden * hidden * (2 + 2 * 8.0 / 32), mlp = 3 * hidden * ffn;
	struct tp_model_wish w = {.params = layers * (attention + mlp) + 128256 * hidden,
		.layers = layers,
		.hidden = hidden,
		.seq = seq};
	struct tp_model_flops f = tp_training_flops(&w, 4 * seq);

	(void)state;
	assert_near(w.params, 7504658432.0);
	assert_near(total(f), 1686582117531648.0);
	assert_near(f.products, 1475.475884998656e12);
	assert_near(f.attention, 211.106232532992e12);
}

/* MaxText's calculate_prefill_tflops_per_device of one sequence of each model: products, attention. */
static void
prefill_agrees(void **state)
{
	static const double tflop[][2] = {{0.723970424832, 0.051539607552},
		{53.850299957248, 4.398046511104}, {715.060515176448, 9.895604649984}};

	(void)state;
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		struct tp_model_wish w = wish(&models[i], false);
		struct tp_model_flops f = tp_inference_flops(&w, models[i].s, 0);

		assert_near(f.products, tflop[i][0] * 1e12);
		assert_near(f.attention, tflop[i][1] * 1e12);
	}
}

static void
by_hand(void **state)
{
	struct tp_model_wish w = {.params = 8e9};

	(void)state;
	assert_near(total(tp_training_flops(&w, 65536)), 6 * 8e9 * 65536);
	assert_near(total(tp_inference_flops(&w, 1000, 24)), 2 * 8e9 * 1024);
	w = (struct tp_model_wish){.params = 8e9, .layers = 32, .hidden = 4096, .seq = 1000};
	assert_near(tp_inference_flops(&w, 1000, 0).attention, 2.0 * 32 * 4096 * 1000 * 1000);
	assert_near(tp_inference_flops(&w, 0, 8).attention, 4.0 * 32 * 4096 * 1000 * 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_agree),
		cmocka_unit_test(llama_agrees),
		cmocka_unit_test(prefill_agrees),
		cmocka_unit_test(by_hand),
	};

	return RUN(tests);
}
