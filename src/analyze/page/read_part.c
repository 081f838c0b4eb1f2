/* How much of the run was read, where its files tell of more. */
#include "analyze/page/method.h"

#include "analyze/facts/environment.h"
#include "analyze/page/passes.h"
#include "analyze/torch/comm/torch_comm_present.h"

struct tp_read_part
tp_read_part_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);

	if (c != NULL && tp_torch_comm_absent(c) != 0)
		return (struct tp_read_part){
			.what = "workers", .read = c->workers, .all = (uint64_t)c->world_size};
	if (e != NULL && e->unprofiled != 0)
		return (struct tp_read_part){.what = "cores",
			.read = e->cores,
			.all = (uint64_t)e->cores + e->unprofiled,
			.at_least = true};
	return (struct tp_read_part){.what = NULL};
}
