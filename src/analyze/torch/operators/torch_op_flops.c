/* FLOP of the operators of a trace. An operator within one whose FLOP are known is a part of it. */
#include "analyze/torch/operators/torch_op_calls.h"

#include "analyze/facts/torch_flops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* What was worked out for attributes last, which nearly always belong to one operator. */
struct known {
	uint64_t flops;
	uint8_t formula; /* + 1; 0: nothing yet */
};

static uint64_t
flops_of(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t attributes,
	size_t formula, struct known *known)
{
	const struct tp_torch_attributes *a = &t->attributes[attributes];

	if (a->flops != 0)
		return a->flops;
	if (formula == TP_TORCH_NO_FORMULA || a->shapes == 0)
		return 0;
	if (known[attributes].formula != formula + 1)
		known[attributes] =
			(struct known){tp_torch_flops_by(formula, tp_string(&p->strings, a->shapes),
							   tp_string(&p->strings, a->inputs)),
				(uint8_t)(formula + 1)};
	return known[attributes].flops;
}

uint64_t *
tp_torch_flops_of(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *arena)
{
	struct known *known = tp_new_array(arena, struct known, t->attribute_count);
	uint64_t *flops = tp_new_array(arena, uint64_t, t->operator_count);
	bool *counted = tp_new_array(arena, bool, t->count);
	uint8_t *formula = tp_new_array(arena, uint8_t, p->op_count);

	for (uint32_t i = 0; i < p->op_count; i++)
		formula[i] = (uint8_t)tp_torch_formula(p->ops[i].label);
	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t parent = links->parent[e], d = t->detail[e];

		counted[e] = parent != TP_NONE && counted[parent];
		if (t->kind[e] != TP_TORCH_OPERATOR || d == TP_NONE || counted[e])
			continue;
		flops[d] = flops_of(p, t, t->operators[d].attributes, formula[tp_torch_op(t, e)], known);
		counted[e] = flops[d] != 0;
	}
	return flops;
}
