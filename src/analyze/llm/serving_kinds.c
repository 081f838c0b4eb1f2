/* Kinds of iterations: what they are called, and which phases they are. */
#include "analyze/llm/serving.h"

const struct tp_serving_kind_info *
tp_serving_kind_info(enum tp_serving_kind kind)
{
	static const struct tp_serving_kind_info infos[TP_SERVING_KINDS] = {
		[TP_SERVING_PREFILL] = {"prefill", "Prefill"},
		[TP_SERVING_DECODE] = {"decode", "Decode"},
		[TP_SERVING_MIXED] = {"mixed", "Mixed"},
		[TP_SERVING_OTHER] = {"other", "Other"},
	};

	return &infos[kind];
}

enum tp_serving_kind
tp_serving_kind_of(enum tp_iteration_phase phase)
{
	switch (phase) {
	case TP_ITERATION_PREFILL:
		return TP_SERVING_PREFILL;
	case TP_ITERATION_DECODE:
		return TP_SERVING_DECODE;
	case TP_ITERATION_MIXED:
		return TP_SERVING_MIXED;
	case TP_ITERATION_UNKNOWN:
	case TP_ITERATION_FORWARD:
	case TP_ITERATION_BACKWARD:
	case TP_ITERATION_OPTIMIZER:
		break;
	}
	return TP_SERVING_OTHER;
}
