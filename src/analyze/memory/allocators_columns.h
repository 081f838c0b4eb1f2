/* The columns of the tables of allocators over time. */
#ifndef TP_ANALYZE_MEMORY_ALLOCATORS_COLUMNS_H
#define TP_ANALYZE_MEMORY_ALLOCATORS_COLUMNS_H

#include "analyze/memory/allocators.h"
#include "report/column.h"
#include "report/draft.h"

/* The curve: intervals of equal time, in each the least and the most, so that no peak is lost. An allocator that nothing
 * happens to stays as it was. */
struct interval {
	int64_t start_ps;             /* from the first event of the report */
	uint64_t stack_low, heap_low; /* the least of each in it */
	uint64_t stack, heap, free;   /* when most was in use: the first time that it was */
	bool free_known;
	double fragmentation; /* the most; NaN: not said */
	uint64_t events;
};

#define MIB_COLUMN(key, title, ...)                                                                \
	TP_COLUMN(key, title, .unit = TP_UNIT_MIB, .decimals = 2, __VA_ARGS__)

static const struct tp_column allocator_columns[] = {
	TP_COLUMN("allocator", "Allocator", .code = true, TP_TEXT_FIELD(struct tp_allocator, name)),
	MIB_COLUMN("peak_mib", "Peak", .sorted = true,
		TP_FIELD(struct tp_allocator, peak_bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("peak_share", "Of capacity", .bar = true,
		TP_FIELD(struct tp_allocator, peak_share, TP_UNIT_SHARE, .missing = TP_NO_FREE)),
	TP_TIME_COLUMN("peak_time_ms", "Peak at"),
	TP_COLUMN("peak_step", "In step",
		TP_TEXT_FIELD(struct tp_allocator, step, .missing = "in no step that counts")),
	TP_COUNT_COLUMN("peak_times", "Times at peak", TP_COUNT_FIELD(struct tp_allocator, peak_times)),
	MIB_COLUMN("stack_mib", "Stack"),
	MIB_COLUMN("heap_mib", "Heap"),
	MIB_COLUMN("free_mib", "Free"),
	MIB_COLUMN("capacity_mib", "Capacity"),
	TP_SHARE_COLUMN("fragmentation_share", "Fragmentation"),
	TP_SHARE_COLUMN("fragmentation_most_share", "Max fragmentation",
		TP_FIELD(struct tp_allocator, fragmentation_most, TP_UNIT_SHARE,
			.missing = TP_NO_FRAGMENTATION)),
	MIB_COLUMN("lifetime_peak_mib", "Max heap ever",
		TP_FIELD(struct tp_allocator, lifetime_peak_bytes, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("allocations", "Allocations", TP_COUNT_FIELD(struct tp_allocator, allocations)),
	TP_COUNT_COLUMN(
		"deallocations", "Deallocations", TP_COUNT_FIELD(struct tp_allocator, deallocations)),
	TP_COLUMN("host", "Host"),
};
struct allocator_cells {
	struct tp_cell allocator, peak, share, time, step, times, stack, heap, free, capacity,
		fragmentation, fragmentation_most, lifetime_peak, allocations, deallocations, host;
};
TP_CELLS_ARE_COLUMNS(struct allocator_cells, allocator_columns);

static const struct tp_column live_columns[] = {
	TP_COLUMN("framework_op", "Allocated for", .code = true),
	TP_COLUMN("total_mib", "Size", .unit = TP_UNIT_MIB, .decimals = 3, .sorted = true,
		TP_FIELD(struct tp_live_row, total_bytes, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("count", "Pieces", TP_COUNT_FIELD(struct tp_live_row, count)),
	TP_COLUMN("block_mib", "Size of each", .unit = TP_UNIT_MIB, .decimals = 3,
		TP_FIELD(struct tp_live_row, block_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("requested_mib", "Requested", .unit = TP_UNIT_MIB, .decimals = 3,
		TP_FIELD(struct tp_live_row, requested_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("shape", "Shape", .code = true, TP_TEXT_FIELD(struct tp_live_row, shape)),
	TP_COLUMN("data_type", "Type", TP_TEXT_FIELD(struct tp_live_row, data_type)),
	TP_COLUMN("region", "Region", TP_TEXT_FIELD(struct tp_live_row, region)),
};
struct live_cells {
	struct tp_cell framework, total, count, block, requested, shape, data_type, region;
};
TP_CELLS_ARE_COLUMNS(struct live_cells, live_columns);

static const struct tp_column time_columns[] = {
	TP_COLUMN("from_ms", "From", .unit = TP_UNIT_MS, .decimals = 3),
	MIB_COLUMN("stack_mib", "Stack at max", TP_FIELD(struct interval, stack, TP_UNIT_BYTES)),
	MIB_COLUMN("heap_mib", "Heap at max", TP_FIELD(struct interval, heap, TP_UNIT_BYTES)),
	MIB_COLUMN("free_mib", "Free at max"),
	MIB_COLUMN("stack_low_mib", "Min stack", TP_FIELD(struct interval, stack_low, TP_UNIT_BYTES)),
	MIB_COLUMN("heap_low_mib", "Min heap", TP_FIELD(struct interval, heap_low, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("fragmentation_share", "Max fragmentation",
		TP_FIELD(struct interval, fragmentation, TP_UNIT_SHARE, .missing = TP_NO_FRAGMENTATION)),
	TP_COUNT_COLUMN("events", "Events", TP_COUNT_FIELD(struct interval, events)),
};
struct time_cells {
	struct tp_cell from, stack, heap, free, stack_low, heap_low, fragmentation, events;
};
TP_CELLS_ARE_COLUMNS(struct time_cells, time_columns);

#endif
