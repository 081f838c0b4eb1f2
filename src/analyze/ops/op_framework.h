/* Operations of the framework (TensorFlow, JAX), added up from the device operations that they became. */
#ifndef TP_ANALYZE_OP_FRAMEWORK_H
#define TP_ANALYZE_OP_FRAMEWORK_H

#include "analyze/ops/ops.h"

/* Fills in o->frameworks from o->ops. */
void tp_op_frameworks(const struct tp_pass_ctx *ctx, struct tp_ops *o);

#endif
