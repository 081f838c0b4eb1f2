/* Lists of columns as constants. */
#ifndef TP_REPORT_COLUMN_H
#define TP_REPORT_COLUMN_H

#include "report/table.h"

/* A static slice for columns and the like from a literal, usable in initialisers. */
#define TP_LIT(literal)                                                                            \
	{                                                                                              \
		(literal), sizeof(literal) - 1                                                             \
	}

/* Columns of tables, likewise; after the title other members of struct tp_column. */
#define TP_COLUMN(named_key, named_title, ...)                                                     \
	{                                                                                              \
		.key = TP_LIT(named_key), .title = TP_LIT(named_title), __VA_ARGS__                        \
	}
#define TP_COUNT_COLUMN(named_key, named_title, ...)                                               \
	TP_COLUMN(named_key, named_title, .unit = TP_UNIT_COUNT, __VA_ARGS__)
#define TP_SHARE_COLUMN(named_key, named_title, ...)                                               \
	TP_COLUMN(named_key, named_title, .unit = TP_UNIT_SHARE, .decimals = 1, __VA_ARGS__)
/* Sizes, each in the unit that suits it. */
#define TP_BYTES_COLUMN(named_key, named_title, ...)                                               \
	TP_COLUMN(named_key, named_title, .unit = TP_UNIT_BYTES, .decimals = TP_DECIMALS_BY_SIZE,      \
		__VA_ARGS__)

/* Times in µs, sizes, FLOP and FLOP/s from very small to very large, which are compared down the table: one unit for all. */
#define TP_ONE_UNIT_COLUMN(named_key, named_title, named_unit, ...)                                \
	TP_COLUMN(named_key, named_title, .unit = named_unit, .decimals = TP_DECIMALS_BY_COLUMN,       \
		__VA_ARGS__)

/* Points in time, likewise: some of one table may be hours after others. */
#define TP_TIME_COLUMN(named_key, named_title, ...)                                                \
	TP_COLUMN(                                                                                     \
		named_key, named_title, .unit = TP_UNIT_MS, .decimals = TP_DECIMALS_BY_SIZE, __VA_ARGS__)

/* Where a column finds its value in the struct that a row is about, among the other members of a column:
 * TP_COUNT_COLUMN("calls", "Calls", TP_FIELD(struct node, calls, TP_UNIT_COUNT)). */
#define TP_FIELD(row, member, stored_unit, ...)                                                    \
	.field = {.type = _Generic(((row *)0)->member, struct tp_slice                                 \
							   : TP_FIELD_TEXT, const char *                                       \
							   : TP_FIELD_CHARS, double                                             \
							   : TP_FIELD_DOUBLE, int64_t                                          \
							   : TP_FIELD_INT64, uint64_t                                          \
							   : TP_FIELD_UINT64, uint32_t                                         \
							   : TP_FIELD_UINT32, struct tp_value                                  \
							   : TP_FIELD_VALUE),                                                  \
		.unit = stored_unit,                                                                       \
		.offset = offsetof(row, member),                                                           \
		__VA_ARGS__}
#define TP_TEXT_FIELD(row, member, ...) TP_FIELD(row, member, TP_UNIT_NONE, __VA_ARGS__)
#define TP_COUNT_FIELD(row, member, ...) TP_FIELD(row, member, TP_UNIT_COUNT, __VA_ARGS__)

#endif
