/* The fixed texts of the section Operators of PyTorch's traces. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_TORCH_OPS_WORDS_H
#define TP_ANALYZE_TORCH_OPS_WORDS_H

/* What it says first: which operator takes most time, … */
static const char text_top_on_device[] = "`{}` takes {} of device time, the most of {} in {}.";
static const char text_top_on_host[] =
	"`{}` takes {} of the host time of operators, the most of {} in {}.";
static const char text_no_operators[] = "No operators were recorded.";
static const char text_capture_operators[] =
	"`torch.profiler.profile(activities=[ProfilerActivity.CPU, …])` records them.";
/* … and what device work belongs to none. */
static const char text_launched_before[] = "{} of device time was launched before the trace began";
static const char text_launched_before_too[] = ", {} was launched before the trace began";
static const char text_no_call[] = "{} of device time names no launching call";
static const char text_no_call_too[] = ", {} names no launching call";
static const char text_outside[] = "{} of device time was launched outside operators";
static const char text_outside_too[] = ", {} was launched outside operators";
static const char text_no_operator[] = "; it counts for no operator.";

/* What was not recorded. */
static const char text_no_stacks[] =
	"Call stacks were not recorded: use `torch.profiler.profile(with_stack=True)`.";
static const char text_no_shapes[] =
	"Input shapes were not recorded: use `torch.profiler.profile(record_shapes=True)`.";
static const char text_no_shapes_no_stacks[] =
	"Input shapes and call stacks were not recorded: use "
	"`torch.profiler.profile(record_shapes=True, with_stack=True)`.";

/* Charts. */
static const char title_device_self[] = "Device time, self";
static const char title_device_total[] = "Device time, total";
static const char title_host_self[] = "Host time, self";
static const char title_host_total[] = "Host time, total";
static const char title_charts[] = "Charts: device total, host self, host total";
static const char title_chart[] = "Chart: host total";

/* Tables. */
static const char title_by_name[] = "By operator";
static const char title_by_shape[] = "By operator and input shape";
static const char title_by_worker[] = "By worker and span";
static const char title_flop[] = "Floating-point operations";
static const char title_stacks[] = "Call stacks";
static const char caption_by_name[] = "Operators by self time, over %.*s";
static const char caption_by_shape[] = "Operators by input shapes, by self time";
static const char caption_by_worker[] = "Operators of each worker and span; self times are summed";
static const char caption_flop[] = "Operators with known FLOP, by input shapes, most FLOP first";
static const char caption_stacks[] =
	"Where operators are called from, by self time: program lines and modules, outermost first, "
	"and the calling function";
static const char text_elsewhere[] = "from elsewhere, or without a stack";

/* Why a figure is missing. */
static const char why_none_launched[] = "no device work was launched by an operator";
static const char why_no_work[] = "the trace holds no device work";
static const char why_no_work_of_any[] = "no trace holds device work";
static const char why_no_time[] = "no time was measured";
static const char why_idle[] = "it had no device work";
static const char why_no_sum[] = "totals of several overlap";
static const char why_none[] = "the trace holds no operators";
static const char why_none_of_any[] = "no trace holds operators";
static const char why_none_here[] = "it holds no operators";
static const char why_no_shapes[] = "the trace does not record input shapes (record_shapes=True)";
static const char why_no_products[] = "no matmul, convolution or attention was recorded";
static const char why_no_flop[] =
	"the recorded input shapes give the FLOP of no matmul, convolution or attention";
static const char why_no_steps[] = "no step holds device work";
static const char why_no_flop_in_steps[] = "no step holds a call whose FLOP are known";
static const char why_little_flop[] =
	"FLOP are known for less than half of the device time of matmuls, convolutions and attention";
static const char why_not_recorded[] = "not recorded for these calls";

/* How figures are computed. */
static const char how_count[] = "distinct names, over all workers and spans";
static const char how_calls[] =
	"an operator whose only child has the same name is one call with it";
static const char how_host_self[] = "Σ self time, without runtime calls";
static const char how_device_self[] = "Σ durations of the device work that operators launched";
static const char how_top[] = "the one with the most device self time, else host self time";
static const char how_top_share[] =
	"its self time over all device work, else over the host time of operators";
static const char how_before[] =
	"Σ durations of kernels, copies and memsets whose launching call is not in the file";
static const char how_untold[] = "Σ durations of kernels, copies and memsets that name no call";
static const char how_no_operator[] =
	"Σ durations of kernels, copies and memsets whose launching call is in no operator";
static const char how_flop[] =
	"of matmuls, convolutions and attention with recorded input shapes, forward and backward, "
	"and of compiled kernels";
static const char how_flop_rate[] = "their FLOP / their device time (without a device, host time)";
static const char how_flop_share[] = "their FLOP / (their device time × the 16-bit peak of a GPU)";
static const char how_step_rate[] = "FLOP of calls that start in steps / (time of steps × GPUs)";
static const char how_step_share[] =
	"FLOP of calls that start in steps / (time of steps × GPUs × peak); a lower bound, as other "
	"operators compute too";
static const char how_operators[] =
	"Operators are those recorded by PyTorch; nested ones are children. Host total: from start "
	"to end; host self: excluding children and its own runtime calls (CUDA, HIP). Device self: "
	"durations of the kernels, copies and memsets it launched itself, by correlation number and "
	"the launching call's time; they may overlap. Device total includes children. A call nested "
	"in one of the same name counts once in that name's total; an only child of the same name is "
	"one call with its caller. Shares of device time are of all device work, with or without "
	"operator. Tensor cores: \"used\" by a kernel's name, \"not used\" for a matmul, convolution "
	"or attention that could; TC self and TC total are the shares of its device time on them.";
static const char how_flops[] =
	"FLOP are computed from input shapes, as in torch.utils.flop_counter: matmuls, convolutions "
	"and attention, forward and backward; a multiply-add counts 2; attention masks are ignored. "
	"FLOP of compiled kernels are Inductor's. with_flops=True writes none to a trace. FLOP/s: "
	"over the total device time (without a device, host time) of the calls whose FLOP are known. "
	"Of peak: of a GPU's 16-bit peak.";
static const char source_operators[] =
	"events cpu_op, cuda_runtime, cuda_driver, kernel, gpu_memcpy, gpu_memset, python_function";

#endif
