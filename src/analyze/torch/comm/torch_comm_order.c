/* Operations and groups are numbered as they are met, which is another way in each worker's trace. Put in order by their names, the same calls have
 * the same numbers whatever was read first, and sums over them the same last digit. */
#include "analyze/torch/comm/torch_comm.h"
#include "base/arena.h"
#include "base/order.h"

#include <stdlib.h>

struct numbered {
	struct tp_slice key;
	uint32_t number;
};

TP_ORDER(by_key, struct numbered, tp_slice_cmp(a->key, b->key));

/* By old number, the new one. */
static uint32_t *
sort(struct numbered *items, uint32_t count, struct tp_arena *scratch)
{
	uint32_t *place = tp_new_array(scratch, uint32_t, count);

	if (count != 0)
		qsort(items, count, sizeof *items, by_key);
	for (uint32_t i = 0; i < count; i++)
		place[items[i].number] = i;
	return place;
}

static uint32_t *
sort_ops(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct numbered *items = tp_new_array(ctx->scratch, struct numbered, c->op_count);
	struct tp_torch_comm_op *sorted = tp_new_array(ctx->keep, struct tp_torch_comm_op, c->op_count);

	for (uint32_t i = 0; i < c->op_count; i++)
		items[i] = (struct numbered){c->ops[i].name, i};
	uint32_t *place = sort(items, c->op_count, ctx->scratch);

	for (uint32_t i = 0; i < c->op_count; i++)
		sorted[place[i]] = c->ops[i];
	c->ops = sorted;
	return place;
}

static uint32_t *
sort_groups(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct numbered *items = tp_new_array(ctx->scratch, struct numbered, c->group_count);
	struct tp_torch_comm_group *sorted =
		tp_new_array(ctx->keep, struct tp_torch_comm_group, c->group_count);

	for (uint32_t i = 0; i < c->group_count; i++)
		items[i] = (struct numbered){c->groups[i].key, i};
	uint32_t *place = sort(items, c->group_count, ctx->scratch);

	for (uint32_t i = 0; i < c->group_count; i++)
		sorted[place[i]] = c->groups[i];
	c->groups = sorted;
	return place;
}

void
tp_torch_comm_order(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	const uint32_t *op = sort_ops(ctx, c), *group = sort_groups(ctx, c);

	for (uint32_t i = 0; i < c->trace_count; i++) {
		for (uint32_t k = 0; k < c->traces[i].call_count; k++) {
			struct tp_torch_comm_call *call = &c->traces[i].calls[k];

			call->op = op[call->op];
			call->group = group[call->group];
		}
	}
}
