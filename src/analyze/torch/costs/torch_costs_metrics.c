/* Figures that the findings on PyTorch are judged by, and that should move when their advice is taken. */
#include "analyze/torch/costs/torch_costs.h"

#include "analyze/core/say.h"
#include "report/doc.h"

#include <stddef.h>

static struct tp_value
zero_grad(const struct tp_torch_costs *c)
{
	return c->zero_grads != 0
		? tp_share((double)c->zero_ps, (double)c->zero_step_ps, TP_S("no trace holds a step"))
		: tp_missing(TP_S("no step holds a call of Optimizer.zero_grad"));
}

static struct tp_value
unused(const struct tp_torch_costs *c)
{
	return tp_share((double)c->unused_ps, (double)c->kernel_ps,
		TP_S("no kernel ran on a GPU that is known to have tensor cores"));
}

static struct tp_slice
no_launch(const struct tp_torch_costs *c)
{
	return c->unrecorded.len != 0 ? c->unrecorded
								  : TP_S("the trace does not hold the calls that launched kernels");
}

static struct tp_value
short_kernels(const struct tp_torch_costs *c)
{
	if (c->launch_ps == 0)
		return tp_missing(no_launch(c));
	return tp_share(
		(double)c->short_kernels, (double)c->kernels, TP_S("no kernel begins in a step"));
}

static struct tp_value
launch(const struct tp_torch_costs *c)
{
	return c->launch_ps != 0 ? tp_number((double)c->launch_ps / 1e6, TP_UNIT_US)
							 : tp_missing(no_launch(c));
}

#define OF(member) offsetof(struct tp_torch_costs, member)
static const struct {
	const char *id, *label, *how;
	struct tp_value (*value)(const struct tp_torch_costs *c);
	size_t of_steps; /* without value(): of the picoseconds that are over the time of steps */
} figures[] = {
	{"torch.host_bound_share", "The GPU waits for the host",
		"time of steps in which no device works and the DataLoader is not waited for, over that of "
		"steps: roles Runtime, CPU Exec and Other, but while launched work stands still or the "
		"device is set up",
		.of_steps = OF(bound_ps)},
	{"torch.queued_share", "Launched work stands still",
		"time of steps in which no device works, the DataLoader is not waited for, and a call that "
		"returned more than 0.1 ms before has launched work that has not begun, over that of steps",
		.of_steps = OF(queued_ps)},
	{"torch.setup_share", "Setting the device up",
		"time of steps in calls of 1 ms or more that allocate, free, or make contexts, streams and "
		"the like, in which no device works, over that of steps",
		.of_steps = OF(setup_ps)},
	{"torch.launch_us", "Launching a kernel", "median of the calls that launched one kernel",
		.value = launch},
	{"torch.short_kernel_share", "Kernels shorter than their launch",
		"kernels in steps that one call launched alone and that run shorter than that, over all in "
		"steps",
		.value = short_kernels},
	{"torch.drained_share", "No device work after a wait for the device",
		"time of steps from the return of a call that waits for the device to the next device "
		"work, over that of steps",
		.of_steps = OF(drained_ps)},
	{"torch.pageable_copy_share", "Copies of pageable memory",
		"time of copies from or to pageable memory that begin in steps over that of steps",
		.of_steps = OF(pageable_ps)},
	{"torch.zero_grad_share", "Setting gradients to 0",
		"device work that Optimizer.zero_grad asks for, and time of its operators that fill memory "
		"while no device works, over the time of steps",
		.value = zero_grad},
	{"torch.tensor_core_unused_share", "Could have used tensor cores",
		"kernel time of calls of operators for products, convolutions and attention of which no "
		"kernel used tensor cores, or may have, over all kernel time",
		.value = unused},
};

static struct tp_value
of_steps(const struct tp_torch_costs *c, size_t member)
{
	const int64_t *ps = (const int64_t *)((const char *)c + member);

	return tp_share((double)*ps, (double)c->step_ps,
		c->unrecorded.len != 0 ? c->unrecorded : TP_S("no step holds work of a device"));
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
