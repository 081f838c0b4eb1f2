/* Operations and process groups, numbered as traces are read. */
#include "analyze/torch/comm/torch_comm.h"

#include "base/arena.h"
#include "model/torch.h"

uint32_t
tp_torch_comm_find_op(struct tp_torch_comm_names *names, struct tp_torch_comm_op op)
{
	uint32_t id = tp_intern(&names->op_keys, op.name);

	/* Id 0 is the empty string, which no operation is named. */
	while (names->ops.count < id)
		*(struct tp_torch_comm_op *)tp_buf_add(&names->ops, sizeof op) = op;
	return id - 1;
}

/* "[0, 1]" and "[0,1]" are the same. */
static struct tp_slice
without_spaces(struct tp_slice s, struct tp_arena *a)
{
	struct tp_slice copy = tp_arena_copy(a, s);
	char *to = (char *)copy.ptr;

	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] != ' ')
			*to++ = s.ptr[i];
	}
	copy.len = (size_t)(to - copy.ptr);
	return copy;
}

uint32_t
tp_torch_comm_find_group(struct tp_torch_comm_names *names, const struct tp_torch_trace *t,
	const struct tp_torch_collective *c, struct tp_slice backend, struct tp_arena *keep)
{
	const struct tp_torch_distributed *d = &t->distributed;
	struct tp_torch_comm_group g = {.size = -1};

	if (c != NULL && c->group_name.len != 0) {
		g.name =
			c->group_description.len != 0 && !tp_slice_eq(c->group_description, TP_S("undefined"))
			? c->group_description
			: c->group_name;
		g.ranks = c->group_ranks;
		g.size = c->group_size;
		g.key = c->group_name;
	} else if (d->group_count == 1) {
		g.name = d->groups[0].description.len != 0 ? d->groups[0].description : d->groups[0].name;
		g.ranks = d->groups[0].ranks;
		g.size = d->groups[0].size;
		g.key = d->groups[0].name;
	} else if (c != NULL && c->group_ranks.len != 0) {
		g.name = TP_S("not named");
		g.ranks = c->group_ranks;
		g.size = c->group_size;
	} else {
		g.name = g.key = backend.len != 0 ? backend : d->backend.len != 0 ? d->backend : TP_S("?");
	}
	g.ranks = without_spaces(g.ranks, keep);
	g.key = tp_arena_printf(keep, "%.*s %.*s", TP_ARG(g.key), TP_ARG(g.ranks));
	uint32_t id = tp_intern(&names->group_keys, g.key);

	while (names->groups.count < id)
		*(struct tp_torch_comm_group *)tp_buf_add(&names->groups, sizeof g) = g;
	return id - 1;
}
