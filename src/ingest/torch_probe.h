/* What the first bytes of a file tell: whether it is a PyTorch trace, and when its work began. */
#ifndef TP_INGEST_TORCH_PROBE_H
#define TP_INGEST_TORCH_PROBE_H

#include "base/slice.h"

#include <stdint.h>

/* By its name, or by what its first bytes, unpacked, hold (head; may be empty): 0 no … 100 certain. */
int tp_torch_probe(const char *name, struct tp_slice head);

/* The earliest event with a duration among those in head (unpacked; may break off anywhere), in nanoseconds since 1970:
 * baseTimeNanoseconds + ts from torch 2.2 on, ts alone before. 0: head does not say. */
int64_t tp_torch_began_unix_ns(struct tp_slice head);

#endif
