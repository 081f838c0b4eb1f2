/* Where a trace stands in the profile: its worker's host, devices that ran something, and its lanes as lines. */
#ifndef TP_INGEST_TORCH_PLACE_H
#define TP_INGEST_TORCH_PLACE_H

#include "model/torch.h"

struct tp_builder;
struct tp_torch_meta;

/* The host of the worker whose times count from a zero not too far from middle_unix_ns, or a new one that counts from
 * begin_unix_ns. */
uint32_t tp_torch_host(struct tp_builder *b, const struct tp_torch_trace *t, int64_t middle_unix_ns,
	int64_t begin_unix_ns);

/* A trace read before that is the same but for its name and packing; NULL: there is none. */
const struct tp_torch_trace *tp_torch_copy_of(struct tp_builder *b, const struct tp_torch_trace *t);

/* Devices and lines of t, whose columns stand; gpus become those of the trace. */
void tp_torch_place(struct tp_builder *b, struct tp_torch_trace *t, const struct tp_torch_meta *m);

#endif
