/* Slices of a trace put together: numbers that each counted by itself become those of the whole, in the order of the slices, so that
 * they are what they would be had one walk read all of the text. */
#ifndef TP_INGEST_TORCH_JOIN_H
#define TP_INGEST_TORCH_JOIN_H

#include "ingest/torch_columns.h"

struct tp_builder;
struct tp_pool;
struct tp_torch_slice;

/* Of one slice: what its numbers are in the whole, by its own. */
struct tp_torch_part {
	struct tp_torch_columns *columns; /* with its events */
	uint32_t *string_of, *lane_of, *attribute_of, *launch_of, *collective_of;
	/* where its entries of these tables begin */
	uint32_t first_operator, first_python, first_call, first_work, first_memory;
	/* While it is settled. */
	uint32_t *op_of; /* by its number of the name; TP_NONE: no event of that name is kept */
	struct tp_buf
		names; /* uint32_t: its numbers of names, in the order in which events that are kept have them first */
	uint32_t *lane_count; /* by its lane: events that are kept, then the place of the next */
	uint32_t kind_count[TP_TORCH_KIND_COUNT];
	uint64_t too_far;
	int64_t begin_ns;
};

struct tp_torch_whole {
	struct tp_builder *out;
	struct tp_pool *pool;
	struct tp_arena *scratch;
	/* Shared entries and counts of all slices; their events stay with the parts. */
	struct tp_torch_columns all;
	uint32_t event_count;
	struct tp_buf operators, pythons, calls, works, memory; /* of all slices */
	struct tp_torch_part *parts;
	size_t part_count;
	bool last; /* what was copied from the slices is given back */
};

/* last: the slices are not joined again: their texts go over to the builder's profile, and the rest of them goes on the way. Else they
 * stay as they are, and have to outlive the profile. */
void tp_torch_join(struct tp_torch_whole *w, struct tp_torch_slice **slices, size_t count,
	bool last, struct tp_builder *out, struct tp_pool *pool);

/* The start in the middle, from the file's own zero; false when there is neither an event nor a record of memory. */
bool tp_torch_middle(const struct tp_torch_whole *w, int64_t *start_ns);

/* The earliest start that is not too far from the middle. */
int64_t tp_torch_begin(struct tp_torch_whole *w, int64_t middle_ns);

/* Fills the columns and tables of t. zero_ns: what the picoseconds count from, on the file's clock. */
void tp_torch_settle(struct tp_torch_whole *w, int64_t zero_ns, struct tp_torch_trace *t);

void tp_torch_whole_close(struct tp_torch_whole *w);

#endif
