/* FLOPs of models: by hand, and as Megatron-Core, older Megatron, PaLM and MaxText publish their formulas. */
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

/* megatron/training/training.py, transformer_flops: 3 × 2 × B × s × (L × (h × (ffn × 2) + h² + h² × … + h × s / 2 × …) + h × V), for
 * as many groups of keys as heads. Half of the core attention, as its mask is causal. */
static double
megatron_core(const struct gpt *m)
{
	double mlp = 2 * 4 * m->h * m->h, projections = 4 * m->h * m->h, core = m->h * m->s / 2 * 2;

	return 3 * 2 * m->B * m->s * (m->L * (mlp + projections + core) + m->h * m->V);
}

/* Megatron-LM until core 0.12: 12 B s L h² (1 + 1 + s/h + 2 · ffn/h … ) as it stood: expansion 12 × (attention 1 + groups/heads + s/h,
 * MLP ffn/h, logits V / (2 L h)). */
static double
megatron_before(const struct gpt *m)
{
	return 12 * m->B * m->s * m->L * m->h * m->h *
		(1 + 1 + m->s / m->h + 4 + m->V / (2 * m->L * m->h));
}

/* MaxText, calculate_tflops_training_per_device: 6 × parameters × tokens + 12 × heads × layers × size of a head × s² × B / 2. */
static double
maxtext(const struct gpt *m)
{
	return 6 * params(m) * m->s * m->B + 12 * m->L * m->h * m->s * m->s * m->B / 2;
}

/* PaLM, appendix B: 6 N + 12 L H Q T a token. */
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

		assert_near(total(tp_training_flops(&causal, tokens)), megatron_core(m));
		assert_near(total(tp_training_flops(&causal, tokens)), maxtext(m));
		assert_near(total(tp_training_flops(&full, tokens)), megatron_before(m));
		assert_near(total(tp_training_flops(&full, tokens)), palm(m));
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
		cmocka_unit_test(by_hand),
	};

	return RUN(tests);
}
