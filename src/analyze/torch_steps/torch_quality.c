#include "analyze/torch_steps/torch_quality.h"

#include "analyze/torch_steps/torch_steps.h"
#include "model/profile.h"
#include "model/torch.h"

static unsigned
recorded(const struct tp_torch_trace *t)
{
	unsigned what =
		(t->memory_count != 0 ? TP_TORCH_MEMORY : 0) | (t->python_count != 0 ? TP_TORCH_STACK : 0);

	for (uint32_t i = 0; i < t->attribute_count; i++)
		what |= (t->attributes[i].shapes != 0 ? TP_TORCH_SHAPES : 0) |
			(t->attributes[i].stack != 0 ? TP_TORCH_STACK : 0);
	return what;
}

struct tp_torch_quality
tp_torch_quality_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct tp_torch_quality q = {.work = linked->work};

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		q.trimmed += stepped->traces[i].trimmed;
		q.crossing += linked->traces[i].crossing;
		q.non_finite_numbers += torch->traces[i]->non_finite_numbers;
		q.recorded |= recorded(torch->traces[i]);
	}
	return q;
}

struct tp_slice
tp_torch_not_recorded(const struct tp_pass_ctx *ctx, enum tp_torch_asked what)
{
	const struct tp_torch *torch = ctx->profile->torch;

	/* What was asked for and is not there was not to be had. */
	if (torch == NULL || (tp_torch_asked_for(torch) & what) != 0)
		return TP_S("");
	return (tp_torch_quality_of(ctx).recorded & what) != 0 ? TP_S("") : TP_S("no trace holds any");
}
