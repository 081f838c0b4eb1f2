/* Figures that the findings on PyTorch are judged by, and that should move when their advice is taken. */
#include "analyze/torch/costs/torch_costs.h"

#include "analyze/core/say.h"
#include "report/doc.h"

#include <stddef.h>

static struct tp_value
zero_grad(const struct tp_torch_costs *c)
{
	return c->zero_grads != 0 ? tp_share(c->zero_ps, c->zero_step_ps, TP_S("no trace holds a step"))
							  : tp_missing(TP_S("no step calls Optimizer.zero_grad"));
}

static struct tp_value
unused(const struct tp_torch_costs *c)
{
	return tp_share((double)c->unused_ps, (double)c->kernel_ps,
		c->tensor_cores != TP_TENSOR_CORES_THERE
			? tp_slice_of(tp_no_tensor_cores(c->tensor_cores))
			: TP_S("no kernel ran on a GPU with tensor cores"));
}

static struct tp_slice
no_launch(const struct tp_torch_costs *c)
{
	return c->unrecorded.len != 0 ? c->unrecorded : TP_S("the trace holds no kernel launch calls");
}

static struct tp_value
short_kernels(const struct tp_torch_costs *c)
{
	if (c->launch_ps == 0)
		return tp_missing(no_launch(c));
	return tp_share(
		(double)c->short_kernels, (double)c->kernels, TP_S("no kernel starts in a step"));
}

static struct tp_value
launch(const struct tp_torch_costs *c)
{
	return c->launch_ps != 0 ? tp_number((double)c->launch_ps / 1e6, TP_UNIT_US)
							 : tp_missing(no_launch(c));
}

/* What shares are of: steps/step_counted.h. */
#define OF_A_STEP                                                                                  \
	"; mean over workers, as a share of the step, which lasts until the slowest worker ends"
#define OF(member) offsetof(struct tp_torch_costs, member)
static const struct {
	const char *id, *label, *how;
	struct tp_value (*value)(const struct tp_torch_costs *c);
	size_t of_steps; /* without value(): of the picoseconds that are over the time of steps */
} figures[] = {
	{"torch.host_bound_share", "The GPU waits for the host",
		"step time in which no device works, excluding waits for the DataLoader, queued work and "
		"device set-up (roles Runtime, CPU Exec and Other)" OF_A_STEP,
		.of_steps = OF(bound_ps)},
	{"torch.queued_share", "Device idle with work queued",
		"step time in which no device works, excluding waits for the DataLoader, while work "
		"launched by a call that returned more than 0.1 ms earlier has not started" OF_A_STEP,
		.of_steps = OF(queued_ps)},
	{"torch.setup_share", "Device set-up",
		"step time in calls of 1 ms or more that allocate, free, or create contexts, streams and "
		"the like, and in launches of 0.1 s or more, which load a module, while no device works" OF_A_STEP,
		.of_steps = OF(setup_ps)},
	{"torch.launch_us", "Kernel launch time", "median of the calls that launched one kernel",
		.value = launch},
	{"torch.short_kernel_share", "Kernels shorter than their launch",
		"kernels in steps launched one per call and shorter than that call, over all in steps",
		.value = short_kernels},
	{"torch.drained_share", "Device idle after host syncs",
		"step time from the return of a synchronising call to the next device work, excluding queued "
		"work" OF_A_STEP,
		.of_steps = OF(drained_ps)},
	{"torch.pageable_copy_share", "Copies of pageable memory",
		"time of copies from or to pageable memory that start in steps" OF_A_STEP,
		.of_steps = OF(pageable_ps)},
	{"torch.zero_grad_share", "Zeroing gradients",
		"device work launched by Optimizer.zero_grad, plus time of its fill operators while no "
		"device works" OF_A_STEP,
		.value = zero_grad},
	{"torch.tensor_core_unused_share", "Could have used tensor cores",
		"kernel time of matmul, convolution and attention calls without any kernel that uses or "
		"may use tensor cores, over all kernel time",
		.value = unused},
};

static struct tp_value
of_steps(const struct tp_torch_costs *c, size_t member)
{
	const double *ps = (const double *)((const char *)c + member);

	return tp_share(*ps, c->step_ps,
		c->unrecorded.len != 0 ? c->unrecorded : TP_S("no step holds device work"));
}

void
tp_torch_costs_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		tp_say_metric(doc, figures[i].id, figures[i].label,
			result == NULL                 ? tp_missing(tp_skipped_itself(ctx))
				: figures[i].value != NULL ? figures[i].value(result)
										   : of_steps(result, figures[i].of_steps),
			figures[i].how);
}
