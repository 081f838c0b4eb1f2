/* A dump of tfprof out of what it is made of: a graph, what ran in steps, and an op log (tensorflow/core/profiler/internal/tfprof_stats.cc,
 * tfprof_node.cc). */
#ifndef TP_INGEST_TFPROF_BUILD_H
#define TP_INGEST_TFPROF_BUILD_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;

struct tp_tfprof_parts {
	struct tp_slice graph;            /* a GraphDef, on the wire or as text; empty: none */
	const struct tp_slice *run_metas; /* RunMetadata, likewise */
	const int64_t *steps;             /* of each; NULL: 0, 1, … */
	size_t run_meta_count;
	bool
		any_device; /* other devices than CPU and GPU count, too, which they do not for the original */
	struct tp_slice op_log;   /* an OpLogProto; empty: none */
	struct tp_slice names[3]; /* of the files for messages: graph, run metadata, op log */
};

/* The bytes of a ProfileProto in the arena. TP_ERR_FORMAT: a part is none. */
enum tp_status tp_tfprof_build(const struct tp_tfprof_parts *parts, struct tp_arena *arena,
	struct tp_slice *dump, struct tp_err *err);

/* RunMetadata as wire: the bytes themselves or, of a text, what it stands for, in the arena. False: it is neither. */
bool tp_tfprof_run_on_wire(struct tp_slice bytes, struct tp_arena *arena, struct tp_slice *wire);

#endif
