/* One event of a PyTorch trace: an object of the array, with its keys and arguments of all versions in one struct. */
#ifndef TP_INGEST_TORCH_EVENT_H
#define TP_INGEST_TORCH_EVENT_H

#include "base/map.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_arena;
struct tp_pull;

/* Beside the kinds of the model, which are categories too. */
enum {
	TP_TORCH_CATEGORY_TRACE = 64,
	/* the profiler's own range */ TP_TORCH_CATEGORY_MTIA,
	TP_TORCH_CATEGORY_NONE
};

/* Texts are ids of strings, 0 when absent; numbers are -1 when absent, bytes INT64_MIN. */
struct tp_torch_event {
	char phase;        /* 'X', 'i', 'M', …; 0: none */
	uint8_t category;  /* enum tp_torch_kind or one of those above */
	bool old_category; /* written as torch ≤ 1.10 did: "Kernel" */
	bool has_start, has_duration;
	bool fraction; /* the start has decimals */
	uint32_t name, pid, tid;
	int64_t start_ns, duration_ns; /* from the file's own zero */

	int64_t correlation, external_id;
	int64_t sequence, forward_thread, flops;
	int64_t python_id, python_parent, python_module;
	int64_t device, stream, bytes, graph, registers, shared_bytes;
	int64_t device_type, device_id, address, allocated_bytes, reserved_bytes;
	int64_t in_elements, out_elements, group_size, rank, rank_start, rank_stride;
	int64_t from_rank, to_rank, peer;
	double blocks_per_sm, warps_per_sm, occupancy_percent; /* NaN: absent */
	uint32_t grid[3], block[3];                            /* 0: absent */
	uint32_t shapes, types, inputs, stack, modules, called_from;
	uint32_t collective, dtype, group_name, group_description, group_ranks, in_split, out_split;
	uint32_t label; /* of metadata: the name that it gives */
};

/* What reading one event after the other asks for. */
struct tp_torch_events {
	struct tp_arena *arena;     /* where new texts are kept */
	struct tp_strings *strings; /* and numbered */
	struct tp_map compact; /* hash of a JSON text as written → id of it without white space */
	uint8_t first[64];     /* of the arguments' table, by length of key */
	struct {
		char text[24];
		size_t length;
		uint32_t id;
	} last[2]; /* pid and tid of the event before, which nearly always come again */
};

extern const struct tp_torch_event tp_torch_no_event;

void tp_torch_events_init(struct tp_torch_events *x, struct tp_arena *scratch,
	struct tp_arena *keep, struct tp_strings *strings);

/* Behind the object's begin: reads to its end. False when the text ends or breaks inside. */
bool tp_torch_event_read(struct tp_torch_events *x, struct tp_pull *j, struct tp_torch_event *e);

#endif
