/* Which events play which role. */
#include "analyze/torch_steps/torch_role.h"

#include "base/arena.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

const struct tp_torch_role_info *
tp_torch_role_info(enum tp_torch_role role)
{
	static const struct tp_torch_role_info infos[TP_TORCH_ROLE_COUNT] = {
		[TP_TORCH_ROLE_KERNEL] = {"kernel", "Kernel", TP_CLASS_COMPUTE,
			"a non-collective kernel runs on a device"},
		[TP_TORCH_ROLE_MEMCPY] = {"memcpy", "Memcpy", TP_CLASS_COMPUTE, "a device copies"},
		[TP_TORCH_ROLE_MEMSET] = {"memset", "Memset", TP_CLASS_COMPUTE, "a device runs a memset"},
		[TP_TORCH_ROLE_COMMUNICATION] = {"communication", "Communication", TP_CLASS_COLLECTIVE,
			"a collective or a send runs"},
		[TP_TORCH_ROLE_RUNTIME] = {"runtime", "Runtime", TP_CLASS_LAUNCH,
			"the host is in a runtime or driver call"},
		[TP_TORCH_ROLE_DATALOADER] = {"dataloader", "DataLoader", TP_CLASS_INPUT_WAIT,
			"the program waits for the next batch"},
		[TP_TORCH_ROLE_CPU] = {"cpu_exec", "CPU Exec", TP_CLASS_HOST_COMPUTE,
			"the host is in an operator or a named range"},
		[TP_TORCH_ROLE_OTHER] = {"other", "Other", TP_CLASS_OTHER,
			"none of these: Python code between operators, or waiting"},
	};

	return &infos[role];
}

enum tp_class
tp_torch_class_of_host(enum tp_torch_host_part part)
{
	static const enum tp_class classes[TP_TORCH_HOST_PARTS] = {
		[TP_TORCH_HOST_QUEUED] = TP_CLASS_QUEUED,
		[TP_TORCH_HOST_SETUP] = TP_CLASS_SETUP,
		[TP_TORCH_HOST_CALLS] = TP_CLASS_LAUNCH,
		[TP_TORCH_HOST_OPERATORS] = TP_CLASS_HOST_COMPUTE,
		[TP_TORCH_HOST_NEITHER] = TP_CLASS_OTHER,
	};

	return classes[part];
}

bool
tp_torch_role_is_of_host(enum tp_torch_role role)
{
	return role == TP_TORCH_ROLE_RUNTIME || role == TP_TORCH_ROLE_CPU ||
		role == TP_TORCH_ROLE_OTHER;
}

bool
tp_torch_is_collective_range(struct tp_slice name)
{
	return tp_texts_any(
		name, tp_slice_starts, TP_TEXTS("nccl:", "gloo:", "mpi:", "ucc:", "xccl:", "hccl:"));
}

bool
tp_torch_op_communicates(struct tp_slice name)
{
	return tp_torch_is_collective_range(name) || tp_slice_eq(name, TP_S("record_param_comms")) ||
		tp_texts_any(name, tp_slice_starts, TP_TEXTS("c10d::", "_c10d_functional::"));
}

bool
tp_torch_is_dataloader(struct tp_slice name)
{
	if (tp_slice_starts(name, TP_S("enumerate(DataPipe)#")))
		return true;
	return tp_slice_starts(name, TP_S("enumerate(DataLoader)#")) &&
		tp_slice_ends(name, TP_S(".__next__"));
}

bool
tp_torch_is_collective(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event)
{
	static const char *const starts[] = {
		"ncclSymk", "rcclKernel", "rccl_", "onecclKernel", "oneccl_", NULL};
	static const char *const parts[] = {"one_shot_all_reduce", "two_shot_all_reduce",
		"multimem_all_reduce", "multimem_one_shot", "cross_device_reduce", "allreduce_kernel",
		NULL};
	struct tp_slice name = tp_torch_name(p, t, event);

	if (t->kind[event] != TP_TORCH_KERNEL)
		return false;
	if (t->detail[event] != TP_NONE && t->works[t->detail[event]].collective != TP_NONE)
		return true;
	/* ncclDevKernel_…, ncclKernel_…; before NCCL 2.8 ncclAllReduceRingLLKernel_…. */
	if (tp_slice_starts(name, TP_S("nccl")) && tp_slice_has(name, TP_S("Kernel")))
		return true;
	return tp_texts_any(name, tp_slice_starts, starts) || tp_texts_any(name, tp_slice_has, parts);
}

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
	uint8_t *known = &n->tensor_cores[tp_torch_op(t, event)];

	if (*known == 0)
		*known = (uint8_t)(tp_kernel_tensor_core(n->profile->ops[tp_torch_op(t, event)].name) + 1);
	return (enum tp_tensor_core)(*known - 1);
}

bool
tp_torch_kernel_is_collective(
	struct tp_torch_kernel_names *n, const struct tp_torch_trace *t, uint32_t event)
{
	uint8_t *known = &n->collective[tp_torch_op(t, event)];

	/* What the trace says of one kernel need not hold for others of its name. */
	if (t->detail[event] != TP_NONE && t->works[t->detail[event]].collective != TP_NONE)
		return true;
	if (*known == 0)
		*known = (uint8_t)(1 + tp_torch_is_collective(n->profile, t, event));
	return *known == 2;
}

