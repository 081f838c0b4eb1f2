/* The fixed texts of the part TPU compatibility. {} and {id} take figures, as TP_SAY does. Why an operation is not compatible: tpu_reason.c. */
#ifndef TP_ANALYZE_GRAPH_TPU_WORDS_H
#define TP_ANALYZE_GRAPH_TPU_WORDS_H

#include "analyze/graph/tpu_compat.h"

/* What it says first. */
static const char title_tpu[] = "TPU compatibility, an estimate";
static const char text_nothing_judged[] = "*Nothing is judged: {}.*";
static const char text_all_could[] = "*Judged by operation, all of the {} could run on a TPU.*";
static const char text_some_could[] =
	"*Judged by operation, {graph.tpu.compatible_share} of the {} could run on a TPU.* "
	"{graph.tpu.incompatible} could not: ";
/* Whether it matters. */
static const char text_tpu_named[] = " The job names a TPU.";
static const char text_tpu_not_named[] = " Nothing says that the job targets one.";
static const char text_tpu_needed[] =
	" The job names a TPU: such operations stop the compiler there, or must stay outside the "
	"compiled program.";
static const char text_tpu_porting[] =
	" Nothing says that the job targets a TPU: this is what porting it would run into.";

/* Verdicts. */
static const char *const class_texts[TP_TPU_CLASS_COUNT] = {
	[TP_TPU_COMPATIBLE] = "compatible",
	[TP_TPU_INCOMPATIBLE] = "incompatible",
	[TP_TPU_SAVE_RESTORE] = "save and restore",
	[TP_TPU_SUMMARY] = "summaries",
	[TP_TPU_INPUT] = "input: files, queues, tf.data",
	[TP_TPU_SYSTEM] = "the host side of a TPU",
	[TP_TPU_ORDER] = "fed values, calls, order only",
	[TP_TPU_PLACED] = "manually placed on another device",
	[TP_TPU_NO_OP] = "without an operation",
};

static const char text_estimate[] =
	"An estimate from XLA's list of TPU kernels as of {}, {} operations, included in TensorBoard "
	"{}. Data types and attributes are ignored.";
static const char text_tensorboard[] =
	"TensorBoard, which treats unjudged nodes as compatible and ignores functions, counts "
	"{graph.tpu.tensorboard.valid} of {} nodes, {graph.tpu.tensorboard.valid_share}.";
static const char text_devices_placed[] =
	"The graph says where operations ran, not where they were requested to run, so no operation is "
	"exempt because of its device.";

/* Tables; their columns: tpu_columns.h. */
static const char caption_verdicts[] = "Every node of the graph and its functions, by verdict";
static const char caption_kinds[] = "Operations not in the list";
static const char caption_kinds_counted[] =
	"Operations not in the list: first those that count against the graph";
static const char text_instead[] =
	"`tf.compat.v1.enable_resource_variables()`, called before building the graph, makes all "
	"variables resource variables; `tf.compat.v1.tpu.outside_compilation` leaves operations of a "
	"TPU program to the host.";
static const char caption_tpu_scopes[] =
	"Scopes, each including nested ones; shares are of judged nodes. Scopes with incompatible "
	"nodes come first, others are not expanded";
static const char caption_nodes_counted[] =
	"Where these operations are: incompatible ones first, in graph order";
static const char caption_nodes[] = "Where these operations are, in graph order";

/* Why nothing is judged, or a figure is missing. */
static const char why_layers[] = "the graph holds Keras layers, not operations";
static const char why_host_or_placed[] =
	"every operation is host work or manually placed on another device";
static const char why_host[] = "every operation is host work";
static const char why_tensorboard_not[] = "TensorBoard does not read tfprof dumps";
static const char why_no_node[] = "no node";
static const char why_not_tpu_work[] = "it is not TPU work";
static const char why_nothing_to_judge[] = "it holds only host work or manually placed nodes";
static const char why_no_name[] = "the node has no name";
static const char why_no_scope[] = "it is in none";
static const char why_no_device[] = "none recorded";
static const char why_not_said[] = "the file does not say";

/* How figures are computed. */
static const char how_tpu[] =
	"A node is judged by its operation's name: whether it is in the list in TensorBoard's graph "
	"plugin (tf_graph_common/op.ts, Apache License 2.0), where Google keeps the operations that "
	"have a TPU kernel. Not judged are nodes placed on a device without TPU in its name or left to "
	"the host (outside_compilation), host work (saving and restoring, summaries, files, queues, "
	"tf.data, feeding and setting up TPUs) and nodes that only order others. A scope named save "
	"that writes or reads checkpoints is host work as a whole. Function bodies are judged too, "
	"unless only tf.data or nodes placed elsewhere call them; the tree marks functions that are "
	"never called.";

#endif
