/* What kinds of iterations are called. */
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
