/* What nodes did in steps, out of RunMetadata, as a dump of tfprof has it. */
#ifndef TP_INGEST_TFPROF_RUN_H
#define TP_INGEST_TFPROF_RUN_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

/* A node's statistics on a device in a step. */
struct tp_tfprof_record {
	int64_t step;
	struct tp_slice device; /* in small letters */
	struct tp_slice stats;  /* NodeExecStats */
};

/* Writes the entries of the map from steps to what a node did, from its records: those of a step together, in their order.
 * device: where it counts as placed; any: also devices that are neither CPU nor GPU have times, as accelerators. */
void tp_tfprof_put_execs(const struct tp_tfprof_record *records, size_t count,
	struct tp_slice device, bool any, struct tp_buf *out);

/* Whether what a node did there is a run of it, and so its place. */
bool tp_tfprof_counts_as_run(struct tp_slice device, bool any);

#endif
