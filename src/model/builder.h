/* What the parts of the builder share: the lists that grow, and the line that is open. */
#ifndef TP_MODEL_BUILDER_H
#define TP_MODEL_BUILDER_H

#include "base/buf.h"
#include "model/build.h"
#include "model/line_draft.h"

struct tp_precomputed;

enum { TP_STAGE_EVENTS = 8 * TP_BLOCK_EVENTS };

/* What of the open line has come, but is not in the columns yet. */
struct tp_line_stage {
	int64_t start_ps[TP_STAGE_EVENTS], duration_ps[TP_STAGE_EVENTS];
	int64_t chip_start_ps[TP_STAGE_EVENTS], chip_duration_ps[TP_STAGE_EVENTS];
	uint32_t op[TP_STAGE_EVENTS];
};

struct tp_builder {
	struct tp_profile *profile;
	struct tp_buf inputs, hosts, devices, programs, ops, lines, allocator_events;
	struct tp_buf torch; /* struct tp_torch_trace * */
	struct tp_buf named; /* by id of string: uint32_t, the operation with this name + 1; 0: none */
	struct tp_buf tags;  /* of the line that is open */
	struct tp_line_stage stage; /* likewise, as the five below */
	struct tp_line_draft line;  /* what is in the columns */
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

/* Puts the events of the open line, all of which are in the columns, in order, and moves their tags with them. */
void tp_build_line_sort(struct tp_builder *b, struct tp_line_columns *c);
/* Puts the tags of the open line in order of their events. */
void tp_build_tags_sort(struct tp_builder *b);

#endif
