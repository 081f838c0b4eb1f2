/* The same for PyTorch's profiler plugin (torch-tb-profiler 0.4.3, and its last sources, never released). Each line is held by a
 * test that compares both figures. */
#include "analyze/page/method.h"

#include "analyze/core/say.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch/modules/torch_modules.h"
#include "analyze/torch/operators/torch_ops.h"
#include "model/profile.h"
#include "model/torch.h"

enum concerns {
	ALL = 0,
	DEVICE = 1 << 0,       /* work of a device */
	SINCE_1_11 = 1 << 1,   /* traces of torch 1.11 and later */
	STACKS = 1 << 2,       /* call stacks */
	BEFORE = 1 << 3,       /* device work that was launched before the trace */
	DISTRIBUTED = 1 << 4,  /* several processes */
	AMD = 1 << 5,          /* kernels without an occupancy of their own */
	MEMORY = 1 << 6,       /* records of allocators */
	OTHER_MEMORY = 1 << 7, /* likewise, of other devices than CPU and CUDA */
	MODULES = 1 << 8,      /* calls of modules */
	LIGHTNING = 1 << 9,    /* spans of Lightning's profiler */
	MTIA = 1 << 10,        /* Meta's accelerator */
};

static const struct tp_difference list[] = {
	{"Device time of operators, release 0.4.3", "0",
		"by correlation, then by the place of the call",
		"It does not know the categories that torch 1.11 introduced.", DEVICE | SINCE_1_11},
	{"Device time of operators, torch 1.11 to 2.1", "0, or of operators picked by accident",
		"likewise",
		"Up to 2.1 the External id of a kernel is its correlation number, and equals that of an "
		"operator by accident only; host self times came out below 0.",
		DEVICE | SINCE_1_11},
	{"Launches by the driver (cuLaunchKernel)", "of no operator", "of the operator that made them",
		"cuBLASLt and Triton launch through the driver.", DEVICE | SINCE_1_11},
	{"Kernels launched before the trace", "of the root, or not listed",
		"listed as such, of no operator", "The call that launched them is not in the file.",
		DEVICE | BEFORE},
	{"Host self time of an operator", "without the runtime calls that name it",
		"without the runtime calls that it made",
		"Some calls name no operator, or one that had ended.", DEVICE | SINCE_1_11},
	{"Runtime calls of an operator that is all that its caller of the same name does",
		"those of the caller are lost", "those of both",
		"Both are one call; what either launched is its device time.", DEVICE},
	{"Total time of an operator that calls itself, as `aten::copy_` within `aten::copy_`",
		"of each call, so that it counts twice", "once",
		"The inner call is in the outer one's time; shares of all time came out above 100 %.", ALL},
	{"Operators that could use tensor cores", "as of torch 1.9",
		"convolution_backward, attention, _scaled_mm and the like too",
		"Names changed; autograd's nodes have a number since 1.10.", DEVICE | SINCE_1_11},
	{"Kernels on tensor cores", "names up to Ampere", "Hopper, Blackwell, AMD and attention too",
		"Its list of names ended in 2021; what a name says to be plain arithmetic is not one.",
		DEVICE},
	{"Means of kernels that took no time", "0", "of its calls alike", "Weights of 0 have no mean.",
		DEVICE},
	{"Occupancy and blocks an SM on AMD", "missing", "from grid and block of the launching call",
		"ROCm writes them there.", DEVICE | AMD},
	{"Work of MTIA devices", "none",
		"dma_request is a copy, event_wait and event_record are waits, the rest kernels",
		"All of it has one category, mtia_ccp_events, which kineto counts as kernels. That dma is "
		"memory HTA holds as well (its pattern ^dma); an event_wait names the stream that it "
		"waits for, as cuda_sync does.",
		DEVICE | MTIA},
	{"Call stacks", "none", "rebuilt from Python's functions",
		"Since torch 1.11 operators carry none.", SINCE_1_11 | STACKS},
	{"Stacks of an operator", "apart by every frame", "apart by lines of the program and modules",
		"Frames of libraries tell nothing that could be changed.", STACKS},
	{"Waits for DataLoader, release 0.4.3", "0", "measured",
		"It drops annotations, which these are since torch 1.12.", SINCE_1_11},
	{"Number of steps", "GPU annotations of steps counted as well", "steps of the host",
		"A step's annotation on a stream is no step of its own.", DEVICE | SINCE_1_11},
	{"Parts of a step that is covered completely", "more than the step", "sum to the step",
		"It begins anew when nothing is left to cover.", ALL},
	{"Steps of traces without operators", "one, from 2⁶⁴ − 1 to 0", "none, with the reason",
		"An empty minimum is no time.", ALL},
	{"Start of the first step", "moved by all device work without a launch in the trace",
		"moved by what the launch's number shows to be from before",
		"Where a trace lacks launches of the step itself, the step would begin at its end.",
		DEVICE | BEFORE},
	{"Kernel time on tensor cores", "of kernels that operators asked for", "of all kernels",
		"A kernel launched before the trace takes time too.", DEVICE},
	{"Recommendation of mixed precision", "also where tensor cores are in use, even of 0 %",
		"where products took 10 % of kernel time without them",
		"A share of time that cannot be saved is no reason to act.", DEVICE},
	{"Communication of gloo", "five operations", "all of them", "It knows no more names.",
		DISTRIBUTED},
	{"Communication", "five operations, by the host's span",
		"device time of all collective kernels",
		"The host's span is the launch; all-to-all, send and receive, and newer names are missing "
		"there, and count as computation.",
		DISTRIBUTED},
	{"Transfer and waiting where workers hold different numbers of collectives", "none of both",
		"of those that they share",
		"Captures begin and end at other collectives; by group and order the others are the same.",
		DISTRIBUTED},
	{"Transfer and waiting of one worker of several", "all of it transfer", "–, with the reason",
		"What the others do is in their traces.", DISTRIBUTED},
	{"Waiting of a step", "of all that its collectives last", "within the step",
		"A collective may end in the next step, whose time that is.", DISTRIBUTED},
	{"Computation that hides communication, without kernels",
		"operators and ranges that the program named", "operators",
		"A range around the backward pass holds the wait for its last all-reduce.", DISTRIBUTED},
	{"Barriers", "computation", "communication that is neither transfer nor waiting for data",
		"They move nothing.", DISTRIBUTED},
	{"Size of a collective", "0 where shapes are missing", "from the collective's own arguments",
		"It reads the shapes of tensors alone.", DISTRIBUTED},
	{"Memory of AMD, Intel, Apple and other devices", "missing", "as that of any device",
		"It knows the types of CPU and CUDA alone.", MEMORY | OTHER_MEMORY},
	{"Memory of the card beside the curve", "missing", "a line, and the peak's share of it",
		"The field that it reads is never set.", MEMORY},
	{"Memory peak of a small model", "Peak Memory Usage: 0.0MB", "in the unit of its size",
		"Its unit is fixed.", MEMORY},
	{"Curve of memory", "10,240 points of it", "min and max of each stretch of time",
		"The peak may be among the points that are left out.", MEMORY},
	{"Release of memory", "ends what was allocated at its address on any device",
		"on the same device", "Addresses of host and device may be equal.", MEMORY},
	{"Memory within calls of the same operator",
		"counted for each of them, where the outer one calls others as well", "counted once",
		"It would be more than was allocated.", MEMORY},
	{"Memory that no operator asked for", "<unknown>, and not in the statistics",
		"of the range that the program named, else (no operator)",
		"Optimizers and DataLoaders are such ranges.", MEMORY},
	{"Host self time of the outermost module", "without every call that names no operator",
		"without the operators and modules in it",
		"It takes calls without an External id for calls of the module, wherever they are; the "
		"time came out below 0.",
		MODULES | DEVICE},
	{"Modules that stand at several places", "the sum over all, at each of them",
		"at each place the calls made there", "The parts would be more than the whole.", MODULES},
	{"Modules that backward calls again", "missing", "at a place of their own",
		"Activation checkpoints call them on autograd's thread; it looks at the first alone.",
		MODULES},
	{"Backward pass of modules", "in the operator tree alone, by the trace's arrows",
		"beside the forward pass, by sequence numbers",
		"Its last sources know the arrows' new name alone, its release the old one alone.",
		MODULES | SINCE_1_11},
	{"Ranges that the program named, in the operator tree", "left out", "kept",
		"They tell which part of the program an operator belongs to.", SINCE_1_11},
	{"Hooks and modules of Lightning", "none since torch 1.12", "of both categories",
		"They are annotations since, which it does not look at.", LIGHTNING},
};

