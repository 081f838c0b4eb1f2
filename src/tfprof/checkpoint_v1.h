/* Checkpoints of TensorFlow, version 1: one table with shapes and values (tensorflow/core/util/saved_tensor_slice.proto). */
#ifndef TP_TFPROF_CHECKPOINT_V1_H
#define TP_TFPROF_CHECKPOINT_V1_H

#include "base/err.h"
#include "base/slice.h"

struct tp_arena;
struct tp_buf;

/* Adds the variables of a file to a buf of struct tp_variable; their values are copied into arena. */
enum tp_status tp_checkpoint_v1_read(const char *path, struct tp_slice file, struct tp_arena *arena,
	struct tp_buf *variables, struct tp_err *err);

#endif
