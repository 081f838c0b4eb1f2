/* Whether a file is a PyTorch trace. */
#ifndef TP_INGEST_TORCH_PROBE_H
#define TP_INGEST_TORCH_PROBE_H

#include "base/slice.h"

/* By its name, or by what its first bytes, unpacked, hold (head; may be empty): 0 no … 100 certain. */
int tp_torch_probe(const char *name, struct tp_slice head);

#endif
