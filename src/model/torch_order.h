/* The traces of PyTorch in order, when all files have been read. */
#ifndef TP_MODEL_TORCH_ORDER_H
#define TP_MODEL_TORCH_ORDER_H

#include <stdint.h>

struct tp_profile;
struct tp_torch;
struct tp_torch_trace;

/* Sorts the traces by run, worker and span, numbers spans and cleans texts. NULL when count is 0. Memory from p->arena; p->ops
 * are not needed. */
struct tp_torch *tp_torch_in_order(
	struct tp_profile *p, struct tp_torch_trace *const *traces, uint32_t count);

#endif
