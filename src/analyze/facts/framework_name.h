/* Names of framework operations: "model/dense/MatMul:MatMul" is an operation "model/dense/MatMul" of type "MatMul". */
#ifndef TP_ANALYZE_FRAMEWORK_NAME_H
#define TP_ANALYZE_FRAMEWORK_NAME_H

#include "base/slice.h"

enum tp_op_family {
	TP_FAMILY_NONE, /* not the name of a framework's operation */
	TP_FAMILY_TENSORFLOW,
	TP_FAMILY_JAX,
	TP_FAMILY_DATASET, /* tf.data: "Iterator::Batch::Map" */
	TP_FAMILY_COPY,    /* "MemcpyHToD" */
};

struct tp_framework_name {
	enum tp_op_family family;
	struct tp_slice name, type; /* NONE: the whole text, and no type */
};

/* What an event's name or an operation's tf_op says. */
struct tp_framework_name tp_framework_name(struct tp_slice text);

/* Whether that is what XLA puts around a whole module, or around every thunk: it names no operation. */
bool tp_framework_is_wrapper(struct tp_slice name);

#endif
