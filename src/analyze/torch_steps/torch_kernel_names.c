#include "analyze/torch_steps/torch_kernel_names.h"

#include "analyze/torch_steps/torch_role.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

struct tp_torch_kernel_names
tp_torch_kernel_names_new(const struct tp_profile *p, struct tp_arena *scratch)
{
	return (struct tp_torch_kernel_names){
		.profile = p,
		.tensor_cores = tp_new_array(scratch, uint8_t, p->op_count),
		.collective = tp_new_array(scratch, uint8_t, p->op_count),
	};
}

enum tp_tensor_core
tp_torch_kernel_cores(
	struct tp_torch_kernel_names *n, const struct tp_torch_trace *t, uint32_t event)
{
	uint8_t *known = &n->tensor_cores[t->op[event]];

	if (*known == 0)
		*known = (uint8_t)(tp_kernel_tensor_core(n->profile->ops[t->op[event]].name) + 1);
	return (enum tp_tensor_core)(*known - 1);
}

bool
tp_torch_kernel_is_collective(
	struct tp_torch_kernel_names *n, const struct tp_torch_trace *t, uint32_t event)
{
	uint8_t *known = &n->collective[t->op[event]];

	/* What the trace says of one kernel need not hold for others of its name. */
	if (t->detail[event] != TP_NONE && t->works[t->detail[event]].collective != TP_NONE)
		return true;
	if (*known == 0)
		*known = (uint8_t)(1 + tp_torch_is_collective(n->profile, t, event));
	return *known == 2;
}
