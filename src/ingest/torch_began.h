/* When the work in a PyTorch trace began, by the first bytes of the file. */
#ifndef TP_INGEST_TORCH_BEGAN_H
#define TP_INGEST_TORCH_BEGAN_H

#include "base/slice.h"

#include <stdint.h>

/* The earliest event with a duration among those in head (unpacked; may break off anywhere), in nanoseconds since 1970:
 * baseTimeNanoseconds + ts from torch 2.2 on, ts alone before. 0: head does not say. */
int64_t tp_torch_began_unix_ns(struct tp_slice head);

#endif
