/* The tables of operators while calls are counted in them: by name, by name and input shapes, by place. */
#ifndef TP_ANALYZE_TORCH_OP_TABLES_H
#define TP_ANALYZE_TORCH_OP_TABLES_H

#include "analyze/torch/operators/torch_op_calls.h"
#include "base/buf.h"
#include "base/map.h"

#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_attributes;
struct tp_torch_ops;
struct tp_torch_trace;

struct tp_torch_op_tables {
	const struct tp_profile *profile;
	struct tp_map names, shapes, places; /* → index in the buffers */
	struct tp_buf by_name, by_shape;     /* of struct tp_torch_op_row */
	struct tp_buf stacks;                /* of struct tp_torch_op_stack */
	uint32_t *row_of_op; /* by op of the profile; TP_NONE: not asked for yet; TP_TORCH_NOT_LISTED */
};

/* Instead of the row of an operation: it has none. */
#define TP_TORCH_NOT_LISTED (TP_NONE - 1)

/* Maps are in scratch. */
void tp_torch_op_tables_init(
	struct tp_torch_op_tables *tables, const struct tp_profile *p, struct tp_arena *scratch);

/* The row by name in which a call of an event counts, a new one at need; TP_TORCH_NOT_LISTED: none. */
uint32_t tp_torch_op_row(
	struct tp_torch_op_tables *tables, const struct tp_torch_trace *t, uint32_t event);

/* All rows of a call with that row by name. stack: the frame that it was called from; TP_NONE: not recorded. */
struct tp_torch_op_rows tp_torch_op_rows_of(struct tp_torch_op_tables *tables, uint32_t row,
	const struct tp_torch_attributes *a, uint32_t stack);

uint32_t tp_torch_op_row_count(
	const struct tp_torch_op_tables *tables, enum tp_torch_op_table table);

/* Until the next row comes. */
struct tp_torch_op_sums *tp_torch_op_sums_in(
	struct tp_torch_op_tables *tables, enum tp_torch_op_table table, uint32_t row);

/* Gives the result its tables, in keep, in the order in which they are shown; the buffers are empty then. Returns the new index of
 * each row by name, in scratch. */
const uint32_t *tp_torch_op_tables_settle(struct tp_torch_op_tables *tables, struct tp_torch_ops *o,
	struct tp_arena *keep, struct tp_arena *scratch);

#endif
