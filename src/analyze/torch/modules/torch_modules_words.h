/* The fixed texts of the section Modules of PyTorch's traces. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_TORCH_MODULES_WORDS_H
#define TP_ANALYZE_TORCH_MODULES_WORDS_H

/* What it says first: which class of modules takes most time, … */
static const char text_top_class[] =
	"{} of class `{torch.module.top_class.name}` {} {torch.module.top_class.share} of all "
	"modules' {} time.";
/* … and which module. */
static const char text_top_module[] =
	"Of {} in {}, `{torch.module.top.name}` takes most, {torch.module.top.share}, excluding the "
	"modules it calls.";
static const char text_no_modules[] = "No module calls were recorded.";
static const char text_capture_stack[] = "Capture with `with_stack=True` to see them.";

/* Flame graph and tree; what each is of. */
static const char what_modules[] = "modules of %.*s";
static const char what_hooks[] = "Lightning hooks in %.*s";
static const char what_operators[] = "ranges and operators on the main thread of %.*s";
static const char title_hooks[] = "Lightning hooks";
static const char title_operators[] = "Operator tree of the main thread of %.*s";
static const char text_flame_alt[] =
	"Flame graph: %s by caller, width is %s time, %.*s in total; the widest in the first row, "
	"%.*s, takes %.*s.";
static const char text_whose_top[] = "Chart and tree: {} alone, where `{}` takes most, {}.";
static const char text_whose[] = "Chart and tree: {} alone.";
static const char text_backward_lost[] =
	"{} without a forward operator by sequence number: in no module.";
static const char text_folded[] = "{} deeper than {} levels count as own time of their callers.";
static const char text_left_out[] =
	"{} without a tree here: report on one of them to see its modules.";

/* Tables. */
static const char caption_classes[] =
	"Modules by class, over all workers and spans, excluding the modules they call";
static const char caption_tree[] =
	"%c%s by caller, in order of the first call; times are sums over calls";
static const char title_without_called[] = "Without called %s";
static const char title_device_without_called[] = "Device, without called %s";
static const char title_host_without[] = "Host, without operators";

/* Why a figure is missing. */
static const char why_no_calls[] = "no calls of modules";
static const char why_no_module_time[] = "no module took any time";
static const char why_no_module_calls[] =
	"the trace holds no module calls: capture with with_stack=True";
static const char why_no_device_work[] = "no device work was launched in any of them";
static const char why_no_backward[] =
	"the trace links no autograd function to a forward operator in a module";
static const char why_only_parts[] = "only its parts are called";
static const char why_rows[] = "each is a row";
static const char why_no_time[] = "nothing took any time";

/* How figures are computed. */
static const char how_count[] =
	"modules called, by name and number, counted once over all workers and spans";
static const char how_calls[] =
	"python_function events of nn.Module, else spans of Lightning's profiler; all workers and "
	"spans";
static const char how_top[] =
	"by own time: its calls minus the modules they call; device time if recorded, else host time";
static const char how_top_share[] =
	"of the own time of all modules, which is the time of the outermost";
static const char how_top_class[] = "by the summed own time of a class's modules";
static const char how_top_class_share[] = "of the own time of all modules";
static const char how_modules[] =
	"A module call is a python_function event of an nn.Module. Its caller is the enclosing "
	"function on its thread, else the one named by its parent id. Calls of the same module from "
	"the same caller share a row. Operators: the outermost ones in a module and in no module "
	"below it. Host, without operators: its calls minus these operators and the modules directly "
	"below it. Device: all device work launched in it. Without called modules: device work "
	"launched in no module below it; if there is none, host time minus that of modules below it, "
	"which is also called own time. Backward: autograd functions whose forward operator, by "
	"sequence number and thread, is in the module; an AccumulateGrad goes with the preceding "
	"function; collectives it starts are left out.";
static const char source_modules[] =
	"events of categories python_function, user_annotation and cpu_op";

#endif
