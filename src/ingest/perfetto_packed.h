/* Packets that hold compressed ones. */
#ifndef TP_INGEST_PERFETTO_PACKED_H
#define TP_INGEST_PERFETTO_PACKED_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

/* The trace with what its compressed packets hold in their place, in `room`, which the caller frees; the trace itself where none is
 * compressed. damaged: how many packets could not be unpacked, or not wholly. */
struct tp_slice tp_perfetto_unpacked(
	struct tp_slice trace, const char *name, struct tp_buf *room, uint64_t *damaged);

#endif