/* By name of operation, so that each is looked at once. */
struct names {
	bool *collective, *collective_range, *dataloader;
};

static struct names
look_at_names(const struct tp_profile *p, const struct tp_torch_trace *t, struct tp_arena *scratch)
{
	struct names n = {.collective = tp_new_array(scratch, bool, p->op_count),
		.collective_range = tp_new_array(scratch, bool, p->op_count),
		.dataloader = tp_new_array(scratch, bool, p->op_count)};

	for (uint32_t i = 0; i < p->op_count; i++) {
		n.collective_range[i] = tp_torch_is_collective_range(p->ops[i].label);
		n.dataloader[i] = tp_torch_is_dataloader(p->ops[i].label);
	}
	for (uint32_t e = 0; e < t->count; e++) {
		if (t->kind[e] == TP_TORCH_KERNEL && !n.collective[tp_torch_op(t, e)])
			n.collective[tp_torch_op(t, e)] = tp_torch_is_collective(p, t, e);
	}
	return n;
}

static enum tp_torch_role
role_of_host(const struct names *n, uint32_t op, bool collective_kernels)
{
	if (!collective_kernels && n->collective_range[op])
		return TP_TORCH_ROLE_COMMUNICATION;
	return n->dataloader[op] ? TP_TORCH_ROLE_DATALOADER : TP_TORCH_ROLE_CPU;
}

static enum tp_torch_role
role_of(const struct tp_torch_trace *t, const struct names *n, uint32_t e, bool collective_kernels)
{
	switch ((enum tp_torch_kind)t->kind[e]) {
	case TP_TORCH_KERNEL:
		return n->collective[tp_torch_op(t, e)] ? TP_TORCH_ROLE_COMMUNICATION
												: TP_TORCH_ROLE_KERNEL;
	case TP_TORCH_MEMCPY:
		return TP_TORCH_ROLE_MEMCPY;
	case TP_TORCH_MEMSET:
		return TP_TORCH_ROLE_MEMSET;
	case TP_TORCH_RUNTIME:
	case TP_TORCH_DRIVER:
		return TP_TORCH_ROLE_RUNTIME;
	case TP_TORCH_OPERATOR:
	case TP_TORCH_ANNOTATION:
		return role_of_host(n, tp_torch_op(t, e), collective_kernels);
	case TP_TORCH_PYTHON: /* they hold everything, so that nothing would be left over */
	case TP_TORCH_STEP:
	case TP_TORCH_GPU_ANNOTATION:
	case TP_TORCH_SYNC:
	case TP_TORCH_OVERHEAD:
	case TP_TORCH_OTHER:
	case TP_TORCH_KIND_COUNT:
		break;
	}
	return TP_TORCH_ROLE_OTHER;
}

/* Unites them in place, and returns a copy of what is left. */
static struct tp_interval *
united(struct tp_interval *all, size_t *count, struct tp_arena *keep)
{
	*count = tp_intervals_unite(all, *count);
	struct tp_interval *copy = tp_new_array(keep, struct tp_interval, *count);

	if (*count != 0)
		memcpy(copy, all, *count * sizeof *all);
	return copy;
}

static struct tp_interval
interval_of(const struct tp_torch_trace *t, uint32_t event)
{
	return (struct tp_interval){tp_torch_start_ps(t, event), tp_torch_end_ps(t, event)};
}

struct tp_torch_roles
tp_torch_roles_of(const struct tp_profile *p, const struct tp_torch_trace *t, struct tp_arena *keep,
	struct tp_arena *scratch)
{
	struct names n = look_at_names(p, t, scratch);
	struct tp_torch_roles r = {0};
	struct tp_interval *all[TP_TORCH_ROLE_COUNT];
	size_t filled[TP_TORCH_ROLE_COUNT] = {0};

	for (uint32_t e = 0; e < t->count && !r.collective_kernels; e++)
		r.collective_kernels = t->kind[e] == TP_TORCH_KERNEL && n.collective[tp_torch_op(t, e)];
	for (uint32_t e = 0; e < t->count; e++)
		r.count[role_of(t, &n, e, r.collective_kernels)]++;
	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++)
		all[k] = tp_new_array(scratch, struct tp_interval, r.count[k]);
	/* They are looked at where they may hide collectives, and no kernel ran. */
	bool wanted = r.count[TP_TORCH_ROLE_KERNEL] == 0 && !r.collective_kernels &&
		r.count[TP_TORCH_ROLE_COMMUNICATION] != 0;
	struct tp_interval *operators =
		tp_new_array(scratch, struct tp_interval, wanted ? r.count[TP_TORCH_ROLE_CPU] : 0);

	for (uint32_t e = 0; e < t->count; e++) {
		enum tp_torch_role k = role_of(t, &n, e, r.collective_kernels);

		if (k != TP_TORCH_ROLE_OTHER)
			all[k][filled[k]++] = interval_of(t, e);
		if (wanted && k == TP_TORCH_ROLE_CPU && t->kind[e] == TP_TORCH_OPERATOR)
			operators[r.operator_count++] = interval_of(t, e);
	}
	r.count[TP_TORCH_ROLE_OTHER] = 0;
	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++)
		r.intervals[k] = united(all[k], &r.count[k], keep);
	r.operators = united(operators, &r.operator_count, keep);
	return r;
}
