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
		"by correlation, then by the call's place in time",
		"It does not know the categories introduced by torch 1.11.", DEVICE | SINCE_1_11},
	{"Device time of operators, torch 1.11 to 2.1", "0, or that of arbitrary operators",
		"by correlation, then by the call's place in time",
		"Up to 2.1 a kernel's External id is its correlation number, which matches an operator's "
		"only by chance; host self times came out negative.",
		DEVICE | SINCE_1_11},
	{"Driver launches (cuLaunchKernel)", "no operator's", "those of the calling operator",
		"cuBLASLt and Triton launch through the driver.", DEVICE | SINCE_1_11},
	{"Kernels launched before the trace", "the root's, or not listed",
		"listed separately, as no operator's", "The launching call is not in the file.",
		DEVICE | BEFORE},
	{"Host self time of an operator", "excludes runtime calls that name it",
		"excludes runtime calls that it made",
		"Some calls name no operator, or one that had ended.", DEVICE | SINCE_1_11},
	{"Runtime calls of an operator that is its same-named caller's only child",
		"the caller's are lost", "both are kept",
		"Both are one call; its device time is what either launched.", DEVICE},
	{"Total time of a recursive operator, e.g. aten::copy_ in aten::copy_",
		"of each call, so it counts twice", "once",
		"The inner call is part of the outer one's time; shares came out above 100 %.", ALL},
	{"Operators that could use tensor cores", "as of torch 1.9",
		"also convolution_backward, attention, _scaled_mm and the like",
		"Names changed; autograd nodes are numbered since 1.10.", DEVICE | SINCE_1_11},
	{"Kernels on tensor cores", "names up to Ampere", "also Hopper, Blackwell, AMD and attention",
		"Its list of names ends in 2021; kernels named as plain arithmetic do not count.", DEVICE},
	{"Means of zero-length kernels", "0", "unweighted", "Weights of 0 give no mean.", DEVICE},
	{"Occupancy and blocks per SM on AMD", "missing", "from the launching call's grid and block",
		"ROCm writes them there.", DEVICE | AMD},
	{"MTIA device work", "none",
		"dma_request is a copy, event_wait and event_record are waits, the rest kernels",
		"It all has one category, mtia_ccp_events, which kineto counts as kernels. HTA also treats "
		"dma as memory (its pattern ^dma); an event_wait names the stream it waits for, like "
		"cuda_sync.",
		DEVICE | MTIA},
	{"Call stacks", "none", "rebuilt from Python functions",
		"Since torch 1.11 operators carry none.", SINCE_1_11 | STACKS},
	{"Stacks of an operator", "distinct by every frame", "distinct by program lines and modules",
		"Library frames show nothing that you could change.", STACKS},
	{"Waits for DataLoader, release 0.4.3", "0", "measured",
		"It drops annotations, which they are since torch 1.12.", SINCE_1_11},
	{"Number of steps", "includes GPU annotations of steps", "host steps",
		"A step's annotation on a stream is not another step.", DEVICE | SINCE_1_11},
	{"Parts of a fully covered step", "more than the step", "sum to the step",
		"It starts over when nothing is left to cover.", ALL},
	{"Steps of traces without operators", "one, from 2⁶⁴ − 1 to 0", "none, with the reason",
		"The minimum of nothing is not a time.", ALL},
	{"Start of the first step", "moved by any device work whose launch is not in the trace",
		"moved only if the launch's number shows that it came before",
		"If launches of the step itself are missing, the step would start at its end.",
		DEVICE | BEFORE},
	{"Kernel time on tensor cores", "of kernels launched by operators", "of all kernels",
		"Kernels launched before the trace take time too.", DEVICE},
	{"Mixed-precision recommendation", "even with tensor cores in use, even for 0 %",
		"if matmuls without them take 10 % of kernel time",
		"Time that cannot be saved is no reason to act.", DEVICE},
	{"Communication of gloo", "five operations", "all of them", "It knows no others.", DISTRIBUTED},
	{"Communication", "five operations, host span", "device time of all collective kernels",
		"The host span is the launch; all-to-all, send, receive and newer names are missing and "
		"count as computation.",
		DISTRIBUTED},
	{"Transfer and waiting if workers have different numbers of collectives", "neither",
		"for the common ones",
		"Captures start and end at different collectives; the rest match by group and order.",
		DISTRIBUTED},
	{"Transfer and waiting, with one worker of several", "all of it transfer", "–, with the reason",
		"It needs the other workers' traces.", DISTRIBUTED},
	{"Waiting in a step", "all the time of its collectives", "within the step",
		"A collective may end in the next step.", DISTRIBUTED},
	{"Computation that overlaps communication, without kernels", "operators and user-named ranges",
		"operators", "A range around the backward pass includes the wait for its last all-reduce.",
		DISTRIBUTED},
	{"Barriers", "computation", "communication, neither transfer nor waiting for data",
		"They move no data.", DISTRIBUTED},
	{"Size of a collective", "0 where shapes are missing", "from the collective's own arguments",
		"It reads only tensor shapes.", DISTRIBUTED},
	{"Memory of AMD, Intel, Apple and other devices", "missing", "as on any device",
		"It knows only CPU and CUDA device types.", MEMORY | OTHER_MEMORY},
	{"Device memory beside the curve", "missing", "a line, and the peak's share",
		"The field it reads is never set.", MEMORY},
	{"Memory peak of a small model", "Peak Memory Usage: 0.0MB", "in a suitable unit",
		"Its unit is fixed.", MEMORY},
	{"Memory curve", "10,240 points", "min and max per interval",
		"The peak may be among the points left out.", MEMORY},
	{"Freeing memory", "ends the allocation at that address on any device", "on the same device",
		"Host and device addresses may coincide.", MEMORY},
	{"Memory in nested calls of one operator",
		"counted for each, if the outer one also calls others", "counted once",
		"The sum would exceed what was allocated.", MEMORY},
	{"Memory allocated outside operators", "<unknown>, and not in the statistics",
		"under the user-named range, else (no operator)",
		"Optimisers and DataLoaders are such ranges.", MEMORY},
	{"Host self time of the outermost module", "excludes every call that names no operator",
		"excludes the operators and modules in it",
		"It treats calls without an External id as the module's, wherever they are; the time came "
		"out negative.",
		MODULES | DEVICE},
	{"Modules used in several places", "the total, in each place",
		"the calls made there, in each place", "The parts would exceed the whole.", MODULES},
	{"Modules recomputed in the backward pass", "missing", "a separate place",
		"Activation checkpointing calls them on autograd's thread; it only looks at the first.",
		MODULES},
	{"Backward pass of modules", "only in the operator tree, by the trace's arrows",
		"with the forward pass, by sequence numbers",
		"Its latest source knows only the arrows' new name, its release only the old one.",
		MODULES | SINCE_1_11},
	{"User-named ranges in the operator tree", "left out", "kept",
		"They show which part of the program an operator belongs to.", SINCE_1_11},
	{"Lightning hooks and modules", "none since torch 1.12", "from both categories",
		"Since then they are annotations, which it ignores.", LIGHTNING},
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
		.caption = "Deliberate differences from other tools that may affect these traces",
		.columns = columns,
		.list = list,
		.count = sizeof list / sizeof *list,
		.all_must_hold = true,
	};

	tp_differences_fold(doc, section, &plugin, concerns_of(ctx));
}
