/* The fixed texts of the section Kernels. {} and {id} take figures, as TP_SAY does; %s as printf. Copies by name: copies.c. */
#ifndef TP_ANALYZE_KERNELS_KERNELS_WORDS_H
#define TP_ANALYZE_KERNELS_KERNELS_WORDS_H

/* What it says first: which kernel takes most, … */
static const char text_longest_of_name[] =
	"Kernels named `{}` take {} of kernel time; all kernels of the trace took {} in {}.";
static const char text_longest[] =
	"`{}` takes {} of kernel time; all kernels of the trace took {} in {}.";
static const char text_longest_given[] = "`{}` takes {} of kernel time, more than any other.";
static const char text_no_launches[] = "The profile does not say how kernels were launched.";
static const char text_same_name[] =
	"Kernels grouped by name, regardless of template arguments: {} of {} kernels.";
/* … and whether tensor cores are used. */
static const char text_tensor_untold[] =
	"Kernels that may use tensor cores take {}; their names do not say whether they do.";
static const char text_tensor_none_could[] =
	"None uses tensor cores, and none belongs to an operation that could.";
static const char text_tensor_none_no_operations[] =
	"None uses tensor cores; the profile does not say which operations they belong to.";
static const char text_tensor[] = "{} of kernel time uses tensor cores.";
static const char text_tensor_could[] = "None uses tensor cores; {} of kernel time could.";
static const char text_tensor_some_could[] =
	"{} of kernel time uses tensor cores, {} could and does not.";
static const char text_occupancy_differs[] =
	"For {}, the occupancy that the profile states differs from the one computed from registers, "
	"shared memory and threads; the table shows the profile's.";
static const char text_graphs[] =
	"{} ran in CUDA graphs, started by {}: their operator is the one that launched the graph.";

/* Tables. */
static const char text_chart_alt[] =
	"Share of kernel time of the %zu longest %s, all launches together; the first, %.*s, takes "
	"%.*s.";
static const char title_names[] = "By kernel name";
static const char caption_names[] = "Kernels by time, over all GPUs of %.*s";
static const char caption_some_names[] = "The %zu longest of %zu kernels, over all GPUs of %.*s";
static const char title_launches[] = "By launch configuration and operator";
static const char caption_launches[] = "Kernels by time and launch configuration, over all GPUs";
static const char caption_given[] = "Kernels, precomputed by the profiler";
static const char title_copies[] = "Copies and memsets";
static const char caption_copies[] = "Copies and memsets by direction and memory, over all GPUs";

/* Why a figure is missing, … */
static const char why_types_differ[] = "it ran on different types of GPU";
static const char why_no_time[] = "no time";
static const char why_no_kernel_time[] = "no kernel took time";
static const char why_took_no_time[] = "the kernels took no time";
static const char why_not_said[] = "the tool file does not say";
static const char why_not_stated[] = "the profile does not state it";
static const char why_no_call[] = "the trace does not say which call launched it";
static const char why_before_trace[] = "launched before the trace began";
static const char why_outside_operators[] = "launched outside of operators";
static const char why_before_or_outside[] =
	"launched before the trace began, or outside of operators";
static const char why_several_rows[] = "several rows";
static const char why_no_bytes[] = "the profile does not state their bytes";
static const char why_no_copy_time[] = "they took no measurable time";
static const char why_no_operations[] =
	"the profile does not say which operations kernels belong to";
static const char why_no_launch_calls[] = "the profile holds no launch calls of the host";
/* … or the whole section. */
static const char why_no_gpu[] = "the profile holds no GPU";
static const char why_no_launch_details[] = "no GPU event says how its kernel was launched";

/* How figures are computed, and of what. */
static const char how_kernels[] =
	"Kernels are GPU-stream events of at least a nanosecond with launch details. A row is one "
	"launch configuration (grid, block, registers, shared memory) of a kernel for one framework "
	"operation, if known; times are sums over calls and GPUs, and streams may overlap. Occupancy "
	"is the share of a multiprocessor's warps that the blocks can fill: as stated by the profile, "
	"else from a block's threads, registers and shared memory and the limits of the GPU's "
	"generation. Blocks per SM: blocks of the grid over multiprocessors; below 1 some are idle. "
	"Tensor cores (AMD: matrix cores): \"used\" by the kernel's name, \"not used\" if the "
	"operation is a matmul or convolution that could use them, \"possible\" for compiler-generated "
	"kernels whose name does not say.";
static const char how_torch[] =
	"Rows by name cover all launches of a kernel; below, one launch configuration (grid, block, "
	"registers, shared memory) from one operator. Times are sums over calls, GPUs, workers and "
	"spans, and streams may overlap. The operator is the one that made the runtime or driver call "
	"with the kernel's correlation number; kernels whose call is not in the trace were launched "
	"before it began. Occupancy: the profiler's estimate of achieved occupancy, the smaller of "
	"theoretical occupancy and the grid's threads over those that all multiprocessors hold; "
	"without it (ROCm), the same from grid and block, an upper bound as registers are not "
	"recorded. Means of occupancy and blocks per SM (blocks of the grid over multiprocessors; "
	"below 1 some are idle) are weighted by time. Tensor cores (AMD: matrix cores): \"used\" by "
	"the kernel's name, \"not used\" if the operator is a matmul, convolution or attention that "
	"could use them, \"possible\" for compiler-generated kernels whose name does not say.";
static const char source_torch_kernels[] = "events kernel, gpu_memcpy, gpu_memset";
static const char source_kernels[] =
	"events of GPU streams, their kernel_details and memcpy_details";

#endif
