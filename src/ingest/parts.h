/* What a run of PyTorch can be looked at by: a worker, a span, a span of a worker. */
#ifndef TP_INGEST_PARTS_H
#define TP_INGEST_PARTS_H

#include "base/slice.h"

#include <stddef.h>

struct tp_arena;
struct tp_run;

struct tp_part {
	struct tp_slice worker; /* NUL-terminated; ptr NULL: all */
	unsigned span_number;   /* 0: all */
};

struct tp_parts {
	/* workers first, rank2 before rank10, then spans of all workers, then of one */
	const struct tp_part *parts;
	size_t count;
	size_t workers, most_spans; /* of the run; of one worker */
};

/* The parts of a run as tp_choose_files left it that are less than the whole of it. Workers are told apart by their names
 * alone. Memory from arena. */
struct tp_parts tp_parts_of(const struct tp_run *run, struct tp_arena *arena);

#endif
