/* What the parts of the builder share: the lists that grow, and the line that is open. */
#ifndef TP_MODEL_BUILDER_H
#define TP_MODEL_BUILDER_H

#include "base/buf.h"
#include "model/build.h"
#include "model/second_clock.h"

struct tp_precomputed;

enum { TP_STAGE_EVENTS = 8 * TP_BLOCK_EVENTS };

/* What of the open line has come, but is not in the columns yet. */
struct tp_line_stage {
	int64_t start_ps[TP_STAGE_EVENTS], duration_ps[TP_STAGE_EVENTS];
	int64_t chip_start_ps[TP_STAGE_EVENTS], chip_duration_ps[TP_STAGE_EVENTS];
	uint32_t op[TP_STAGE_EVENTS];
};

/* What is in the columns. */
struct tp_line_draft {
	struct tp_times_draft host, chip;
	struct tp_clock_draft second; /* instead of host where … */
	bool follows;                 /* … the host's times follow from the chip's */
	int64_t last_host_ps;         /* by the host's clock: when the last event began; … */
	bool host_unsorted;           /* … whether one began before the one that stands before it */
	struct tp_op_draft ops;
};

void tp_line_draft_free(struct tp_line_draft *line);

struct tp_builder {
	struct tp_profile *profile;
	struct tp_buf inputs, hosts, devices, programs, ops, lines, allocator_events;
	struct tp_buf torch; /* struct tp_torch_trace * */
	struct tp_buf named; /* by id of string: uint32_t, the operation with this name + 1; 0: none */
	struct tp_buf tags;  /* of the line that is open */
	struct tp_line_stage stage; /* likewise, as the five below */
	struct tp_line_draft line;
	int64_t last_start_ps,
		last_duration_ps; /* of what is in the columns, by the clock that orders */
	bool events_unsorted;
	size_t expected_events;
	bool tags_unsorted;
	uint64_t tag_keys;
	struct tp_map facts;       /* (host, key, value) of those there are */
	struct tp_fact *last_fact; /* of fact_host */
	uint32_t fact_host;
	struct tp_buf precomputed; /* struct tp_precomputed *, by host */
};

#endif