static unsigned
concerns_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_ops *ops = tp_result(ctx, &tp_pass_torch_ops);
	const struct tp_torch_memories *memory = tp_result(ctx, &tp_pass_torch_memory);
	const struct tp_torch_modules *modules = tp_result(ctx, &tp_pass_torch_modules);
	unsigned all = 0;

	if (ops != NULL) {
		all |= ops->work.count != 0 ? DEVICE : 0;
		all |= ops->has_stacks ? STACKS : 0;
		all |= ops->work.no_call != 0 ? BEFORE : 0;
	}
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];

		all |= t->era != TP_TORCH_UP_TO_1_10 ? SINCE_1_11 : 0;
		all |= t->distributed.world_size > 1 ? DISTRIBUTED : 0;
	}
	for (uint32_t i = 0; modules != NULL && i < torch->trace_count; i++) {
		const struct tp_torch_trace_modules *m = &modules->traces[i];

		all |= m->modules.count != 0 ? MODULES : 0;
		all |= m->lightning || m->hooks.count != 0 ? LIGHTNING : 0;
	}
	for (size_t i = 0; memory != NULL && i < memory->count; i++) {
		all |= MEMORY;
		all |= memory->pools[i].device_type > 1 ? OTHER_MEMORY : 0;
	}
	for (uint32_t d = 0; d < ctx->profile->device_count; d++) {
		all |= tp_slice_eq(ctx->profile->devices[d].vendor, TP_S("AMD")) ? AMD : 0;
		all |= tp_slice_eq(ctx->profile->devices[d].vendor, TP_S("Meta")) ? MTIA : 0;
	}
	return all;
}

static const struct tp_column columns[] = {
	TP_COLUMN("figure", "Figure"),
	TP_COLUMN("plugin", "torch-tb-profiler shows"),
	TP_COLUMN("here", "Here"),
	TP_COLUMN("why", "Why"),
};

void
tp_differences_torch_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	static const struct tp_differences plugin = {
		.title = "Where figures differ from those of torch-tb-profiler, and why",
		.caption = "Deliberate differences that can concern these traces",
		.columns = columns,
		.list = list,
		.count = sizeof list / sizeof *list,
		.all_must_hold = true,
	};

	tp_differences_fold(doc, section, &plugin, concerns_of(ctx));
}
