/* Memory of PyTorch traces: what each device's allocator had given out over time, and which operators asked for it.
 *
 * Every record of an allocator says how many bytes were given out or taken back, by which host thread, and (from torch 1.11 on)
 * the address and how much is allocated and reserved after it. Formulas: torch-tb-profiler (memory_parser.py), whose differences
 * from here stand at each. */
#ifndef TP_ANALYZE_TORCH_MEMORY_H
#define TP_ANALYZE_TORCH_MEMORY_H

#include "analyze/core/ctx.h"
#include "base/slice.h"
#include "model/torch.h"

#include <stdint.h>

struct tp_block;
struct tp_doc;
struct tp_torch_correlation;

/* Pieces that a table lists. */
enum { TP_TORCH_MOST_PIECES = 20000 };

/* One piece of memory: given out by one record and taken back by a later one. Indices of the pool's records. */
struct tp_torch_piece {
	uint64_t bytes;
	int64_t there_ps;            /* from one to the other; INT64_MAX: one of them is not recorded */
	uint32_t precomputed, taken; /* TP_NONE: before the trace began, or not before it ended */
	bool unseen; /* its address was given out again, so that it was taken back without a record */
};

/* What the records of some time sum to, of an operator by itself and with all that it calls. */
struct tp_torch_memory_sums {
	uint64_t allocations, allocated_bytes;
	int64_t growth_bytes; /* given out less taken back */
};

struct tp_torch_memory_row {
	struct tp_slice name; /* empty: in no operator and no annotation */
	uint32_t op;          /* of the profile; TP_NONE likewise */
	uint64_t calls;       /* over all devices, as the list of operators counts them */
	struct tp_torch_memory_sums self, total;
};

/* Pieces that were live at the peak, of one operator. */
struct tp_torch_live_row {
	struct tp_slice name; /* empty: in no operator and no annotation */
	bool earlier; /* not pieces: what was allocated before the trace began, or is not recorded */
	uint64_t pieces, bytes, largest_bytes;
};

/* What operators asked for in some time, by what they allocated themselves, descending. */
struct tp_torch_memory_rows {
	struct tp_torch_memory_row *rows;
	size_t count;
	uint64_t looked_at; /* records, and ranges that they are in */
};

/* A step as its allocator saw it, by the host's marks: allocators run ahead of devices. */
struct tp_torch_memory_step {
	struct tp_slice name;
	int64_t start_bytes, end_bytes; /* allocated; −1: not recorded */
	bool passed_over; /* its records were not looked at, for steps overlap: the rest is not known */
	int64_t peak_bytes,
		peak_reserved; /* the largest in it, what it began with included; −1 likewise */
	uint64_t allocations, allocated_bytes; /* given out in it */
	struct tp_torch_memory_rows operators;
};

/* The allocator of one device in one trace. */
struct tp_torch_pool {
	uint32_t trace;
	int16_t device_type, device_id;
	struct tp_slice device, key;                  /* "GPU 1"; as scopes and ids have it, "GPU:1" */
	bool accelerator;                             /* not the host's own memory */
	const struct tp_torch_memory *const *records; /* in order of time */
	const uint32_t *owner; /* by record: innermost operator, else annotation; TP_NONE */
	uint32_t count;
	int64_t zero_ps; /* what times of the report count from, by the clock of the records */
	bool has_totals, has_addresses;
	uint32_t peak; /* the last record at which most was allocated; TP_NONE unless has_totals */
	int64_t peak_bytes, reserved_at_peak, peak_reserved; /* −1: not recorded */
	uint64_t capacity_bytes;                             /* of the card; 0: not known */
	struct tp_slice step; /* that the peak is in; empty: in none that is counted */
	uint64_t allocations, releases;
	/* the most that was given out beyond what was taken back, from the start on */
	int64_t growth_most;
	/* NULL unless has_addresses; the first TP_TORCH_MOST_PIECES are the largest, in order, of equal ones the longest there first */
	struct tp_torch_piece *pieces;
	uint32_t piece_count, open, earlier, unseen;
	struct tp_torch_memory_rows operators;
	struct tp_torch_live_row *live; /* by bytes, descending; NULL: not known */
	size_t live_count;
	struct tp_torch_memory_step *steps;
	size_t step_count;
};

struct tp_torch_memories {
	struct tp_torch_pool *pools; /* accelerators first, then by peak, descending */
	size_t count;
	uint32_t traces_without; /* traces that hold no record */
	uint64_t left_out;       /* records of more devices than are told apart */
};

/* struct tp_torch_memories; count 0: no trace holds a record */
extern const struct tp_pass tp_pass_torch_memory, tp_pass_torch_memory_section;

/* When a record was made, from the first event of the report (analyze/facts/clock.h). */
static inline int64_t
tp_torch_pool_time_ps(const struct tp_torch_pool *pool, uint32_t record)
{
	return pool->records[record]->time_ps - pool->zero_ps;
}

/* Who asked for the memory of a record: "aten::add", or "aten::conv2d (aten::empty)" where an operator had another make room.
 * Empty: in no operator and no annotation. In keep (torch_memory_stats.c). */
struct tp_slice tp_torch_pool_owner(
	const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, uint32_t record);

/* What the statistics of a trace's pools need, by op of the profile; in scratch (torch_memory_stats.c). */
struct tp_torch_memory_tally {
	uint32_t *calls;
	uint32_t *row_of;     /* room for rows under way */
	uint32_t *sums_of;    /* by event: room for the sums of ranges under way */
	const bool *repeated; /* by event: a range in another of the same operation */
};
struct tp_torch_memory_tally tp_torch_memory_tally_for(
	const struct tp_pass_ctx *ctx, uint32_t trace);

/* Fills in operators and steps; in keep. */
void tp_torch_pool_stats(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool,
	const struct tp_torch_memory_tally *tally);

/* What is shown for the name of an owner. */
static inline struct tp_slice
tp_torch_memory_name(struct tp_slice name)
{
	return name.len != 0 ? name : TP_S("(no operator)");
}

/* The tables of one pool (torch_memory_tables.c). */
void tp_torch_pool_tables(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool,
	struct tp_doc *doc, struct tp_block *parent, const char *id);

/* Why there is no record of memory at all. */
struct tp_slice tp_torch_memory_unrecorded(const struct tp_pass_ctx *ctx);

/* What it says (torch_memory_metrics.c, torch_memory_present.c). */
void tp_torch_memory_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_torch_memory_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
