/* Whether one operation of a TensorFlow graph runs on a TPU: by TensorBoard's rule, and by ours. */
#ifndef TP_ANALYZE_TPU_RULE_H
#define TP_ANALYZE_TPU_RULE_H

#include "analyze/graph/tpu_ops.h"

#include <stdint.h>

struct tp_arena;

enum tp_tpu_class {
	TP_TPU_COMPATIBLE,
	TP_TPU_INCOMPATIBLE,
	/* Not judged. */
	TP_TPU_SAVE_RESTORE, /* reads or writes checkpoints */
	TP_TPU_SUMMARY,      /* writes summaries */
	TP_TPU_INPUT,        /* reads and decodes input: files, queues, tf.data */
	TP_TPU_SYSTEM,       /* sets TPUs up, or feeds and empties them from the host */
	TP_TPU_ORDER,        /* a value from outside, a call, or nothing but an order */
	TP_TPU_PLACED,       /* put by hand on a device that is no TPU, or left to the host */
	TP_TPU_NO_OP,        /* without an operation */
	TP_TPU_CLASS_COUNT,
};

/* What the rules look at. */
struct tp_tpu_node {
	struct tp_slice name, op, device; /* "layer/MatMul", "MatMul", "/job:worker/device:TPU:0" */
	bool in_function;                 /* in the body of a function of the graph's library */
	bool in_saver;                    /* in a saver's scope or function */
	bool outside;                     /* left to the host by hand: outside of what is compiled */
	enum tp_tpu_class
		host;   /* of a function that only the host runs: as it is judged; else TP_TPU_COMPATIBLE */
	bool calls; /* op is the name of a function of the library */
};

/* TensorBoard's rule (TpuCompatibilityProvider.opValid): true also for whatever it does not judge. The first that holds
 * decides: in the function library; no operation; a device that has "cpu:" or "gpu:" or lacks "tpu", in any case of letters;
 * a device with TPU_SYSTEM; in the list. */
bool tp_tpu_valid(const struct tp_tpu_node *node, enum tp_tpu_list list);

/* Ours: work of the host is told apart before the list is asked, and bodies of functions are judged as well, for in graphs of
 * TensorFlow 2 hardly anything stands outside of them. */
enum tp_tpu_class tp_tpu_class_of(const struct tp_tpu_node *node, enum tp_tpu_list list);

/* How functions are judged that a node of the host calls, for it or something like it; TP_TPU_COMPATIBLE: by themselves. */
enum tp_tpu_class tp_tpu_called(const struct tp_tpu_node *node, enum tp_tpu_list list);

/* Whether its device or its operation names a TPU: then the job is likely meant for one. */
bool tp_tpu_is_for_tpu(const struct tp_tpu_node *node);

/* Whether a scope, "save" or "tower/save_1", or a function that directly holds an operation of this kind is a saver's, and so
 * everything in it work of the host. By its name alone a layer could be taken for one, and by the operation alone a whole model
 * could be let off. */
bool tp_tpu_is_saver(struct tp_slice scope_or_function, struct tp_slice op);

/* Why an operation is not in the list, and what to use in its place (empty where that is not certain). Allocated in a or
 * static. */
struct tp_tpu_reason {
	struct tp_slice why, instead;
};
struct tp_tpu_reason tp_tpu_reason(struct tp_slice op, enum tp_tpu_list list, struct tp_arena *a);

#endif
