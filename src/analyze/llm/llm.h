/* Model FLOPs utilisation: what a model needs to compute over what its devices could have computed in that time. Not to be taken for
 * the use of the hardware: what is computed twice, as recomputed activations, counts for that alone. */
#ifndef TP_ANALYZE_LLM_H
#define TP_ANALYZE_LLM_H

#include "analyze/core/ctx.h"
#include "analyze/facts/matrix_dtype.h"
#include "base/number.h"

#include <stdbool.h>

struct tp_doc;

enum tp_llm_from {
	TP_LLM_NOTHING,
	TP_LLM_OF_OPTION, /* --model-flops */
	TP_LLM_OF_PARAMS, /* --params */
	TP_LLM_OF_SHAPES, /* operators with their shapes; nothing is computed twice */
};

/* FLOPs of a model, of training or of inference. */
struct tp_model_flops {
	double products,
		attention; /* 6·N·tokens or 2·N·tokens; NaN never: 0 where the options say nothing of attention */
};

/* Of training: forward and backward. Formulas: PaLM, appendix B (arXiv 2204.02311): 6·N + 12·L·h·s a token; with a causal mask half of
 * the second term, as MaxText (calculate_tflops_training_per_device) and Megatron-Core (num_floating_point_operations) count. */
struct tp_model_flops tp_training_flops(const struct tp_model_wish *wish, double tokens);

/* Of inference, forward alone: of prompts causal attention over their length, of what is decoded over all of --seq. */
struct tp_model_flops tp_inference_flops(
	const struct tp_model_wish *wish, double prompt_tokens, double decode_tokens);

struct tp_llm {
	enum tp_llm_from from;
	bool inference;
	struct tp_model_flops of; /* of a step, of inference of all of the window */
	double flops;             /* their sum, or what the option says */
	double seconds;           /* of a step with the gap behind it, or of the window */
	double step_seconds;      /* of that the step; of inference the same */
	double kernel_flops;      /* of a step, all devices, by XLA's kernels on GPUs; 0: not known */
	struct tp_matrix_dtype products; /* which peak counts */
	double devices, peak_flop_per_s; /* of the job; 0: not known */
	double recorded_devices;         /* of the profile */
	double tokens;                   /* of a step, or of the window: in and out; NaN: not told */
	struct tp_slice no_flops, no_time, no_peak; /* why they are missing */
};

/* "6 × 16.8 G × 4,096 + 26.0 GFLOP of attention = …": MFU with the numbers put in. m->from is not NOTHING. */
struct tp_slice tp_llm_formula(const struct tp_pass_ctx *ctx, const struct tp_llm *m);

void tp_llm_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_llm_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* struct tp_llm; never skipped where there are events */
extern const struct tp_pass tp_pass_llm;

#endif
