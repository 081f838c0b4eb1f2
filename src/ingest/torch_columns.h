/* The events of a trace while it is being read, and their way into the columns of the model. */
#ifndef TP_INGEST_TORCH_COLUMNS_H
#define TP_INGEST_TORCH_COLUMNS_H

#include "base/blocks.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/torch.h"

struct tp_torch_event;

/* Times further than this from the middle one are no times of the same capture; that many picoseconds fit twice. */
#define TP_TORCH_FARTHEST_NS (INT64_C(100) * 86400 * 1000000000)

/* Events in the order of the file, until it is known how many each lane has. */
struct tp_torch_slot {
	int64_t start_ns, duration_ns; /* from the file's own zero */
	uint32_t name, lane, detail;
	uint8_t kind;
};

/* By which collectives are told apart; texts are ids of strings. */
struct tp_torch_collective_key {
	uint32_t texts[7], none;
	int64_t numbers[8];
};

struct tp_torch_columns {
	struct tp_strings *strings; /* of the events' texts */
	struct tp_arena *keep, *scratch;
	struct tp_blocks events; /* struct tp_torch_slot, in the order of the file */
	/* What events of a kind say besides: struct tp_torch_operator and the like. */
	struct tp_blocks operators, pythons, calls, works, memory;
	struct tp_buf lanes; /* struct tp_torch_lane; first and count are not set yet */
	uint32_t last_lane;  /* that was asked for */
	struct tp_map lane_map, names, attribute_map, launch_map, collective_map;
	struct tp_map grid_of; /* correlation → launch that a runtime call wrote (ROCm) */
	struct tp_buf attributes, launches, collectives;
	struct tp_buf collective_keys; /* struct tp_torch_collective_key, of each of collectives */
	bool has_window;
	int64_t window_start_ns, window_end_ns;
	bool old_categories, fractions;
	/* Device work whose external id is its correlation, and other. */
	uint64_t same_ids, other_ids;
	uint64_t no_time, no_duration, negative, too_far;
};

/* keep: for texts that outlive the scratch, as those of strings do. */
void tp_torch_columns_open(struct tp_torch_columns *c, struct tp_strings *strings,
	struct tp_arena *keep, struct tp_arena *scratch);
void tp_torch_columns_add(struct tp_torch_columns *c, const struct tp_torch_event *e);

void tp_torch_columns_close(struct tp_torch_columns *c);

/* The lane of this kind with these names of process and thread; a new one without a GPU where there is none. */
uint32_t tp_torch_columns_lane(
	struct tp_torch_columns *c, enum tp_torch_lane_kind kind, uint32_t pid, uint32_t tid);

/* What an event says beside its name and time: the index of the entry that it adds to the table of its kind; TP_NONE for kinds without
 * a table. kind: enum tp_torch_kind (torch_details.c). */
uint32_t tp_torch_detail(struct tp_torch_columns *c, uint8_t kind, const struct tp_torch_event *e);

/* The index of the entry of `list` with these bytes, added when there is none yet. */
uint32_t tp_torch_once(struct tp_buf *list, struct tp_map *map, const void *item, size_t size);

#endif
