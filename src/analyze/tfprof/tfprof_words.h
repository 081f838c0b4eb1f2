/* The fixed texts of the section tfprof. {} and {id} take figures, as TP_SAY does; %s as printf. How it differs from the original stands in
 * the table of tfprof_differences.c; why several figures are missing: tfprof.h. */
#ifndef TP_ANALYZE_TFPROF_TFPROF_WORDS_H
#define TP_ANALYZE_TFPROF_TFPROF_WORDS_H

/* What it says first, … */
static const char text_graph_only[] = "The dump holds a graph, and no step that ran.";
static const char text_graph_gives[] =
	"It gives shapes and {tfprof.float_ops} by registered counts.";
static const char text_total[] = "Operations take {tfprof.total_us} {}, {} of it in `{}`.";
static const char text_no_time[] = "No operation took time.";
static const char text_nodes_run[] = "{} of {} ran, in {} of `{}`.";
static const char text_without_first[] =
	" Figures exclude the first step, which may also build kernels: operations took {} in it.";
/* … and what its figures lack. */
static const char text_no_stream[] =
	"Nodes ran on a GPU, but nothing was recorded of its streams: accelerator time is missing, and "
	"CPU time there is the time to launch.";
static const char text_untimed[] =
	"Nodes also ran on {}: TensorFlow's tfprof keeps no time of such a device in a dump. A report "
	"of the graph with RunMetadata counts it.";
#define FUSED                                                                                         \
	"By the shape of its input, fused batch normalisation takes {} per step, listed in the table of " \
	"operations; TensorFlow's tfprof counts none for it"
static const char text_fused[] = FUSED ".";
static const char text_fused_uncounted[] = FUSED ", and so they are not in {tfprof.float_ops}.";
static const char text_lost[] =
	"{} left out: without a name, cut off, or with the same name as another.";
static const char text_unaccounted[] =
	"Gradients of {} are in no line of code: the dump does not say where they were created.";

/* On the first screen. */
static const char title_where[] = "Where operation time goes";
static const char text_where_step[] = "step {}, {} = *{tfprof.total_us}*";
static const char text_where_mean[] = "mean of {}{}, {} = *{tfprof.total_us}*";
static const char text_strip_mean[] = "Operation time of the mean step by type of operation.";
static const char text_strip_alt[] =
	"Operation time of the %u steps that were traced, by type of operation; most in step %.*s: "
	"%.*s.";

/* Operations, and dumps; columns of all tables: tfprof_columns.h. */
static const char caption_operations_graph[] =
	"Operations by type, most floating-point operations first";
static const char caption_operations_by_node[] = "Operations by node, per step, longest first";
static const char caption_operations[] = "Operations by type, per step, longest first";
static const char text_dumps_alt[] = "Operation time per step of each dump";
static const char caption_dumps[] = "Dumps of the run";
static const char caption_shapes[] =
	"Operations that ran, by the shapes of their inputs, per step, longest first";
/* Scopes and parameters. */
static const char caption_scopes[] =
	"Name scopes by time per step: each node itself, and in total with all that it contains";
static const char text_tree_left_out[] =
	"{} left out, each with less than any row shown, or with nothing.";
static const char text_slots[] =
	"The optimiser keeps {} in {} beside these parameters, which do not count as parameters.";
static const char caption_parameters[] = "Parameters of trained variables, by scope";
static const char caption_variables[] =
	"Elements of variables, by scope; the dump does not say which are trained";
/* Lines of code. */
static const char text_made_alt[] =
	"Operation time: of nodes that the program made %.*s, of nodes made for gradients %.*s";
static const char text_flame[] =
	"*Operation time by call stack*, {} per step: a bar is a line of code, as wide as the time of "
	"the nodes made there and in the lines below it, which it called.";
static const char text_flame_alt[] =
	"Flame graph: operation time by call stack, %.*s in total; first below the whole %.*s, %.*s";
static const char caption_lines[] =
	"Lines of the program's own files by the time of the nodes made there";
static const char caption_lines_by_nodes[] =
	"Lines of the program's own files by the number of nodes made there";
static const char text_no_code[] =
	"The dump does not say in which lines of code its nodes were made.";

/* What the checkers say. */
static const char text_no_accelerator[] = "Not applicable: no node ran on an accelerator.";
static const char text_busy[] = "%.*s: busy %.*s of its last step";
static const char text_no_graph[] = "–, because no graph was given.";
static const char text_unfused[] =
	"Unfused batch normalisation: FusedBatchNorm may be faster (%.*s).";
static const char text_nhwc[] = "NHWC on a GPU: NCHW may be faster (%.*s).";
static const char text_nothing_found[] = "Nothing found.";
static const char text_no_step_ran[] = "Not applicable: no step ran.";
static const char text_google[] = "Looks at jobs inside Google; elsewhere it has no data.";
static const char caption_advice[] = "Advice of tfprof's checkers";
static const char title_differences[] = "Where this differs from TensorFlow's tfprof, and why";
static const char caption_differences[] =
	"Deliberate differences; tpreport tfprof itself prints what the original prints";

/* Why a figure is missing. */
static const char why_no_operation_time[] = "no operation took time";
static const char why_no_line_time[] = "no line of code took time";
static const char why_nothing_timed_and_counted[] =
	"no node has both time and a count of float operations";
static const char why_no_inputs[] = "it takes nothing";
static const char why_no_accelerator_time[] = "the dump holds no time of an accelerator";
static const char why_no_parameters[] = "there are no parameters";
static const char why_not_in_name[] = "the file name does not say";
static const char why_no_limit[] = "it has no limit";
static const char why_scope[] = "a scope";

/* How figures are computed. */
static const char how_tfprof[] =
	"Figures are those of tfprof's views. Within a step, all runs of a node are summed; over "
	"steps, each figure is the mean of the steps in which the node ran, cut to a whole number. "
	"Where three steps or more were traced, the first is left out, as it may also build kernels; "
	"tfprof itself, and so tpreport tfprof, takes the mean over all. Times are sums over threads "
	"and devices, not wall time: CPU time is that between start and end on a CPU or on a GPU's "
	"host, accelerator time that of a GPU's streams. A rate is that of nodes with both time and a "
	"count of float operations, by accelerator time where there is any. Optimiser slots are "
	"variables of their variable's shape, by the operation that updates both, or by their name; "
	"sizes are elements by the size of their type. Parameters are the products of shapes. "
	"Floating-point operations are the registered count × runs, once for nodes that never ran. "
	"Gradients stand on the line of the node that they are the gradient of. Of several dumps, the "
	"section shows one in the folder of the reported graph: the one with the highest step.";

#endif
