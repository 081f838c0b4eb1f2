/* The shapes of what nodes of a dump give. A node's are found once, when one of them is first asked for: a node with very many outputs may be the
 * input of very many nodes. */
#ifndef TP_MODEL_TFPROF_OUTPUTS_H
#define TP_MODEL_TFPROF_OUTPUTS_H

#include "base/buf.h"
#include "base/map.h"
#include "model/tfprof.h"

struct tp_arena;

struct tp_tfprof_outputs {
	const struct tp_tfprof *tfprof;
	struct tp_arena *arena; /* its own */
	struct tp_map nodes;    /* index of a node → its list in `lists` */
	struct tp_buf lists;
};

void tp_tfprof_outputs_open(const struct tp_tfprof *t, struct tp_tfprof_outputs *outputs);
void tp_tfprof_outputs_close(struct tp_tfprof_outputs *outputs);

/* The dimensions of an input, int64_t in the buf; none: unknown. */
void tp_tfprof_input_shape(
	struct tp_tfprof_outputs *outputs, const struct tp_tfprof_input *input, struct tp_buf *dims);

#endif
