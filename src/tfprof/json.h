/* A view as JSON: the message that TensorFlow's profiler answers with (tfprof_output.proto), as protobuf writes it, with the names of
 * its fields. */
#ifndef TP_TFPROF_JSON_H
#define TP_TFPROF_JSON_H

#include "tfprof/line.h"

struct tp_checkpoint;
struct tp_sink;

/* checkpoint: whose values are shown; NULL: none. */
void tp_tfprof_put_json(const struct tp_tfprof *t, const struct tp_tfprof_view *view, int64_t step,
	const struct tp_checkpoint *checkpoint, struct tp_sink *out);

#endif
