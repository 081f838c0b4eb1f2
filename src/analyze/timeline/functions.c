#include "analyze/timeline/functions.h"

#include "base/arena.h"
#include "model/profile.h"

static const uint8_t **
kinds_of(const struct tp_profile *p, struct tp_arena *keep)
{
	const uint8_t **kinds = tp_new_array(keep, const uint8_t *, p->line_count);

	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		for (uint32_t k = 0; k < t->lane_count; k++) {
			if (t->lanes[k].line < p->line_count)
				kinds[t->lanes[k].line] = t->kind + t->lanes[k].first;
		}
	}
	return kinds;
}

/* XLA's tracer of Python writes "$file.py:12 function". */
static const uint8_t *
by_name(const struct tp_profile *p, struct tp_arena *keep)
{
	uint8_t *of_op = NULL;

	for (uint32_t i = 0; i < p->op_count; i++) {
		if (!tp_slice_starts(p->ops[i].name, TP_S("$")))
			continue;
		if (of_op == NULL)
			of_op = tp_new_array(keep, uint8_t, p->op_count);
		of_op[i] = 1;
	}
	return of_op;
}

struct tp_functions
tp_functions_of(const struct tp_profile *p, struct tp_arena *keep)
{
	if (p->torch != NULL)
		return (struct tp_functions){.kinds = kinds_of(p, keep)};
	return (struct tp_functions){.of_op = by_name(p, keep)};
}
