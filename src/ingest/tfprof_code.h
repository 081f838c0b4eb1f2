/* Where a program made the nodes of a graph: call stacks in dumps and op logs of tfprof (CodeDef of
 * tensorflow/core/profiler/tfprof_log.proto). */
#ifndef TP_INGEST_TFPROF_CODE_H
#define TP_INGEST_TFPROF_CODE_H

#include "base/map.h"
#include "base/slice.h"

struct tp_arena;

struct tp_tfprof_text {
	struct tp_slice text;
	bool of_framework; /* a file of TensorFlow's or Keras' own */
};

/* The texts that frames name by number. */
struct tp_tfprof_code {
	struct tp_arena *arena;
	struct tp_map numbers; /* → index in texts */
	struct tp_tfprof_text *texts;
};

/* field: of id_to_string in the message, 4 in a dump and 2 in a log. Texts point into the message. */
struct tp_tfprof_code tp_tfprof_code_open(
	struct tp_slice message, uint32_t field, struct tp_arena *arena);

/* "/home/me/train.py:17 (conv_layer)": the innermost frame of a CodeDef that is not in TensorFlow or Keras, in the arena; empty:
 * there is none, or its texts are missing. */
struct tp_slice tp_tfprof_place(const struct tp_tfprof_code *code, struct tp_slice code_def);

#endif
