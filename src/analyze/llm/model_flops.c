/* What a model of so many parameters computes. */
#include "analyze/llm/llm.h"

/* Products of queries with keys, and of weights with values: 4·L·h·s a token forward, twice that backward. */
#define FORWARD 4.0
#define WITH_BACKWARD 12.0

static double
attention(const struct tp_model_wish *w, double factor, bool causal)
{
	return factor * w->layers * w->hidden * w->seq * (causal ? 0.5 : 1);
}

struct tp_model_flops
tp_training_flops(const struct tp_model_wish *wish, double tokens)
{
	return (struct tp_model_flops){.products = 6 * wish->params * tokens,
		.attention = attention(wish, WITH_BACKWARD, !wish->full_attention) * tokens};
}

struct tp_model_flops
tp_inference_flops(const struct tp_model_wish *wish, double prompt_tokens, double decode_tokens)
{
	return (struct tp_model_flops){.products = 2 * wish->params * (prompt_tokens + decode_tokens),
		.attention = attention(wish, FORWARD, !wish->full_attention) * prompt_tokens +
			attention(wish, FORWARD, false) * decode_tokens};
}
