/* Columns that several tables of operations have: a key, a title and a unit is stated once. */
#ifndef TP_ANALYZE_OP_COLUMNS_H
#define TP_ANALYZE_OP_COLUMNS_H

#include "report/doc.h"

#define TP_OP_COLUMN_NAME                                                                          \
	{                                                                                              \
		.key = TP_LIT("name"), .title = TP_LIT("Operation"), .code = true                          \
	}
#define TP_OP_COLUMN_SELF                                                                          \
	{                                                                                              \
		.key = TP_LIT("self_ms"), .title = TP_LIT("Self time"), .unit = TP_UNIT_MS, .decimals = 1, \
		.sorted = true                                                                             \
	}
#define TP_OP_COLUMN_BUSY                                                                          \
	{                                                                                              \
		.key = TP_LIT("busy_share"), .title = TP_LIT("Of busy time"), .unit = TP_UNIT_SHARE,       \
		.decimals = 1, .bar = true                                                                 \
	}
#define TP_OP_COLUMN_CUMULATIVE                                                                    \
	{                                                                                              \
		.key = TP_LIT("cumulative_share"), .title = TP_LIT("Added up"), .unit = TP_UNIT_SHARE,     \
		.decimals = 1                                                                              \
	}
#define TP_OP_COLUMN_OCCURRENCES                                                                   \
	{                                                                                              \
		.key = TP_LIT("occurrences"), .title = TP_LIT("Occurrences"), .unit = TP_UNIT_COUNT        \
	}
#define TP_OP_COLUMN_TOTAL                                                                         \
	{                                                                                              \
		.key = TP_LIT("total_ms"), .title = TP_LIT("Total"), .unit = TP_UNIT_MS, .decimals = 1     \
	}
#define TP_OP_COLUMN_EACH                                                                          \
	{                                                                                              \
		.key = TP_LIT("mean_us"), .title = TP_LIT("Each"), .unit = TP_UNIT_US, .decimals = 1       \
	}
#define TP_OP_COLUMN_SELF_EACH                                                                     \
	{                                                                                              \
		.key = TP_LIT("mean_self_us"), .title = TP_LIT("Self, each"), .unit = TP_UNIT_US,          \
		.decimals = 1                                                                              \
	}
#define TP_OP_COLUMN_WASTED                                                                        \
	{                                                                                              \
		.key = TP_LIT("wasted_ms"), .title = TP_LIT("Wasted"), .unit = TP_UNIT_MS, .decimals = 1   \
	}
#define TP_OP_COLUMN_BOUND                                                                         \
	{                                                                                              \
		.key = TP_LIT("bound_by"), .title = TP_LIT("Bound by")                                     \
	}
#define TP_OP_COLUMN_FLOP_RATE                                                                     \
	{                                                                                              \
		.key = TP_LIT("gflop_per_s"), .title = TP_LIT("FLOP rate"), .unit = TP_UNIT_GFLOP_PER_S,   \
		.decimals = 1                                                                              \
	}
#define TP_OP_COLUMN_HBM_RATE                                                                      \
	{                                                                                              \
		.key = TP_LIT("gb_per_s"), .title = TP_LIT("HBM rate"), .unit = TP_UNIT_GB_PER_S,          \
		.decimals = 1                                                                              \
	}
#define TP_OP_COLUMN_BYTE_RATE                                                                     \
	{                                                                                              \
		.key = TP_LIT("all_gb_per_s"), .title = TP_LIT("All bytes"), .unit = TP_UNIT_GB_PER_S,     \
		.decimals = 1                                                                              \
	}
#define TP_OP_COLUMN_INTENSITY                                                                     \
	{                                                                                              \
		.key = TP_LIT("flop_per_byte"), .title = TP_LIT("Intensity"),                              \
		.unit = TP_UNIT_FLOP_PER_BYTE, .decimals = 1                                               \
	}
#define TP_OP_COLUMN_MODEL_RATE                                                                    \
	{                                                                                              \
		.key = TP_LIT("model_gflop_per_s"), .title = TP_LIT("Model FLOP rate"),                    \
		.unit = TP_UNIT_GFLOP_PER_S, .decimals = 1                                                 \
	}

#endif
