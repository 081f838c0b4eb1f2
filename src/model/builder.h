/* What the parts of the builder share: the lists that grow, and the line that is open. */
#ifndef TP_MODEL_BUILDER_H
#define TP_MODEL_BUILDER_H

#include "base/buf.h"
#include "model/build.h"

struct tp_precomputed;

enum tp_column {
	TP_COLUMN_START,
	TP_COLUMN_DURATION,
	TP_COLUMN_CHIP_START,
	TP_COLUMN_CHIP_DURATION,
	TP_COLUMN_OP,
	TP_COLUMN_COUNT
};

struct tp_builder {
	struct tp_profile *profile;
	struct tp_buf inputs, hosts, devices, programs, ops, lines, allocator_events;
	struct tp_buf torch; /* struct tp_torch_trace * */
	struct tp_buf named; /* by id of string: uint32_t, the operation with this name + 1; 0: none */
	struct tp_buf tags;  /* of the line that is open */
	struct tp_buf columns[TP_COLUMN_COUNT]; /* likewise */
	bool tags_unsorted;
	uint64_t tag_keys;
	struct tp_map facts;       /* (host, key, value) of those there are */
	struct tp_fact *last_fact; /* of fact_host */
	uint32_t fact_host;
	struct tp_buf precomputed; /* struct tp_precomputed *, by host */
};

#endif
